//! Whatever an engine does is reported rightly, in bounded time, and nothing is left running.

use std::ops::ControlFlow;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use secateur_lab::engine::process::Process;
use secateur_lab::engine::{
    EngineScore, Fault, FaultKind, GoLimit, Info, Launch, Opponent, Patience, PositionText,
    ScoreValue, Thought, UciEngine,
};

const MOCK: &str = env!("CARGO_BIN_EXE_mock-engine");

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// A machine may be busy: what is never to happen may wait, what must happen has time.
const SOON: Duration = ms(5_000);

fn launch(behaviour: &str) -> Launch {
    let patience = Patience { start: SOON, ready: SOON, stop: ms(300), quit: ms(500) };
    let arguments = behaviour.split_whitespace().map(String::from).collect();
    Launch { arguments, patience, ..Launch::new("Mock", MOCK) }
}

fn start(behaviour: &str) -> UciEngine {
    UciEngine::start(launch(behaviour)).unwrap()
}

fn position(moves: &[&str]) -> PositionText {
    PositionText { start: None, moves: moves.iter().map(|m| m.to_string()).collect() }
}

fn depth_one() -> GoLimit {
    GoLimit { depth: Some(1), ..GoLimit::until(SOON) }
}

fn think(engine: &mut UciEngine, limit: &GoLimit) -> Result<Thought, Fault> {
    engine.think(&position(&[]), limit, &mut |_, _| ControlFlow::Continue(()))
}

fn fault(behaviour: &str) -> Fault {
    let mut engine = start(behaviour);
    let number = engine.process_number();
    let fault = think(&mut engine, &depth_one()).unwrap_err();
    assert!(is_gone(number), "a process that cannot be used lives on");
    fault
}

/// Whether a process has ended; one that only waits to be reaped by somebody else has.
fn is_gone(number: u32) -> bool {
    let deadline = Instant::now() + SOON;
    loop {
        let gone = if cfg!(target_os = "linux") {
            let state = std::fs::read_to_string(format!("/proc/{number}/stat"));
            state.map_or(true, |state| state.contains(") Z"))
        } else if cfg!(unix) {
            let mut kill = Command::new("kill");
            kill.args(["-0", &number.to_string()]).status().is_ok_and(|status| !status.success())
        } else {
            return true;
        };
        if gone || Instant::now() > deadline {
            return gone;
        }
        thread::sleep(ms(5));
    }
}

#[test]
fn a_good_engine_plays_its_game_and_quits() {
    let mut engine = start("well moves e2e4 e7e5 g1f3");
    let number = engine.process_number();
    assert_eq!((engine.name(), engine.title()), ("Mock", Some("Mock 1.0")));
    assert_eq!((engine.author(), engine.offers().len()), (Some("nobody"), 6));
    engine.new_game(false).unwrap();
    let mut infos: Vec<Info> = Vec::new();
    let mut latest = Duration::ZERO;
    let position = position(&["e2e4", "e7e5"]);
    let thought = engine.think(&position, &depth_one(), &mut |info, elapsed| {
        infos.push(info.clone());
        latest = latest.max(elapsed);
        ControlFlow::Continue(())
    });
    let thought = thought.unwrap();
    assert_eq!((thought.best_move.as_str(), thought.ponder.as_deref()), ("g1f3", Some("a7a6")));
    let value = thought.score.map(|score: EngineScore| score.value);
    assert_eq!(value, Some(ScoreValue::Centipawns(25)));
    assert_eq!((thought.depth, thought.selective_depth), (Some(3), Some(5)));
    assert_eq!((thought.nodes, thought.own_time), (Some(310), Some(101)));
    assert_eq!(thought.line, ["g1f3"]);
    assert_eq!(infos.len(), 5);
    assert_eq!(infos[0].text.as_deref(), Some("told:go depth 1"));
    assert!(latest <= thought.time_spent && thought.time_spent < SOON);
    let begin = Instant::now();
    engine.quit();
    assert!(begin.elapsed() < SOON, "it was waited for to no end");
    assert!(is_gone(number));
}

#[test]
fn time_is_measured_from_go_to_bestmove() {
    let mut engine = start("sleep 150");
    let thought = think(&mut engine, &depth_one()).unwrap();
    assert!(thought.time_spent >= ms(150) && thought.time_spent < ms(1_500), "{thought:?}");
}

#[test]
fn options_are_set_in_the_engines_spelling() {
    let pair = |name: &str, value: &str| (name.to_string(), value.to_string());
    let options = vec![
        pair("style", "wild"),
        pair("Clear Hash", ""),
        pair("Log File", "a b"),
        pair("UCI_Chess960", "on"),
    ];
    let launch = Launch { options, threads: Some(1), hash: Some(8), ..launch("well") };
    let mut engine = UciEngine::start(launch).unwrap();
    let mut told = String::new();
    let limit = depth_one();
    let thought = engine.think(&position(&[]), &limit, &mut |info, _| {
        told.push_str(info.text.as_deref().unwrap_or_default());
        ControlFlow::Continue(())
    });
    thought.unwrap();
    let expected = "options: [Threads=1] [Hash=8] [Style=Wild] [Clear Hash=] [Log File=a b] \
                    [UCI_Chess960=true]";
    assert!(told.ends_with(expected), "{told}");
    assert!(engine.warnings().is_empty());
}

#[test]
fn an_option_that_cannot_be_had_is_named() {
    let complaint = |name: &str, value: &str| {
        let options = vec![(name.to_string(), value.to_string())];
        let launch = Launch { options, ..launch("well") };
        UciEngine::start(launch).unwrap_err().to_string()
    };
    assert_eq!(complaint("Contempt", "1"), "Mock cannot be set up: there is no option 'Contempt'");
    assert_eq!(
        complaint("hash", "65"),
        "Mock cannot be set up: Hash is a whole number from 1 to 64, not '65'"
    );
    assert_eq!(
        complaint("Style", "Mad"),
        "Mock cannot be set up: Style is one of Very Solid, Wild, not 'Mad'"
    );
}

#[test]
fn chess960_is_switched_on_and_off_again() {
    let mut engine = start("well");
    engine.new_game(true).unwrap();
    engine.new_game(true).unwrap();
    engine.new_game(false).unwrap();
    let mut told = String::new();
    let limit = depth_one();
    let thought = engine.think(&position(&[]), &limit, &mut |info, _| {
        told.push_str(info.text.as_deref().unwrap_or_default());
        ControlFlow::Continue(())
    });
    thought.unwrap();
    assert!(told.ends_with("options: [UCI_Chess960=true] [UCI_Chess960=false]"), "{told}");
}

#[test]
fn a_program_that_does_not_exist_did_not_start() {
    let fault = UciEngine::start(Launch::new("Nobody", "/nowhere/engine")).unwrap_err();
    assert!(matches!(fault.kind, FaultKind::DidNotStart(_)));
    let start = "Nobody could not be started: /nowhere/engine: ";
    assert!(fault.to_string().starts_with(start), "{fault}");
}

#[test]
fn an_engine_that_dies_at_its_start_is_quoted() {
    let fault = UciEngine::start(launch("dies-at-start")).unwrap_err();
    assert!(matches!(fault.kind, FaultKind::Crashed { awaited: "uciok", .. }), "{fault}");
    assert!(
        fault.to_string().ends_with("its last complaint: 'cannot load the network'"),
        "{fault}"
    );
    assert!(fault.to_string().contains('7'), "{fault}");
}

#[test]
fn an_engine_that_never_greets_back_is_given_up() {
    let mut launch = launch("never-uciok");
    launch.patience.start = ms(200);
    let begin = Instant::now();
    let fault = UciEngine::start(launch).unwrap_err();
    assert_eq!(fault.to_string(), "Mock did not answer uci within 200 ms");
    assert!(begin.elapsed() < SOON);
}

#[test]
fn a_crash_is_told_with_its_status_its_errors_and_its_last_command() {
    let mut engine = start("crash-at-move 2");
    think(&mut engine, &depth_one()).unwrap();
    let fault = think(&mut engine, &depth_one()).unwrap_err();
    let FaultKind::Crashed { status, awaited } = &fault.kind else { panic!("{fault}") };
    assert!(status.contains('3') && *awaited == "bestmove", "{fault}");
    assert_eq!(fault.evidence.errors.back().unwrap(), "thread panicked at move 2");
    assert_eq!(fault.evidence.told.back().unwrap(), "go depth 1");
    assert!(is_gone(engine.process_number()));
    // The dead stay dead until they are restarted, and say so each time.
    assert!(matches!(engine.new_game(false).unwrap_err().kind, FaultKind::Crashed { .. }));
    engine.restart().unwrap();
    assert_eq!(think(&mut engine, &depth_one()).unwrap().best_move, "g1f3");
}

#[test]
fn a_silent_engine_is_told_to_stop_and_then_is_hung() {
    for behaviour in ["hang-at-move 1", "ignores-stop", "ignores-stop chatters"] {
        let mut engine = start(behaviour);
        let number = engine.process_number();
        let begin = Instant::now();
        let limit = GoLimit { depth: Some(1), ..GoLimit::until(ms(200)) };
        let fault = think(&mut engine, &limit).unwrap_err();
        assert!(matches!(fault.kind, FaultKind::Hung { awaited: "bestmove", .. }), "{fault}");
        assert_eq!(fault.evidence.told.back().unwrap(), "stop");
        assert!(begin.elapsed() >= ms(500) && begin.elapsed() < SOON);
        assert!(is_gone(number));
    }
}

#[test]
fn an_engine_that_is_late_but_obeys_stop_has_answered_late() {
    for behaviour in ["sleep 60000", "sleep 60000 chatters"] {
        let mut engine = start(behaviour);
        let limit = GoLimit { depth: Some(1), ..GoLimit::until(ms(200)) };
        let thought = think(&mut engine, &limit).unwrap();
        assert!(thought.time_spent >= ms(200) && thought.time_spent < SOON);
        assert_eq!(think(&mut engine, &limit).unwrap().best_move, "g1f3");
    }
}

#[test]
fn an_answer_that_arrives_about_the_deadline_is_never_lost() {
    let mut engine = start("sleep 10");
    for microseconds in (9_000..13_000).step_by(100) {
        let limit =
            GoLimit { depth: Some(1), ..GoLimit::until(Duration::from_micros(microseconds)) };
        assert_eq!(think(&mut engine, &limit).unwrap().best_move, "g1f3");
    }
}

#[test]
fn who_watches_can_have_it_stopped() {
    let mut engine = start("well");
    let begin = Instant::now();
    let limit = GoLimit::until(ms(60_000));
    let mut seen = 0;
    let thought = engine.think(&position(&[]), &limit, &mut |_, _| {
        seen += 1;
        ControlFlow::Break(())
    });
    assert_eq!((thought.unwrap().best_move.as_str(), seen), ("g1f3", 5));
    assert!(begin.elapsed() < SOON);
}

#[test]
fn an_interrupt_ends_every_wait() {
    let interrupt = Arc::new(AtomicBool::new(false));
    let launch = Launch { interrupt: Arc::clone(&interrupt), ..launch("hang-at-move 1") };
    let mut engine = UciEngine::start(launch).unwrap();
    let number = engine.process_number();
    let begin = Instant::now();
    let other = thread::spawn(move || {
        thread::sleep(ms(100));
        interrupt.store(true, Ordering::Relaxed);
    });
    let fault = think(&mut engine, &GoLimit::until(ms(60_000))).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Interrupted);
    assert!(begin.elapsed() < SOON && is_gone(number));
    other.join().unwrap();
}

#[test]
fn floods_are_faults_and_soon_over() {
    for behaviour in ["flood", "flood-forever-without-newline", "flood-errors"] {
        let begin = Instant::now();
        let mut engine = start(behaviour);
        let limit = GoLimit { depth: Some(1), ..GoLimit::until(ms(60_000)) };
        let fault = think(&mut engine, &limit).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Flooded, "{behaviour}");
        assert!(is_gone(engine.process_number()));
        assert!(begin.elapsed() < ms(30_000), "{behaviour} took {:?}", begin.elapsed());
    }
}

#[test]
fn an_engine_that_ignores_quit_is_ended() {
    let engine = start("ignores-quit");
    let number = engine.process_number();
    let begin = Instant::now();
    drop(engine);
    assert!(begin.elapsed() >= ms(500) && begin.elapsed() < SOON);
    assert!(is_gone(number));
}

#[test]
fn an_engine_that_does_not_read_stalls_and_does_not_block_us() {
    let mut stalled = launch("does-not-read-stdin");
    stalled.patience.ready = ms(200);
    let mut engine = UciEngine::start(stalled).unwrap();
    let fault = engine.new_game(false).unwrap_err();
    assert!(matches!(fault.kind, FaultKind::Hung { awaited: "readyok", .. }), "{fault}");
    assert_eq!(fault.kind.in_record(), "connection stalls");

    let mut command = Command::new(MOCK);
    let mut process =
        Process::start(command.arg("does-not-read-stdin"), ms(100), |_| true).unwrap();
    let begin = Instant::now();
    let line = "position startpos ".repeat(100);
    let refused = (0..10_000).position(|_| process.send(&line).is_err());
    assert!(refused.is_some_and(|sent| sent < 1_000), "{refused:?}");
    assert!(process.send_timed("go", ms(100)).is_err());
    let number = process.number();
    drop(process);
    assert!(begin.elapsed() < SOON && is_gone(number));
}

#[test]
fn the_last_complaints_are_kept_and_no_more() {
    let mut engine = start("prints-stderr illegal-move-at 1");
    assert_eq!(think(&mut engine, &depth_one()).unwrap().best_move, "e1e9");
    thread::sleep(ms(50));
    let fault = engine.blame(FaultKind::IllegalMove("e1e9".to_string()));
    assert_eq!(fault.evidence.errors.len(), 24);
    assert!(fault.to_string().starts_with("Mock made an illegal move: e1e9"), "{fault}");
    // It is not the process that is at fault.
    assert_eq!(think(&mut engine, &depth_one()).unwrap().best_move, "g1f3");
}

#[test]
fn an_answer_needs_no_infos_but_a_move() {
    let mut engine = start("bestmove-without-info");
    let thought = think(&mut engine, &depth_one()).unwrap();
    assert_eq!((thought.score, thought.nodes, thought.depth), (None, None, None));
    let fault = fault("bestmove-without-move");
    assert_eq!(fault.to_string(), "Mock said what the protocol does not allow: 'bestmove'");
}

#[test]
#[cfg(unix)]
fn what_an_engine_starts_does_not_survive_it() {
    for ending in ["well", "ignores-quit", "crash-at-move 2"] {
        let mut engine = start(&format!("spawns-a-child-that-survives {ending}"));
        let mut child = None;
        let limit = depth_one();
        let thought = engine.think(&position(&[]), &limit, &mut |info, _| {
            let text = info.text.as_deref().unwrap_or_default();
            let number = text.split_once("child=").and_then(|(_, rest)| rest.split_once(']'));
            child = child.or(number.and_then(|(number, _)| number.parse::<u32>().ok()));
            ControlFlow::Continue(())
        });
        thought.unwrap();
        let child = child.unwrap();
        assert!(std::fs::metadata("/proc").is_err() || !is_gone_now(child), "it did not start");
        let begin = Instant::now();
        if let Err(fault) = think(&mut engine, &limit) {
            assert!(matches!(fault.kind, FaultKind::Crashed { .. }), "{fault}");
        }
        drop(engine);
        assert!(is_gone(child), "{ending}");
        assert!(begin.elapsed() < SOON);
    }
}

#[cfg(unix)]
fn is_gone_now(number: u32) -> bool {
    std::fs::metadata(format!("/proc/{number}")).is_err()
}

#[test]
fn an_engine_that_does_not_offer_the_game_is_refused_at_the_start() {
    let of_game =
        |game, behaviour| UciEngine::start(Launch { game: Some(game), ..launch(behaviour) });
    assert!(of_game("chess", "well").is_ok(), "who says nothing plays chess");
    assert!(of_game("othello", "plays-othello").is_ok());
    let fault = of_game("othello", "well").unwrap_err();
    assert_eq!(fault.kind, FaultKind::OtherGame { game: "othello".to_string() });
    assert!(fault.to_string().starts_with("Mock does not play othello"), "{fault}");
}
