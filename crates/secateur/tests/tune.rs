//! Tuning as a person meets it, in its smallest form.
#![cfg(feature = "othello")]

use assert_cmd::Command;
use serde_json::Value;

fn tune(arguments: &[&str]) -> (String, String, i32) {
    let output =
        Command::cargo_bin("secateur").unwrap().arg("tune").args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

#[test]
fn a_tuning_that_was_ended_goes_on_to_the_same_values() {
    let place = std::env::temp_dir().join(format!("secateur-tune-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&place);
    let [whole, parts] = ["whole", "parts"].map(|name| place.join(name));
    let [whole, parts] = [&whole, &parts].map(|path| path.to_str().unwrap());
    let small = "futility late_moves.base --game othello --nodes 60 --pairs 2 --json";
    let small: Vec<&str> = small.split(' ').collect();
    let with = |more: &[&'static str]| [&small[..], more].concat();
    let run = |arguments: Vec<&str>| {
        let (said, complained, status) = tune(&arguments);
        assert_eq!(status, 0, "{complained}");
        serde_json::from_str::<Value>(&said).unwrap()
    };
    let all =
        run([&with(&["--iterations", "6", "--concurrency", "2"])[..], &["--out", whole]].concat());
    assert_eq!((&all["iterations"], &all["games"]), (&6.into(), &24.into()));
    assert_eq!(all["parameters"].as_array().unwrap().len(), 6);
    assert_eq!(all["parameters"][5]["name"], "late_moves.base");

    // The gains depend on the number of iterations, so it is the same from the beginning.
    run([&with(&["--iterations", "6", "--concurrency", "1"])[..], &["--out", parts]].concat());
    let file = std::path::Path::new(parts).join("iterations.jsonl");
    let text = std::fs::read_to_string(&file).unwrap();
    let torn = text.lines().take(2).map(|line| format!("{line}\n")).collect::<String>();
    std::fs::write(&file, torn + "{\"iter").unwrap();
    let again = run(vec!["--resume", parts, "--json"]);
    assert_eq!(again, all);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);

    let (_, complained, status) = tune(&["futillity", "--out", "x"]);
    assert_eq!(status, 2);
    assert!(complained.contains("no number is called futillity"), "{complained}");
    std::fs::remove_dir_all(&place).unwrap();
}
