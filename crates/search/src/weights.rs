//! The weights of an evaluation and the file they are kept in.
//!
//! A file is a few lines of text that say what the numbers are and where they come from, an empty
//! line, and the numbers: 16 bits each, stage after stage, runs of zeros cut short, compressed by
//! deflate. The checksum covers everything. This file does no input or output: bytes in, bytes
//! out.

use std::fmt;
use std::io::{Read, Write};
use std::marker::PhantomData;

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use crate::features::{Featured, Group};

/// The first word of a file and its version.
const MAGIC: &str = "secateur weights";
/// The version that is written and read.
pub const VERSION: u32 = 1;

/// FNV-1a (Fowler, Noll and Vo, 1991), from where it was.
fn fnv(bytes: impl IntoIterator<Item = u8>, hash: u64) -> u64 {
    bytes
        .into_iter()
        .fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

/// What is written at the end of the head: a hash of everything else.
fn checksum(head: &str, body: &[u8]) -> u64 {
    fnv(body.iter().copied(), fnv(head.bytes(), FNV_START))
}

/// What tells one table of features from another: names, lengths and the number of stages.
pub fn features_identity(groups: &[Group], stages: usize) -> u64 {
    let start = fnv((stages as u64).to_le_bytes(), FNV_START);
    groups.iter().fold(start, |hash, group| {
        let name = fnv(group.name.bytes().chain([0]), hash);
        fnv((group.length as u64).to_le_bytes(), name)
    })
}

/// Where weights come from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// The command that made them, in one line.
    pub command: String,
    /// Its seed.
    pub seed: u64,
    /// How many positions they were fitted to.
    pub positions: u64,
    /// The loss on positions that were kept back; none if nothing was fitted.
    pub loss: Option<f64>,
    /// The day, as in 2025-01-31.
    pub date: String,
}

/// One weight for each feature and stage.
pub struct Weights<G> {
    /// Stage after stage.
    values: Vec<i16>,
    origin: Origin,
    game: PhantomData<fn() -> G>,
}

/// A weight file that cannot be used, in one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// Something else.
    #[error("not a weight file: it does not begin with '{MAGIC}'")]
    Foreign,
    /// Another version.
    #[error("weight file of version {0}, and this program reads version {VERSION}")]
    Version(String),
    /// Another game.
    #[error("weights for {found}, not for {wanted}")]
    Game {
        /// The game of the file.
        found: String,
        /// The game that is played.
        wanted: &'static str,
    },
    /// Fitted to another set of features.
    #[error("weights for another set of features: theirs is {found}, ours {wanted:016x}")]
    Features {
        /// That of the file.
        found: String,
        /// Ours.
        wanted: u64,
    },
    /// A line of the head is missing or makes no sense.
    #[error("weight file without a right line '{0}: ...' at its head")]
    Head(&'static str),
    /// Too many numbers or too few.
    #[error("{found} weights where {wanted} are needed")]
    Length {
        /// So many there are.
        found: usize,
        /// So many are needed.
        wanted: usize,
    },
    /// The numbers cannot be unpacked, or the checksum is wrong.
    #[error("weight file is damaged: {0}")]
    Damaged(&'static str),
}

impl<G: Featured> Weights<G> {
    /// Weights from numbers, stage after stage.
    pub fn new(values: Vec<i16>, origin: Origin) -> Result<Weights<G>, WeightsError> {
        let wanted = G::feature_count() * G::WEIGHT_STAGES;
        if values.len() != wanted {
            return Err(WeightsError::Length { found: values.len(), wanted });
        }
        Ok(Weights { values, origin, game: PhantomData })
    }

    /// Weights from a function of stage and feature.
    pub fn from_fn(origin: Origin, mut weight: impl FnMut(usize, usize) -> i16) -> Weights<G> {
        let count = G::feature_count();
        let values = (0..count * G::WEIGHT_STAGES)
            .map(|place| weight(place / count, place % count))
            .collect();
        Weights { values, origin, game: PhantomData }
    }

    /// The weight of a feature at a stage.
    #[inline]
    pub fn get(&self, stage: usize, feature: usize) -> i16 {
        self.of_stage(stage)[feature]
    }

    /// The weights of all features at a stage.
    pub fn of_stage(&self, stage: usize) -> &[i16] {
        let count = G::feature_count();
        &self.values[stage * count..(stage + 1) * count]
    }

    /// All of them, stage after stage.
    pub fn values(&self) -> &[i16] {
        &self.values
    }

    /// Where they come from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Says where they come from.
    pub fn set_origin(&mut self, origin: Origin) {
        self.origin = origin;
    }

    /// A hash of the features and the numbers: what evaluates differently differs here.
    pub fn identity(&self) -> u64 {
        let features = features_identity(G::GROUPS, G::WEIGHT_STAGES);
        fnv(self.values.iter().flat_map(|value| value.to_le_bytes()), features)
    }

    /// The file.
    pub fn write(&self) -> Vec<u8> {
        let Origin { command, seed, positions, loss, date } = &self.origin;
        let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let head = format!(
            "{MAGIC} {VERSION}\ngame: {}\nfeatures: {:016x}\nseed: {seed}\npositions: {positions}\n\
             loss: {}\ndate: {}\ncommand: {}\n",
            G::GAME,
            features_identity(G::GROUPS, G::WEIGHT_STAGES),
            loss.map_or("none".to_string(), |loss| loss.to_string()),
            one_line(date),
            one_line(command),
        );
        // Writing into memory fails only for want of it.
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&packed(&self.values)).expect("memory for weights");
        let body = encoder.finish().expect("memory for weights");
        let checksum = checksum(&head, &body);
        [format!("{head}checksum: {checksum:016x}\n\n").as_bytes(), &body].concat()
    }

    /// Reads a file.
    pub fn read(file: &[u8]) -> Result<Weights<G>, WeightsError> {
        if !file.starts_with(MAGIC.as_bytes()) {
            return Err(WeightsError::Foreign);
        }
        let end = file.windows(2).position(|pair| pair == b"\n\n");
        let (head, body) = match end {
            Some(end) => (&file[..end + 1], &file[end + 2..]),
            None => (file, &file[file.len()..]),
        };
        let head =
            std::str::from_utf8(head).map_err(|_| WeightsError::Damaged("its head is not text"))?;
        let version = head[MAGIC.len()..].lines().next().unwrap_or_default().trim();
        if version != VERSION.to_string() {
            return Err(WeightsError::Version(version.chars().take(20).collect()));
        }
        let line = |name: &'static str| {
            head.lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
                .ok_or(WeightsError::Head(name))
        };
        let number = |name| line(name)?.parse::<u64>().map_err(|_| WeightsError::Head(name));
        let game = line("game")?;
        if game != G::GAME {
            let found = game.chars().take(40).collect();
            return Err(WeightsError::Game { found, wanted: G::GAME });
        }
        let wanted = features_identity(G::GROUPS, G::WEIGHT_STAGES);
        let features = line("features")?;
        if features != format!("{wanted:016x}") {
            let found = features.chars().take(40).collect();
            return Err(WeightsError::Features { found, wanted });
        }
        let origin = Origin {
            command: line("command")?.to_string(),
            seed: number("seed")?,
            positions: number("positions")?,
            loss: match line("loss")? {
                "none" => None,
                loss => Some(loss.parse().map_err(|_| WeightsError::Head("loss"))?),
            },
            date: line("date")?.to_string(),
        };
        let signed = head.find("checksum: ").map_or("", |place| &head[..place]);
        if line("checksum")? != format!("{:016x}", checksum(signed, body)) {
            return Err(WeightsError::Damaged("its checksum is wrong"));
        }
        // No right file unpacks to more, and a wrong one shall not fill the memory.
        let most = G::feature_count() * G::WEIGHT_STAGES;
        let mut numbers = Vec::new();
        DeflateDecoder::new(body)
            .take(3 * most as u64)
            .read_to_end(&mut numbers)
            .map_err(|_| WeightsError::Damaged("its numbers cannot be unpacked"))?;
        let values = unpacked(&numbers, most)
            .ok_or(WeightsError::Damaged("its numbers cannot be unpacked"))?;
        Weights::new(values, origin)
    }
}

/// The numbers as bytes: each as an unsigned one, the sign in the lowest bit, in groups of seven
/// bits; after a 0 the number of further zeros.
fn packed(values: &[i16]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut push = |mut number: usize| {
        while number >= 128 {
            bytes.push(number as u8 | 128);
            number >>= 7;
        }
        bytes.push(number as u8);
    };
    let mut rest = values;
    while let [first, others @ ..] = rest {
        rest = others;
        push(((first << 1) ^ (first >> 15)) as u16 as usize);
        if *first == 0 {
            let zeros = rest.iter().take_while(|value| **value == 0).count();
            push(zeros);
            rest = &rest[zeros..];
        }
    }
    bytes
}

/// The inverse of [`packed`]; `None` if the bytes are not of that kind, or more than `most` and
/// some numbers.
fn unpacked(bytes: &[u8], most: usize) -> Option<Vec<i16>> {
    let mut values = Vec::with_capacity(most);
    let mut bytes = bytes.iter();
    let mut number = || -> Option<Option<usize>> {
        let mut number = 0;
        for shift in (0..28).step_by(7) {
            let Some(byte) = bytes.next() else {
                return if shift == 0 { Some(None) } else { None };
            };
            number |= usize::from(byte & 127) << shift;
            if *byte < 128 {
                return Some(Some(number));
            }
        }
        None
    };
    while let Some(code) = number()? {
        let code = u16::try_from(code).ok()?;
        values.push((code >> 1) as i16 ^ -((code & 1) as i16));
        if code == 0 {
            let zeros = number()??;
            if zeros > most {
                return None;
            }
            values.resize(values.len() + zeros, 0);
        }
        if values.len() > most {
            break;
        }
    }
    Some(values)
}

impl<G> Clone for Weights<G> {
    fn clone(&self) -> Weights<G> {
        Weights { values: self.values.clone(), origin: self.origin.clone(), game: PhantomData }
    }
}

impl<G> PartialEq for Weights<G> {
    fn eq(&self, other: &Weights<G>) -> bool {
        self.values == other.values && self.origin == other.origin
    }
}

/// How many, and where they come from.
impl<G> fmt::Debug for Weights<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} weights of {:?}", self.values.len(), self.origin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn packed_numbers_come_back(
            values in prop::collection::vec(prop_oneof![Just(0i16), -70i16..70, any::<i16>()], 0..400)
        ) {
            prop_assert_eq!(unpacked(&packed(&values), 400), Some(values));
        }

        #[test]
        fn any_bytes_unpack_to_something_bounded(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            if let Some(values) = unpacked(&bytes, 50) {
                prop_assert!(values.len() <= 102);
            }
        }
    }

    #[test]
    fn zeros_cost_next_to_nothing() {
        assert!(packed(&[0; 1_000_000]).len() < 6);
        assert_eq!(packed(&[1, -1, 0, 0, 0, 2]), [2, 1, 0, 2, 4]);
    }

    #[test]
    fn other_groups_have_another_identity() {
        let group = |name, length| Group { name, doc: "", length, set_by_hand: false };
        let ours = features_identity(&[group("a", 2), group("b", 3)], 2);
        assert_ne!(features_identity(&[group("a", 3), group("b", 2)], 2), ours);
        assert_ne!(features_identity(&[group("a", 2), group("c", 3)], 2), ours);
        assert_ne!(features_identity(&[group("a", 2), group("b", 3)], 3), ours);
    }
}
