//! Whether a file can be the table that its name says, by what stands at its beginning.
//!
//! The prober believes every number in a file and would read beyond the end of a damaged one. The
//! layout is that of Ronald de Man's generator: kinds of men, Huffman codes, then an index, block
//! sizes and blocks, whose places all follow from the beginning, and a checksum of 16 bytes. If
//! their sum is the length of the file, it is whole; blocks that are damaged inside are not found.

use std::fs::File;
use std::io::{BufReader, ErrorKind, Read};
use std::path::Path;

/// What a table tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// Who wins: `.rtbw`.
    Results,
    /// How far the next capture or pawn move is: `.rtbz`.
    Distances,
}

impl Kind {
    fn magic(self) -> u32 {
        match self {
            Kind::Results => 0x5d23_e871,
            Kind::Distances => 0xa50c_66d7,
        }
    }
}

const CHECKSUM: u64 = 16;
const NOT_A_TABLE: &str = "is not a Syzygy table";
const CUT_SHORT: &str = "is damaged: its length is not what its header says";
const OTHER_MEN: &str = "is damaged or has the name of another: it tells of other men";
const NONSENSE: &str = "is damaged: its header makes no sense";

/// The codes of kings and pawns; Black's are 8 higher.
const KING: u8 = 6;
const PAWN: u8 = 1;

/// What is wrong with the file, if anything.
pub(super) fn check(path: &Path, kind: Kind) -> Result<(), String> {
    let unreadable = |error: std::io::Error| format!("cannot be read: {error}");
    let file = File::open(path).map_err(unreadable)?;
    let length = file.metadata().map_err(unreadable)?.len();
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut header = Header { input: BufReader::new(file), at: 0 };
    let end = header.end(kind, &pieces_of(&name))?;
    let whole = end.checked_next_multiple_of(64).and_then(|end| end.checked_add(CHECKSUM));
    if whole != Some(length) {
        return Err(CUT_SHORT.to_string());
    }
    Ok(())
}

/// The codes of the men that a file is named after, in order; the first side is White.
fn pieces_of(name: &str) -> Vec<u8> {
    let mut color = 0;
    let mut pieces = Vec::new();
    for letter in name.chars() {
        match "PNBRQK".find(letter) {
            Some(kind) => pieces.push(kind as u8 + PAWN + color),
            None => color = 8,
        }
    }
    pieces.sort_unstable();
    pieces
}

struct Header<R> {
    input: R,
    at: u64,
}

/// The bytes that belong to one table of a file.
#[derive(Clone, Copy, Default)]
struct Sizes {
    index: u64,
    sizes: u64,
    blocks: u64,
}

impl<R: Read> Header<R> {
    /// Where the blocks end.
    fn end(&mut self, kind: Kind, pieces: &[u8]) -> Result<u64, String> {
        let magic = u32::from_le_bytes(self.take().map_err(|_| NOT_A_TABLE)?);
        if magic != kind.magic() {
            return Err(NOT_A_TABLE.to_string());
        }
        let pawns = [PAWN, PAWN + 8].map(|pawn| count(pieces, pawn));
        let [layout] = self.take()?;
        if (layout & 2 != 0) != (pawns != [0; 2]) {
            return Err(OTHER_MEN.to_string());
        }
        // The leading pawns are those of the side that has fewer.
        let pawns = if pawns[1] > 0 && (pawns[0] == 0 || pawns[0] > pawns[1]) {
            [pawns[1], pawns[0]]
        } else {
            pawns
        };
        let sides = if kind == Kind::Results && layout & 1 != 0 { 2 } else { 1 };
        let files = if layout & 2 != 0 { 4 } else { 1 };
        let mut positions = Vec::new();
        for file in 0..files {
            let orders = 1 + usize::from(pawns[1] > 0);
            let bytes = self.take_many(orders + pieces.len())?;
            for side in 0..sides {
                let half = |byte: &u8| byte >> (4 * side) & 15;
                let order: Vec<u8> = bytes[..orders].iter().map(half).collect();
                let men: Vec<u8> = bytes[orders..].iter().map(half).collect();
                positions.push(count_positions(&men, pieces, pawns, &order, file)?);
            }
        }
        self.align()?;
        let mut sizes = Vec::new();
        let mut flags = Vec::new();
        for count in positions {
            let (flag, size) = self.codes(count)?;
            flags.push(flag);
            sizes.push(size);
        }
        if kind == Kind::Distances {
            for flag in flags {
                self.skip_map(flag)?;
            }
            self.align()?;
        }
        let mut end = self.at;
        let mut add = |bytes: u64| -> Result<(), String> {
            end = end.checked_add(bytes).ok_or(NONSENSE)?;
            Ok(())
        };
        sizes.iter().try_for_each(|size| add(size.index))?;
        sizes.iter().try_for_each(|size| add(size.sizes))?;
        for size in sizes {
            end = end.checked_next_multiple_of(64).ok_or(NONSENSE)?;
            end = end.checked_add(size.blocks).ok_or(NONSENSE)?;
        }
        Ok(end)
    }

    /// The Huffman codes and pairs of one table of so many positions.
    fn codes(&mut self, positions: u64) -> Result<(u8, Sizes), String> {
        let [flags, block_bits] = self.take()?;
        if flags & 0x80 != 0 {
            // Every position has the same value, and that was it.
            return Ok((flags, Sizes::default()));
        }
        let [index_bits, spare] = self.take()?;
        let blocks = u64::from(u32::from_le_bytes(self.take()?));
        let [longest, shortest] = self.take()?;
        let sensible = (3..=31).contains(&block_bits)
            && (1..=31).contains(&index_bits)
            && (1..=32).contains(&shortest)
            && (shortest..=32).contains(&longest);
        if !sensible {
            return Err(NONSENSE.to_string());
        }
        let offsets = self.take_many(2 * (usize::from(longest - shortest) + 1))?;
        let symbols = u16::from_le_bytes(self.take()?);
        if symbols == 0 || symbols >= 4096 {
            return Err(NONSENSE.to_string());
        }
        let first_symbols = offsets.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]]));
        let pairs = self.take_many(3 * usize::from(symbols))?;
        if !first_symbols.into_iter().all(|first| first < symbols) || !are_pairs(&pairs) {
            return Err(NONSENSE.to_string());
        }
        self.take_many(usize::from(symbols & 1))?;
        let sizes = Sizes {
            index: positions.div_ceil(1 << index_bits).checked_mul(6).ok_or(NONSENSE)?,
            sizes: 2 * (blocks + u64::from(spare)),
            blocks: blocks << block_bits,
        };
        Ok((flags, sizes))
    }

    /// The four lists by which stored distances are translated.
    fn skip_map(&mut self, flags: u8) -> Result<(), String> {
        const MAPPED: u8 = 2;
        const WIDE: u8 = 16;
        if flags & MAPPED == 0 {
            return Ok(());
        }
        if flags & WIDE != 0 {
            self.align()?;
        }
        for _ in 0..4 {
            if flags & WIDE != 0 {
                let length = u16::from_le_bytes(self.take()?);
                self.take_many(2 * usize::from(length))?;
            } else {
                let [length] = self.take()?;
                self.take_many(length.into())?;
            }
        }
        Ok(())
    }

    fn align(&mut self) -> Result<(), String> {
        self.take_many((self.at % 2) as usize).map(|_| ())
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn take_many(&mut self, length: usize) -> Result<Vec<u8>, String> {
        let mut bytes = vec![0; length];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), String> {
        self.input.read_exact(bytes).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => CUT_SHORT.to_string(),
            _ => format!("cannot be read: {error}"),
        })?;
        self.at += bytes.len() as u64;
        Ok(())
    }
}

fn count(pieces: &[u8], wanted: u8) -> u64 {
    pieces.iter().filter(|&&piece| piece == wanted).count() as u64
}

/// How many positions a table numbers, whose men stand in this order.
fn count_positions(
    men: &[u8],
    named: &[u8],
    pawns: [u64; 2],
    order: &[u8],
    file: u64,
) -> Result<u64, String> {
    let mut sorted = men.to_vec();
    sorted.sort_unstable();
    let mut mirrored: Vec<u8> = men.iter().map(|piece| piece ^ 8).collect();
    mirrored.sort_unstable();
    if sorted != named && mirrored != named {
        return Err(OTHER_MEN.to_string());
    }
    let has_pawns = pawns != [0; 2];
    // The men that are numbered together at first: the leading pawns, three that are unlike all
    // others, or only the kings.
    let unique = named.iter().filter(|&&piece| count(named, piece) == 1).count();
    let leading = match (has_pawns, unique) {
        (true, _) => pawns[0] as usize,
        (false, 2) => 2,
        (false, _) => 3,
    };
    let mut numbers = vec![match (has_pawns, leading) {
        (true, _) => (0..6).map(|rank| choose(47 - 12 * file - 2 * rank, pawns[0] - 1)).sum(),
        (false, 2) => 462,
        (false, _) => 31_332,
    }];
    let mut placed = leading;
    if pawns[1] > 0 {
        numbers.push(choose(48 - pawns[0], pawns[1]));
        placed += pawns[1] as usize;
    }
    let sensible_kings = count(men, KING) == 1 && count(men, KING + 8) == 1;
    // The prober looks for the place of each of these groups in turn.
    let groups = groups(men.get(placed..).ok_or(OTHER_MEN)?);
    let last = groups.len() + order.len();
    if !sensible_kings || order.iter().any(|&place| usize::from(place) >= last) {
        return Err(NONSENSE.to_string());
    }
    let mut free = 64 - placed as u64;
    for group in groups {
        numbers.push(choose(free, group));
        free -= group;
    }
    numbers.into_iter().try_fold(1u64, u64::checked_mul).ok_or_else(|| NONSENSE.to_string())
}

/// The lengths of runs of equal men.
fn groups(men: &[u8]) -> Vec<u64> {
    men.chunk_by(|one, other| one == other).map(|run| run.len() as u64).collect()
}

/// Ways to choose `k` of `n`.
fn choose(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |ways, done| ways * n.saturating_sub(done) / (done + 1))
}

/// Whether each symbol is a value or a pair of symbols that ends in values, of at most 256 each.
fn are_pairs(symbols: &[u8]) -> bool {
    const VALUE: usize = 0xfff;
    let pair = |symbol: usize| {
        let [low, middle, high] = [0, 1, 2].map(|byte| usize::from(symbols[3 * symbol + byte]));
        ((middle & 15) << 8 | low, high << 4 | middle >> 4)
    };
    let number = symbols.len() / 3;
    // 0 is unknown, u32::MAX on the way; anything else how many values the symbol stands for.
    let mut lengths = vec![0u32; number];
    for first in 0..number {
        let mut stack = vec![first];
        while let Some(&symbol) = stack.last() {
            let (left, right) = pair(symbol);
            if right == VALUE {
                lengths[symbol] = 1;
            } else if left >= number || right >= number {
                return false;
            } else {
                let unknown: Vec<usize> =
                    [left, right].into_iter().filter(|&part| lengths[part] == 0).collect();
                if [left, right].iter().any(|&part| lengths[part] == u32::MAX) {
                    return false;
                }
                if !unknown.is_empty() {
                    lengths[symbol] = u32::MAX;
                    stack.extend(unknown);
                    continue;
                }
                lengths[symbol] = lengths[left] + lengths[right];
                if lengths[symbol] > 256 {
                    return false;
                }
            }
            stack.pop();
        }
    }
    true
}
