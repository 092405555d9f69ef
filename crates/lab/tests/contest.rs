//! Matches with engines that misbehave: each game is scored and reported rightly, whatever an
//! engine does.
#![cfg(feature = "chess")]

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use secateur_games::chess::Chess;
use secateur_games::playable::Playable;
use secateur_games::record::Record;
use secateur_lab::contest::adjudicate::Rules;
use secateur_lab::contest::entry::Entry;
use secateur_lab::contest::team::{NotStarted, rehearse};
use secateur_lab::contest::{Configuration, Contest, Ended, Finish, Folder, folder, prepare, run};
use secateur_search::random::SplitMix;
use secateur_search::{Game, Notation, Outcome, Player};

const MOCK: &str = env!("CARGO_BIN_EXE_mock-engine");

/// A folder that goes away with the test.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let name = format!("secateur-contest-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        Place(path)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Sixty legal moves from the usual start that never end the game.
fn script() -> String {
    let mut random = SplitMix::new(2);
    'again: loop {
        let mut record = Record::starting_at(Chess::start());
        let mut words = Vec::new();
        while words.len() < 60 {
            if record.ending().is_some() {
                continue 'again;
            }
            let mut moves = Vec::new();
            record.position().each_move(|m| moves.push(m));
            let m = moves[random.below(moves.len())];
            words.push(record.position().write_move(m));
            record.play(m);
        }
        return words.join(" ");
    }
}

fn mock(behaviour: &str, settings: &str) -> String {
    format!("'{MOCK}' {behaviour} moves {} {settings}", script())
}

/// A match of so many games from the usual start, ended after thirty moves.
fn configuration(engines: Vec<String>, games: u64) -> Configuration {
    // Once for all tests, which run side by side: one might read it while another writes.
    static START: OnceLock<PathBuf> = OnceLock::new();
    let start = START.get_or_init(|| {
        let path = std::env::temp_dir().join(format!("secateur-start-{}.epd", std::process::id()));
        fs::write(&path, Chess::start().write_position()).unwrap();
        path
    });
    Configuration {
        depth: Some(1),
        openings: Some(start.clone()),
        games: Some(games),
        margin: 20,
        patience: 10,
        adjudication: Rules { max_moves: Some(30), ..Rules::default() },
        ..Configuration::between::<Chess>(engines)
    }
}

fn contest(configuration: Configuration) -> Contest<Chess> {
    prepare::<Chess>(configuration, &std::env::current_exe().unwrap()).unwrap()
}

fn finished(place: &Place, contest: &Contest<Chess>) -> (Finish, Vec<Entry>) {
    let flag = Arc::new(AtomicBool::new(false));
    let (team, _) = rehearse(contest, &flag).unwrap();
    let mut folder = Folder::create(&place.0, contest).unwrap();
    let finish = run(contest, &mut folder, &[], team, &flag, &mut |_| {}).unwrap();
    (finish, entries(place))
}

fn entries(place: &Place) -> Vec<Entry> {
    let text = fs::read_to_string(place.0.join("games.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Two games of an engine that misbehaves against one that does not.
fn misbehaving(name: &str, behaviour: &str, settings: &str) -> (Finish, Vec<Entry>) {
    let place = Place::new(name);
    let engines = vec![mock(behaviour, &format!("name=bad {settings}")), mock("well", "name=good")];
    let (finish, entries) = finished(&place, &contest(configuration(engines, 2)));
    assert_eq!((finish.ended.clone(), entries.len()), (Ended::Played, 2));
    (finish, entries)
}

/// Both games are lost by the bad engine, for this reason and in this way.
fn lost(entries: &[Entry], reason: &str, termination: &str) {
    for entry in entries {
        let bad_is_first = entry.first == "bad";
        assert_eq!(entry.result, if bad_is_first { "0-1" } else { "1-0" }, "{entry:?}");
        assert_eq!(entry.points, if bad_is_first { [0.0, 1.0] } else { [1.0, 0.0] });
        assert_eq!((entry.reason.as_str(), entry.termination.as_str()), (reason, termination));
        assert_eq!(entry.fault.as_ref().map(|fault| fault.engine.as_str()), Some("bad"));
        assert_eq!(entry.moves.len(), entry.scores.len());
    }
}

#[test]
fn an_engine_that_crashes_at_move_twenty_loses_and_is_started_again() {
    let (finish, entries) = misbehaving("crash", "crash-at-move 20", "");
    lost(&entries, "bad disconnects", "abandoned");
    assert_eq!(entries[0].moves.len(), 38, "nineteen moves of each side");
    assert_eq!(entries[1].moves.len(), 39);
    let fault = entries[1].fault.as_ref().unwrap();
    assert_eq!(fault.errors.last().unwrap(), "thread panicked at move 20");
    assert!(fault.output.last().unwrap().starts_with("readyok"), "{fault:?}");
    assert!(fault.what.contains("exit status: 3"), "{}", fault.what);
    assert_eq!((finish.tally.faults()[0].crashes, finish.tally.faults()[1].total()), (2, 0));
    assert_eq!(finish.tally.first_score().pairs.0, [1, 0, 0, 0, 0]);
}

#[test]
fn an_engine_that_sleeps_over_its_time_loses_on_time() {
    let (finish, entries) = misbehaving("sleep", "sleep 3000", "tc=0.2 depth=1");
    lost(&entries, "bad loses on time", "time forfeit");
    assert!(entries[0].fault.as_ref().unwrap().what.starts_with("lost on time, by "));
    assert_eq!(finish.tally.faults()[0].time_losses, 2);
}

#[test]
fn an_engine_that_hangs_has_stalled() {
    let (finish, entries) = misbehaving("hang", "hang-at-move 2", "movetime=100");
    lost(&entries, "bad connection stalls", "stalled connection");
    assert_eq!(finish.tally.faults()[0].stalls, 2);
}

#[test]
fn an_illegal_move_is_named_and_not_written_down() {
    let (finish, entries) = misbehaving("illegal", "illegal-move-at 3", "");
    lost(&entries[..1], "bad makes an illegal move: e1e9", "illegal move");
    assert_eq!(entries[0].moves.len(), 4);
    assert_eq!(finish.tally.faults()[0].illegal_moves, 2);
}

#[test]
fn an_engine_that_floods_has_stalled() {
    let (_, entries) = misbehaving("flood", "flood", "");
    lost(&entries, "bad connection stalls", "stalled connection");
    assert_eq!(entries[0].fault.as_ref().unwrap().what, "floods its output");
}

#[test]
fn an_engine_that_ignores_quit_plays_its_games_and_holds_nobody_up() {
    let begun = Instant::now();
    let (finish, entries) = misbehaving("quit", "ignores-quit", "");
    assert!(entries.iter().all(|entry| entry.fault.is_none() && entry.moves.len() == 60));
    assert_eq!(entries[0].reason, "the most moves allowed");
    assert_eq!(entries[0].termination, "adjudication");
    assert_eq!(finish.tally.first_score().pairs.0, [0, 0, 1, 0, 0]);
    assert!(begun.elapsed() < Duration::from_secs(20), "it was waited for to no end");
}

#[test]
fn an_engine_that_dies_at_the_start_ends_the_run_before_the_first_game() {
    let engines = vec![mock("dies-at-start", "name=bad"), mock("well", "name=good")];
    let contest = contest(configuration(engines, 2));
    let error = rehearse(&contest, &Arc::new(AtomicBool::new(false))).err().unwrap();
    assert!(matches!(error, NotStarted::Failed(_)));
    let text = error.to_string();
    assert!(text.starts_with("bad ended by itself") && text.ends_with("'cannot load the network'"));
}

#[cfg(unix)]
#[test]
fn an_engine_that_cannot_be_started_again_ends_the_run_and_loses_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new("once");
    let home = Place::new("once-home");
    fs::create_dir_all(&home.0).unwrap();
    // Lives once, crashes at its second move, and never starts again.
    let program = home.0.join("engine");
    let text = format!(
        "#!/bin/sh\nif [ -e '{0}/was' ]; then echo 'out of luck' >&2; exit 9; fi\n\
         touch '{0}/was'\nexec '{MOCK}' crash-at-move 2\n",
        home.0.display()
    );
    fs::write(&program, text).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let engines = vec![format!("'{}' name=bad", program.display()), mock("well", "name=good")];
    let contest = contest(configuration(engines, 8));
    let (finish, entries) = finished(&place, &contest);
    let Ended::Failed(what) = finish.ended else { panic!("{:?}", finish.ended) };
    assert!(what.ends_with("its last complaint: 'out of luck'"), "{what}");
    assert_eq!((entries.len(), finish.tally.games()), (1, 1));
}

#[test]
fn a_torn_last_line_is_dropped_and_its_game_played_again() {
    let place = Place::new("torn");
    let engines = vec![mock("well", "name=a"), mock("well", "name=b")];
    let contest = contest(configuration(engines, 4));
    let (_, before) = finished(&place, &contest);
    let path = place.0.join("games.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let third = text.match_indices('\n').nth(2).unwrap().0 + 1;
    fs::write(&path, &text[..third + 100]).unwrap();
    let run_file = folder::read_run(&place.0).unwrap();
    let (mut folder, done) = Folder::resume(&place.0, &run_file, &contest).unwrap();
    assert_eq!(done.len(), 3);
    let pgn = fs::read_to_string(place.0.join("games.pgn")).unwrap();
    assert_eq!(pgn.matches("[Event ").count(), 3, "both files agree");
    let again = Folder::resume(&place.0, &run_file, &contest).err().map(|error| error.to_string());
    assert!(again.is_some_and(|what| what.ends_with("is being written by another run")));
    let flag = Arc::new(AtomicBool::new(false));
    let (team, _) = rehearse(&contest, &flag).unwrap();
    run(&contest, &mut folder, &done, team, &flag, &mut |_| {}).unwrap();
    let after = entries(&place);
    let games: Vec<u64> = after.iter().map(|entry| entry.game).collect();
    assert_eq!(games, [1, 2, 3, 4]);
    assert_eq!(after[3].moves, before[3].moves);
}

#[test]
fn a_game_that_is_there_twice_or_belongs_elsewhere_is_refused() {
    let place = Place::new("twice");
    let engines = vec![mock("well", "name=a"), mock("well", "name=b")];
    let contest = contest(configuration(engines, 2));
    finished(&place, &contest);
    let run_file = folder::read_run(&place.0).unwrap();
    let path = place.0.join("games.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let refused = |text: &str| {
        fs::write(&path, text).unwrap();
        let error = Folder::resume(&place.0, &run_file, &contest).err().unwrap();
        format!("{error:#}")
    };
    assert!(refused(&text.repeat(2)).ends_with("line 3: game 1 is there twice"));
    let other = text.replacen("\"game\":1,", "\"game\":7,", 1);
    assert!(refused(&other).ends_with("line 1: game 7 is not one of this run"));
    let other = text.replacen("\"first\":\"a\"", "\"first\":\"x\"", 1);
    assert!(refused(&other).ends_with("line 1: game 1 is not one of this run"));
    assert!(refused(&text.replacen('{', "[", 1)).contains("line 1"));
}

#[test]
fn a_run_that_is_interrupted_drops_the_game_in_progress_and_keeps_the_others() {
    let place = Place::new("interrupt");
    let engines = vec![mock("sleep 5", "name=a"), mock("well", "name=b")];
    let contest = contest(configuration(engines, 100));
    let flag = Arc::new(AtomicBool::new(false));
    let (team, _) = rehearse(&contest, &flag).unwrap();
    let mut folder = Folder::create(&place.0, &contest).unwrap();
    let finish = run(&contest, &mut folder, &[], team, &flag, &mut |tally| {
        flag.store(tally.games() >= 2, Ordering::Relaxed);
    });
    let finish = finish.unwrap();
    assert_eq!((finish.ended, finish.tally.games()), (Ended::Interrupted, 2));
    assert_eq!(entries(&place).len(), 2);
}

#[test]
fn what_a_tablebase_knows_ends_the_game() {
    let place = Place::new("tablebase");
    let engines = vec![mock("well", "name=a"), mock("well", "name=b")];
    let mut contest = contest(configuration(engines, 2));
    // Nonsense, but known: who is to move after three plies has won.
    contest.known = Some(Box::new(|position: &Chess| {
        let is_there = position.move_number() == Some(2) && position.turn() == Player::Second;
        is_there.then_some(Outcome::Win)
    }));
    for entry in finished(&place, &contest).1 {
        assert_eq!((entry.result.as_str(), entry.reason.as_str()), ("0-1", "tablebase"));
        assert_eq!((entry.moves.len(), entry.termination.as_str()), (3, "adjudication"));
    }
}
