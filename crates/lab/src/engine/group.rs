//! A process and all that it started, as one thing that can be ended.
//!
//! On Unix an engine leads a process group of its own: nothing that it starts survives it unless
//! it leaves the group on purpose, and Ctrl-C at the terminal reaches us alone. Elsewhere only
//! the process itself is ended.

use std::process::{Child, Command};

#[cfg(unix)]
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// Has the process lead a group of its own.
pub(super) fn lead(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Whether the process has ended. It is not reaped: until then nobody else can get its number,
/// so that `kill` cannot meet a stranger.
pub(super) fn has_ended(child: &mut Child) -> bool {
    #[cfg(unix)]
    {
        let how = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match Pid::from_raw(child.id() as i32) {
            Some(pid) => !matches!(waitid(WaitId::Pid(pid), how), Ok(None)),
            None => true,
        }
    }
    #[cfg(not(unix))]
    !matches!(child.try_wait(), Ok(None))
}

/// Ends the process, which must not have been reaped, and all that it started.
pub(super) fn kill(child: &mut Child) {
    #[cfg(unix)]
    if let Some(pid) = Pid::from_raw(child.id() as i32) {
        // An error means that there is nobody left.
        let _ = kill_process_group(pid, Signal::KILL);
    }
    let _ = child.kill();
}
