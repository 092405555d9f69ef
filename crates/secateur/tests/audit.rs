//! `secateur audit`: what is pruned, searched all the same.

use assert_cmd::Command;
use serde_json::Value;

fn run(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("secateur").unwrap().args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

fn audited(arguments: &[&str]) -> Value {
    let (status, out, err) = run(&[&["audit", "--json"], arguments].concat());
    assert_eq!(status, 0, "{err}");
    serde_json::from_str(&out).unwrap()
}

#[test]
fn an_audit_leaves_the_search_as_it_is() {
    let few = audited(&["--depth", "9", "--every", "1000000"]);
    let many = audited(&["--depth", "9", "--every", "4"]);
    assert_eq!(
        few["nodes"], many["nodes"],
        "nodes off the books are not counted, and nothing is kept"
    );
    let audits = |found: &Value| found["audits"].as_u64().unwrap();
    assert!(audits(&few) < 20 && audits(&many) > 3_000, "{few} {many}");
    let (_, bench, _) = run(&["bench", "--depth", "9"]);
    let nodes = bench.lines().last().unwrap().split(' ').next().unwrap();
    assert_eq!(few["nodes"].to_string(), nodes, "the same as an ordinary search");
}

#[test]
fn bold_pruning_is_caught_being_wrong() {
    let wrong = |margin: &str| {
        let margin = format!("reverse_futility.margin={margin}");
        let found = audited(&[
            "--depth",
            "6",
            "--every",
            "2",
            "--preset",
            "bare",
            "--set",
            "reverse_futility=on",
            "--set",
            &margin,
        ]);
        let techniques = found["techniques"].as_array().unwrap().clone();
        assert_eq!(techniques.len(), 1, "nothing else prunes: {techniques:?}");
        assert_eq!(techniques[0]["technique"], "reverse_futility");
        techniques[0]["wrong_per_thousand"].as_f64().unwrap()
    };
    let (bold, careful) = (wrong("20"), wrong("180"));
    assert!(bold > careful && bold > 1.0, "{bold} in a thousand, and {careful}");
}

#[test]
fn every_audit_is_a_line_of_the_table() {
    let path = std::env::temp_dir().join(format!("secateur-audit-{}.csv", std::process::id()));
    let found = audited(&["--depth", "5", "--every", "8", "--csv", path.to_str().unwrap()]);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(text.starts_with("position,node,rule,depth,margin,wrong,spent,saved\n"), "{text}");
    assert_eq!(text.lines().count() as u64, 1 + found["audits"].as_u64().unwrap());
    let numbers = text.lines().skip(1).map(|line| line.split(',').next().unwrap().parse::<u64>());
    let numbers: std::collections::BTreeSet<u64> = numbers.map(Result::unwrap).collect();
    let positions = found["positions"].as_u64().unwrap();
    assert!(numbers.len() > 3 && numbers.iter().all(|number| (1..=positions).contains(number)));
}

#[test]
fn every_answer_is_audited_or_is_said_not_to_be() {
    for host in ["modern", "classic"] {
        let arguments = ["--preset", host, "--depth", "6", "--positions", "4", "--every", "1"];
        let found = audited(&arguments);
        let count = |row: &Value, key: &str| row[key].as_u64().unwrap();
        let rows = found["techniques"].as_array().unwrap();
        for row in rows {
            let reached = count(row, "held") - count(row, "out_of_reach");
            assert_eq!(count(row, "audited"), reached, "{row}");
        }
        let out_of_reach = |name: &str| {
            let row = rows.iter().find(|row| row["technique"] == name);
            row.map_or(0, |row| count(row, "out_of_reach"))
        };
        let name = if host == "modern" { "futility" } else { "frontier_futility" };
        assert!(out_of_reach(name) > 0, "{found}");
        let none = found["not_audited"].as_array().unwrap();
        let never = none.iter().any(|row| row["never_audited"] == true && count(row, "held") > 0);
        let (_, text, _) = run(&[&["audit"][..], &arguments].concat());
        assert_eq!(text.contains("Not audited at all: "), never, "{text}");
        assert!(text.contains("Out of reach: quiet moves left out at once"), "{text}");
        assert!(never || host == "classic", "{found}");
    }
}

#[test]
fn othello_is_audited_too_and_nothing_to_audit_is_said() {
    let (status, out, _) = run(&["audit", "--game", "othello", "--depth", "6", "--every", "16"]);
    assert!(status == 0 && out.contains("late_moves"), "{out}");
    let (status, _, err) = run(&["audit", "--preset", "bare"]);
    assert_eq!((status, err.as_str()), (2, "error: nothing is pruned: every technique is off\n"));
}

#[test]
fn what_is_asked_in_vain_is_said_and_taken_off() {
    let arguments = ["--depth", "9", "--every", "16"];
    let found = audited(&arguments);
    let techniques = found["techniques"].as_array().unwrap();
    let number = |technique: &Value, key: &str| technique[key].as_f64().unwrap();
    for technique in techniques {
        let gross = 16.0 * (number(technique, "saved") - number(technique, "spent"));
        let net = gross - number(technique, "nodes_in_vain");
        assert_eq!(number(technique, "saved_in_all"), net, "{technique}");
        let share = net / number(&found, "nodes");
        assert!((number(technique, "saved_of_nodes_made") - share).abs() < 1e-9, "{technique}");
    }
    let of = |name: &str| techniques.iter().find(|technique| technique["technique"] == name);
    // A pass that fails has been searched; a look at the static value has not.
    let null_move = of("null_move").unwrap();
    assert!(number(null_move, "in_vain") > 0.0 && number(null_move, "nodes_in_vain") > 0.0);
    assert_eq!(number(of("reverse_futility").unwrap(), "nodes_in_vain"), 0.0);
    let (_, text, _) = run(&[&["audit"][..], &arguments].concat());
    assert!(text.contains("nodes in vain"), "{text}");
}
