//! This program against another revision of itself: both are run in turn, so that a busy machine
//! slows both alike, and the figure is the median of the ratios.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use secateur_lab::values::median;

/// Builds `revision` and prints our speed as a multiple of its speed; both are given the same
/// `arguments` of `bench`.
pub fn run(revision: &str, rounds: usize, arguments: &[String]) -> anyhow::Result<()> {
    let theirs = build(revision)?;
    let ours = std::env::current_exe()?;
    let mut output = io::stdout();
    let mut ratios = Vec::new();
    // The first round warms up.
    for round in 0..=rounds.max(1) {
        // Who runs first changes, in case the second profits or suffers from it.
        let ((our_nodes, our_speed), (their_nodes, their_speed)) = if round % 2 == 0 {
            (bench(&ours, arguments)?, bench(&theirs, arguments)?)
        } else {
            let theirs = bench(&theirs, arguments)?;
            (bench(&ours, arguments)?, theirs)
        };
        let ratio = our_speed / their_speed;
        writeln!(
            output,
            "round {round}: {our_nodes} nodes at {our_speed:.0} nps, \
             {their_nodes} nodes at {their_speed:.0} nps, ratio {ratio:.3}"
        )?;
        if round > 0 {
            ratios.push(ratio);
        }
    }
    let middle = median(&ratios);
    writeln!(output, "median ratio {middle:.3} of {} rounds against {revision}", ratios.len())?;
    Ok(())
}

/// The program of another revision, built in a worktree inside the target folder, where it is
/// found again.
pub fn build(revision: &str) -> anyhow::Result<PathBuf> {
    let root = said(Command::new("git").args(["rev-parse", "--show-toplevel"]))
        .context("another revision can be built only in a git checkout of the project")?;
    let root = Path::new(root.trim());
    let commit = said(
        Command::new("git")
            .current_dir(root)
            .args(["rev-parse", "--verify", "--end-of-options"])
            .arg(format!("{revision}^{{commit}}")),
    )
    .with_context(|| format!("no revision is called {revision}"))?;
    let commit = commit.trim();
    let tree = root.join("target/against").join(commit);
    if !tree.exists() {
        said(Command::new("git").current_dir(root).args(["worktree", "prune"]))?;
        said(
            Command::new("git")
                .current_dir(root)
                .args(["worktree", "add", "--detach", "--quiet"])
                .args([tree.as_os_str(), commit.as_ref()]),
        )?;
    }
    let status = Command::new("cargo")
        .current_dir(&tree)
        .args(["build", "--release", "--quiet", "--locked", "-p", "secateur"])
        .env("CARGO_TARGET_DIR", tree.join("target"))
        .status()
        .context("cargo cannot be started")?;
    if !status.success() {
        bail!("revision {commit} does not build");
    }
    Ok(tree.join("target/release/secateur"))
}

/// Nodes and nodes per second of one run.
fn bench(program: &Path, arguments: &[String]) -> anyhow::Result<(u64, f64)> {
    let text = said(Command::new(program).arg("bench").args(arguments))?;
    let last = text.lines().last().unwrap_or_default();
    let words: Vec<&str> = last.split(' ').collect();
    let [nodes, "nodes", speed, "nps"] = words[..] else {
        bail!("{} bench ends with '{last}'", program.display());
    };
    Ok((nodes.parse()?, speed.parse()?))
}

/// What a command prints, or why it failed.
fn said(command: &mut Command) -> anyhow::Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("{name} cannot be started"))?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        bail!("{name}: {}", why.trim().lines().last().unwrap_or("failed"));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
