//! `secateur calibrate reductions`: from samples to a table that an engine goes by.

use std::fs;

use assert_cmd::Command;
use serde_json::Value;

fn secateur(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("secateur").unwrap().args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn samples_become_a_table_that_late_moves_go_by() {
    let out = std::env::temp_dir().join(format!("secateur-reductions-{}", std::process::id()));
    let _ = fs::remove_dir_all(&out);
    let folder = out.to_str().unwrap();
    let usual = ["calibrate", "reductions", "--games", "4", "--nodes", "3000", "--every", "128"];
    let (status, text, err) = secateur(&[&usual[..], &["--out", folder, "--json"]].concat());
    assert_eq!(status, 0, "{err}");
    let found: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(found["games"], 4);
    assert!(found["samples"].as_u64().unwrap() > 500, "{found}");
    let nodes = |policy: usize| found["policies"][policy]["nodes"].as_f64().unwrap();
    assert!((0.0..1.5).contains(&nodes(0)) && (0.0..1.5).contains(&nodes(1)), "{found}");

    let table = out.join("reductions.toml");
    let bench = |more: &[&str]| {
        let (status, out, err) = secateur(&[&["bench", "--depth", "7"][..], more].concat());
        assert_eq!(status, 0, "{err}");
        let last = out.lines().last().unwrap_or_default();
        last.split(' ').next().unwrap_or_default().to_string()
    };
    let file = ["--reductions-file", table.to_str().unwrap()];
    let learned = [&file[..], &["--set", "late_moves=learned"]].concat();
    let both = [&learned[..], &["--set", "late_pruning=learned"]].concat();
    let counts = [bench(&[]), bench(&learned), bench(&both)];
    assert!(counts[0] != counts[1] && counts[1] != counts[2], "{counts:?}");
    assert_eq!(counts[0], bench(&file), "a table that nothing goes by");

    // By the other chance other moves are left out, and no reduction changes.
    let each = ["calibrate", "reductions", "--resume", folder, "--leave-out", "each"];
    let (status, text, err) = secateur(&each);
    assert_eq!(status, 0, "{err}");
    assert!(text.contains("leaving out rest") && !text.contains("less likely than"), "{text}");
    assert!(fs::read_to_string(&table).unwrap().contains("--leave-out each"));
    assert_eq!(bench(&learned), counts[1]);
    assert_ne!(bench(&both), counts[2]);

    // Dearer errors: learned anew, nothing played again.
    let again = ["calibrate", "reductions", "--resume", folder, "--price", "1000000000", "--json"];
    let (status, text, err) = secateur(&again);
    assert_eq!(status, 0, "{err}");
    let dear: Value = serde_json::from_str(&text).unwrap();
    assert!(dear["policies"][1]["nodes"].as_f64().unwrap() >= nodes(1), "{dear}");
    let (status, _, err) = secateur(&["bench", "--depth", "3", "--set", "late_moves=learned"]);
    assert!(status == 2 && err.contains("secateur calibrate reductions"), "{status} {err}");
    fs::remove_dir_all(&out).unwrap();
}
