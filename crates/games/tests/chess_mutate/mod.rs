//! Damaged texts: what a file looks like after a slip of the hand, a bad download or an attack.

use proptest::prelude::*;

/// One slip. Places are fractions of the text's length, so that they fit every text.
#[derive(Clone, Debug)]
pub(crate) enum Slip {
    Insert(u16, char),
    Delete(u16),
    Replace(u16, char),
    Swap(u16, u16),
    Duplicate(u16, u16, u16),
    Truncate(u16),
}

fn character() -> impl Strategy<Value = char> {
    prop_oneof![
        // Characters that mean something in at least one of the formats.
        8 => prop::sample::select(
            "KQRBNPkqrbnpabcdefgh0123456789/-=+#!?.,;:\"\\{}()[]$*%wbxOD \n\r\t\u{feff}"
                .chars().collect::<Vec<char>>()),
        1 => any::<char>(),
    ]
}

fn slip() -> impl Strategy<Value = Slip> {
    use Slip::*;
    let place = any::<u16>;
    prop_oneof![
        3 => (place(), character()).prop_map(|(at, c)| Insert(at, c)),
        3 => place().prop_map(Delete),
        3 => (place(), character()).prop_map(|(at, c)| Replace(at, c)),
        2 => (place(), place()).prop_map(|(one, other)| Swap(one, other)),
        1 => (place(), place(), place()).prop_map(|(from, to, at)| Duplicate(from, to, at)),
        1 => place().prop_map(Truncate),
    ]
}

fn apply(text: &mut Vec<char>, slip: &Slip) {
    let length = text.len();
    let gap = |at: u16| at as usize * (length + 1) / 65536;
    let place = |at: u16| at as usize * length / 65536;
    match *slip {
        Slip::Insert(at, c) => text.insert(gap(at), c),
        Slip::Truncate(at) => text.truncate(gap(at)),
        Slip::Duplicate(from, to, at) => {
            let (from, to) = (gap(from.min(to)), gap(from.max(to)));
            let piece = text[from..to].to_vec();
            text.splice(gap(at)..gap(at), piece);
        }
        _ if length == 0 => {}
        Slip::Delete(at) => {
            text.remove(place(at));
        }
        Slip::Replace(at, c) => text[place(at)] = c,
        Slip::Swap(one, other) => text.swap(place(one), place(other)),
    }
}

/// One of `texts` with a few slips; one slip is the likeliest, since it is accepted most often.
pub(crate) fn damaged(texts: &'static [&'static str]) -> impl Strategy<Value = String> {
    let slips = prop_oneof![
        2 => prop::collection::vec(slip(), 1),
        1 => prop::collection::vec(slip(), 2..6),
    ];
    (prop::sample::select(texts), slips).prop_map(|(text, slips)| {
        let mut characters: Vec<char> = text.chars().collect();
        for slip in &slips {
            apply(&mut characters, slip);
        }
        characters.into_iter().collect()
    })
}

/// So many cases, and no files left behind.
pub(crate) fn cases(count: u32) -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(count) }
}

/// An error must be one line that says something.
pub(crate) fn check_error(error: &impl std::fmt::Display) {
    let text = error.to_string();
    assert!(!text.trim().is_empty() && !text.chars().any(char::is_control), "{text:?}");
}
