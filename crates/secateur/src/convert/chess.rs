//! FEN, EPD, PGN and lines of moves.

use std::io::{BufRead, Write};

use secateur_games::chess::epd::{self, Epd};
use secateur_games::chess::pgn::{Pgn, PgnMove, ReadError, Reader};
use secateur_games::chess::{Chess, fen};
use secateur_games::source;
use secateur_search::{Game, Notation, ParseError};

use super::{Format, Job, Said, Tally, Which};

/// One record of a file.
enum Item {
    Position(Epd),
    Game(Pgn),
}

pub(super) fn convert(
    job: Job,
    mut input: Box<dyn BufRead + Send>,
    output: &mut dyn Write,
    say: &mut dyn FnMut(Said<'_>),
) -> anyhow::Result<Tally> {
    let mut tally = Tally::default();
    if job.from == Format::Pgn {
        // Game by game: such files can be larger than the memory.
        for game in Reader::new(input) {
            let game = match game {
                Ok(game) => Ok(game),
                Err(ReadError::Broken(error)) => Err(error),
                Err(error) => return Err(error.into()),
            };
            if let Some(game) = tally.count(game, say) {
                game.notes.iter().for_each(|note| say(Said::Mended(note)));
                write(&job, Item::Game(game), output)?;
            }
        }
        return Ok(tally);
    }
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes)?;
    let text = source::decode(bytes);
    let items: Box<dyn Iterator<Item = Result<Item, ParseError>>> = match job.from {
        Format::Uci => Box::new(
            source::lines(&text)
                .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
                .map(|(number, line)| read_line(line).map_err(|error| error.on_line(number)))
                .map(|game| game.map(Item::Game)),
        ),
        _ => Box::new(epd::read_all(&text).map(|epd| epd.map(Item::Position))),
    };
    for item in items {
        if let Some(item) = tally.count(item, say) {
            if let Item::Position(epd) = &item {
                let line = epd.line.map_or(String::new(), |line| format!("line {line}: "));
                epd.notes.iter().for_each(|note| say(Said::Mended(&format!("{line}{note}"))));
            }
            write(&job, item, output)?;
        }
    }
    Ok(tally)
}

fn write(job: &Job, item: Item, output: &mut dyn Write) -> anyhow::Result<()> {
    match job.to {
        Format::Pgn => write!(output, "{}", as_game(item).write())?,
        Format::Uci => writeln!(output, "{}", write_line(&as_game(item)))?,
        Format::Fen => {
            for epd in as_positions(item, job.which) {
                writeln!(output, "{}", epd.position.write_position())?;
            }
        }
        Format::Epd => {
            for epd in as_positions(item, job.which) {
                writeln!(output, "{}", epd.write())?;
            }
        }
        #[cfg(feature = "othello")]
        _ => anyhow::bail!("chess is not written like that"),
    }
    Ok(())
}

/// A position as a game without moves, named by its `id`.
fn as_game(item: Item) -> Pgn {
    match item {
        Item::Game(game) => game,
        Item::Position(epd) => {
            let mut game = Pgn::new(epd.position.clone());
            if let Some(id) = epd.id() {
                game.set_tag("Event", id);
            }
            let best: Vec<String> =
                epd.best_moves().iter().map(|m| epd.position.describe_move(*m)).collect();
            if !best.is_empty() {
                game.comments.push(format!("best: {}", best.join(", ")));
            }
            game
        }
    }
}

/// Some positions of a game, each named by the players and the ply.
fn as_positions(item: Item, which: Which) -> Vec<Epd> {
    let game = match item {
        Item::Position(epd) => return vec![epd],
        Item::Game(game) => game,
    };
    let last = game.moves.len();
    let mut position = game.start.clone();
    let mut positions = Vec::new();
    for ply in 0..=last {
        if which.takes(ply, last) {
            let mut epd = Epd::new(position.clone());
            let side = |tag| game.tag(tag).unwrap_or("?");
            let id = format!("{} - {}, ply {ply}", side("White"), side("Black"));
            // A plain text: there is nothing to refuse.
            let _ = epd.set("id", &[&id]);
            positions.push(epd);
        }
        if let Some(played) = game.moves.get(ply) {
            position.play(played.m);
        }
    }
    positions
}

/// `startpos moves e2e4 e7e5` or `fen ... moves ...`, as after the UCI command `position`.
fn write_line(game: &Pgn) -> String {
    let mut position = game.start.clone();
    let usual = position.write_position() == Chess::start().write_position();
    let mut line = match usual {
        true => "startpos".to_string(),
        false => format!("fen {}", position.write_position()),
    };
    if !game.moves.is_empty() {
        line += " moves";
    }
    for played in &game.moves {
        line += &format!(" {}", position.write_move(played.m));
        position.play(played.m);
    }
    line
}

fn read_line(line: &str) -> Result<Pgn, ParseError> {
    let whole = line.chars().count();
    let line = line.trim_start().trim_start_matches("position ").trim_start();
    let skipped = whole - line.chars().count();
    let (start, moves) = match line.split_once(" moves") {
        Some((start, moves)) => (start.trim_end(), moves),
        None => (line, ""),
    };
    let start = match start {
        "startpos" => Chess::start(),
        text => {
            let fen = text.strip_prefix("fen ").unwrap_or(text);
            let skipped = skipped + text.chars().count() - fen.chars().count();
            fen::read(fen).map_err(|error| error.shifted_by(skipped))?.position
        }
    };
    let mut game = Pgn::new(start.clone());
    let mut position = start;
    for (index, text) in moves.split_whitespace().enumerate() {
        let m = position
            .read_move(text)
            .map_err(|error| ParseError::new(format!("move {}: {}", index + 1, error.what())))?;
        game.moves.push(PgnMove::new(m));
        position.play(m);
    }
    Ok(game)
}
