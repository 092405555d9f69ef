//! The program `secateur`: see `secateur --help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    secateur::run(std::env::args_os())
}
