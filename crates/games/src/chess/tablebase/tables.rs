//! The open tables. The decoding is that of `pyrrhic-rs`, whose tables belong to the process: one
//! set can be open at a time, shared by whoever asks for the same folders, and closed with the
//! last of them.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use cozy_chess::{
    BitBoard, Color, Move, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};
use pyrrhic_rs::{DtzProbeValue, EngineAdapter, TBError, TableBases, WdlProbeResult};

use super::files::{TableError, TableFiles};
use super::material::Material;
use crate::chess::Chess;

/// The result for the side to move, with a clock of zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wdl {
    /// Lost.
    Loss,
    /// Lost, were it not for the fifty-move rule.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won, were it not for the fifty-move rule.
    CursedWin,
    /// Won.
    Win,
}

/// Tables of results and distances.
pub struct Tables {
    files: TableFiles,
    handle: TableBases<Attacks>,
    /// The prober looks up distances for one at a time.
    root: Mutex<()>,
    hits: AtomicU64,
}

static OPEN: Mutex<Weak<Tables>> = Mutex::new(Weak::new());

impl Tables {
    /// Opens what was found, or shares it if it is open already.
    pub fn open(files: TableFiles) -> Result<Arc<Tables>, TableError> {
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tables) = open.upgrade() {
            return if tables.files == files { Ok(tables) } else { Err(TableError::InUse) };
        }
        let handle = start(&files.joined()?)?;
        let (root, hits) = (Mutex::new(()), AtomicU64::new(0));
        let tables = Arc::new(Tables { files, handle, root, hits });
        *open = Arc::downgrade(&tables);
        Ok(tables)
    }

    /// What they were made of.
    pub fn files(&self) -> &TableFiles {
        &self.files
    }

    /// How many positions were looked up.
    pub fn hits(&self) -> u64 {
        self.hits.load(Relaxed)
    }

    /// The result of a position as if its clock were zero; `None` if a table is missing or there
    /// are castling rights, of which the tables know nothing.
    pub fn result(&self, position: &Chess) -> Option<Wdl> {
        let material = Material::of(position.board());
        if material.is_bare() {
            return Some(Wdl::Draw);
        }
        if can_castle(position) || !self.files.has_results(material) {
            return None;
        }
        let Bits { white, black, kinds: [pawns, knights, bishops, rooks, queens, kings], ep, turn } =
            Bits::of(position);
        let found = self
            .handle
            .probe_wdl(white, black, kings, queens, rooks, bishops, knights, pawns, ep, turn)
            .ok()?;
        self.hits.fetch_add(1, Relaxed);
        Some(match found {
            WdlProbeResult::Loss => Wdl::Loss,
            WdlProbeResult::BlessedLoss => Wdl::BlessedLoss,
            WdlProbeResult::Draw => Wdl::Draw,
            WdlProbeResult::CursedWin => Wdl::CursedWin,
            WdlProbeResult::Win => Wdl::Win,
        })
    }

    /// Each legal move with the number of plies until a capture or pawn move, or mate, that keeps
    /// its result: positive if the side to move wins by it, 0 if it draws, more than 100 where the
    /// fifty-move rule spoils it from a clock of zero. May be one too small in long wins.
    pub fn distances(&self, position: &Chess) -> Option<Vec<(Move, i32)>> {
        let material = Material::of(position.board());
        if can_castle(position) || !self.files.has_distances(material) {
            return None;
        }
        let Bits { white, black, kinds: [pawns, knights, bishops, rooks, queens, kings], ep, turn } =
            Bits::of(position);
        let alone = self.root.lock().unwrap_or_else(PoisonError::into_inner);
        // The clock only tells the prober moves that reset it from those that do not.
        let clock = 1;
        let found = self
            .handle
            .probe_root(
                white, black, kings, queens, rooks, bishops, knights, pawns, clock, ep, turn,
            )
            .ok()?;
        drop(alone);
        let moves = &found.moves[..found.num_moves];
        self.hits.fetch_add(1 + moves.len() as u64, Relaxed);
        moves.iter().map(|value| read_move(position, value)).collect()
    }
}

/// Starts the prober. Another thread may be about to end it.
fn start(path: &str) -> Result<TableBases<Attacks>, TableError> {
    for _ in 0..200 {
        match TableBases::new(path) {
            Ok(handle) => return Ok(handle),
            Err(TBError::AlreadyInitialized) => thread::sleep(Duration::from_millis(1)),
            Err(_) => return Err(TableError::Refused),
        }
    }
    Err(TableError::InUse)
}

fn can_castle(position: &Chess) -> bool {
    [Color::White, Color::Black].into_iter().any(|color| {
        let rights = position.board().castle_rights(color);
        rights.short.is_some() || rights.long.is_some()
    })
}

fn read_move(position: &Chess, value: &DtzProbeValue) -> Option<(Move, i32)> {
    let DtzProbeValue::DtzResult(found) = value else { return None };
    let square = |index: u8| Square::try_index(index.into());
    let promotion = match found.promotion {
        pyrrhic_rs::Piece::Queen => Some(Piece::Queen),
        pyrrhic_rs::Piece::Rook => Some(Piece::Rook),
        pyrrhic_rs::Piece::Bishop => Some(Piece::Bishop),
        pyrrhic_rs::Piece::Knight => Some(Piece::Knight),
        pyrrhic_rs::Piece::Pawn | pyrrhic_rs::Piece::King => None,
    };
    let m = Move { from: square(found.from_square)?, to: square(found.to_square)?, promotion };
    let distance = i32::from(found.dtz);
    let signed = match found.wdl {
        WdlProbeResult::Win | WdlProbeResult::CursedWin => distance,
        WdlProbeResult::Draw => 0,
        WdlProbeResult::Loss | WdlProbeResult::BlessedLoss => -distance,
    };
    position.board().is_legal(m).then_some((m, signed))
}

/// A position as the prober takes it.
struct Bits {
    white: u64,
    black: u64,
    kinds: [u64; 6],
    ep: u32,
    turn: bool,
}

impl Bits {
    fn of(position: &Chess) -> Bits {
        let board = position.board();
        Bits {
            white: board.colors(Color::White).0,
            black: board.colors(Color::Black).0,
            kinds: Piece::ALL.map(|kind| board.pieces(kind).0),
            // No pawn ever stands where 0 would be a square.
            ep: position.en_passant().map_or(0, |square| square as u32),
            turn: position.color() == Color::White,
        }
    }
}

/// The attacks of our move generator for the prober's own.
#[derive(Clone)]
struct Attacks;

fn square(index: u64) -> Square {
    Square::index(index as usize)
}

impl EngineAdapter for Attacks {
    fn pawn_attacks(color: pyrrhic_rs::Color, from: u64) -> u64 {
        let color = match color {
            pyrrhic_rs::Color::White => Color::White,
            pyrrhic_rs::Color::Black => Color::Black,
        };
        get_pawn_attacks(square(from), color).0
    }

    fn knight_attacks(from: u64) -> u64 {
        get_knight_moves(square(from)).0
    }

    fn bishop_attacks(from: u64, occupied: u64) -> u64 {
        get_bishop_moves(square(from), BitBoard(occupied)).0
    }

    fn rook_attacks(from: u64, occupied: u64) -> u64 {
        get_rook_moves(square(from), BitBoard(occupied)).0
    }

    fn queen_attacks(from: u64, occupied: u64) -> u64 {
        Attacks::bishop_attacks(from, occupied) | Attacks::rook_attacks(from, occupied)
    }

    fn king_attacks(from: u64) -> u64 {
        get_king_moves(square(from)).0
    }
}
