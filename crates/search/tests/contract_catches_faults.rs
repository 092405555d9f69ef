//! The contract is only worth something if it notices: one small right game, and the same game
//! with one fault planted at a time.

use secateur_search::testkit::contract::{self, Effort};
use secateur_search::{
    Ability, Evaluator, Game, Gen, Line, Notation, Outcome, ParseError, Player, Score, Tactics,
};

/// Two players push one token along seven squares and may take a coin instead of moving. The
/// token on the last square is "check". The last coin ends the game.
#[derive(Clone)]
struct Token<const FAULT: usize> {
    place: i8,
    coins: u8,
    turn: Player,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Step {
    Down,
    Up,
    Take,
}
use Step::{Down, Take, Up};

const FAULTLESS: usize = 0;

impl<const FAULT: usize> Token<FAULT> {
    fn legal(&self, step: Step) -> bool {
        self.coins > 0
            && match step {
                Down => self.place > 0,
                Up => self.place < 6,
                Take => true,
            }
    }
}

impl<const FAULT: usize> Game for Token<FAULT> {
    type Move = Step;
    type Mark = ();

    fn turn(&self) -> Player {
        self.turn
    }
    fn play(&mut self, step: Step) {
        match step {
            Down => self.place -= 1,
            Up => self.place += 1,
            Take => self.coins -= 1,
        }
        if !(FAULT == 1 && step == Take) {
            self.turn = self.turn.other();
        }
    }
    fn each_move(&self, mut sink: impl FnMut(Step)) {
        [Down, Up, Take].into_iter().filter(|step| self.legal(*step)).for_each(&mut sink);
        if FAULT == 2 && self.place == 3 && self.coins > 0 {
            sink(Take);
        }
    }
    fn count_moves(&self) -> usize {
        let mut count = 0;
        self.each_move(|_| count += 1);
        count + usize::from(FAULT == 3 && self.place == 6)
    }
    fn pack(step: Step) -> u16 {
        match FAULT {
            4 => step as u16,
            5 => 1 + step as u16 % 2,
            _ => 1 + step as u16,
        }
    }
    fn unpack(&self, bits: u16) -> Option<Step> {
        let step = *[Down, Up, Take].get(usize::from(bits).checked_sub(1)?)?;
        let step = if FAULT == 12 && step == Down { Up } else { step };
        (FAULT == 6 || self.legal(step)).then_some(step)
    }
    fn key(&self) -> u64 {
        let turn = if FAULT == 7 { 0 } else { self.turn as u64 };
        let place = if FAULT == 7 { 0 } else { self.place as u64 };
        1 + (u64::from(self.coins) << 8 | turn << 4 | place)
    }
    fn mark(&self, _: &Self, _: Step) {}
    fn irreversible(&self, step: Step) -> bool {
        step == Take || (FAULT == 8 && step == Up)
    }
    fn ended(&self) -> Option<Outcome> {
        (FAULT == 9 && self.coins == 0).then_some(Outcome::Win)
    }
    fn without_moves(&self) -> Outcome {
        if FAULT == 10 { Outcome::Margin(i16::MAX) } else { Outcome::Loss }
    }
    fn recurrence(&self, line: &Line<()>) -> Option<Outcome> {
        let seen = line.occurrences();
        (seen.in_game + seen.in_search >= if FAULT == 11 { 0 } else { 2 }).then_some(Outcome::Draw)
    }
}

impl<const FAULT: usize> Tactics for Token<FAULT> {
    const ABILITIES: Ability = {
        let all = Ability::PASS.and(Ability::CHECK).and(Ability::NOISY).and(Ability::EXCHANGE);
        match FAULT {
            64 => all.and(Ability::MATERIAL),
            20 | 39 => all.and(Ability::PASS_IS_BOUND),
            21 => Ability::PASS.and(Ability::NOISY).and(Ability::EXCHANGE),
            22 => Ability::PASS.and(Ability::CHECK).and(Ability::EXCHANGE),
            23 => Ability::CHECK.and(Ability::NOISY).and(Ability::EXCHANGE),
            _ => all,
        }
    };
    const PLACES: usize = if FAULT == 24 { 2 } else { 3 };
    const VICTIMS: usize = 2;
    const STAGES: usize = if FAULT == 25 { 2 } else { 4 };
    const CATEGORIES: usize = 1;
    const FACETS: usize = 1;

    fn each(&self, which: Gen, mut sink: impl FnMut(Step)) {
        self.each_move(|step| match which {
            Gen::All if FAULT == 13 && step == Take => {}
            Gen::All => sink(step),
            Gen::Noisy if step == Take => sink(step),
            Gen::Quiet if step != Take || FAULT == 26 => sink(step),
            _ => {}
        });
    }
    fn is_noisy(&self, step: Step) -> bool {
        step == Take && FAULT != 27
    }
    fn place(&self, step: Step) -> usize {
        step as usize
    }
    fn victim(&self, step: Step) -> usize {
        usize::from(step == Take) + usize::from(FAULT == 28)
    }
    fn gain(&self, step: Step) -> i32 {
        if step == Take { 100 } else { 0 }
    }
    fn can_recur(&self, _line: &Line<()>) -> bool {
        FAULT == 60
    }
    fn material(&self) -> i32 {
        if FAULT == 61 || FAULT == 64 { 100 } else { 0 }
    }
    fn officers(&self) -> [usize; 2] {
        if FAULT == 62 { [1, 0] } else { [0; 2] }
    }
    fn meets(&self, _step: Step, _threat: Step) -> bool {
        FAULT == 63
    }
    fn in_check(&self) -> bool {
        self.place == 6
    }
    fn gives_check(&self, step: Step) -> bool {
        match step {
            Up => self.place == 5,
            Down => false,
            Take => self.place == 6 && FAULT != 29,
        }
    }
    fn exchange_at_least(&self, step: Step, bound: i32) -> bool {
        // A coin taken while the token is far away is taken back with interest.
        let value = self.gain(step) - if self.place < 3 { 200 } else { 0 };
        match FAULT {
            30 => bound == value,
            31 => true,
            32 => bound <= value + 500,
            37 => bound <= value && bound != value - 100,
            _ => bound <= value,
        }
    }
    fn pass(&self) -> Option<Self> {
        let turn = if FAULT == 33 { self.turn } else { self.turn.other() };
        (FAULT != 39).then(|| Token { turn, ..self.clone() })
    }
    fn pass_is_bound(&self) -> bool {
        FAULT == 34 || FAULT == 39
    }
    fn move_rule_spent(&self) -> i32 {
        if FAULT == 36 { 300 } else { 0 }
    }
    fn stage(&self) -> usize {
        self.coins.into()
    }
    fn category(&self) -> usize {
        usize::from(FAULT == 35 && self.in_check())
    }
    fn facet_key(&self, _: usize) -> u64 {
        self.coins.into()
    }
}

impl<const FAULT: usize> Notation for Token<FAULT> {
    const NAME: &'static str = "token";
    const FINISHED_GAMES_ARE_LEAVES: bool = false;

    fn start() -> Self {
        Token { place: 3, coins: 3, turn: Player::First }
    }
    fn read_position(text: &str) -> Result<Self, ParseError> {
        let error = || ParseError::new("three numbers");
        let numbers: Vec<u8> = text.split(' ').map_while(|word| word.parse().ok()).collect();
        let [place, coins, turn] = numbers[..] else { return Err(error()) };
        if FAULT == 40 && place == 6 {
            return Err(error());
        }
        let coins = if FAULT == 41 { coins.max(1) } else { coins };
        let turn = if turn == 0 { Player::First } else { Player::Second };
        Ok(Token { place: place as i8, coins, turn })
    }
    fn write_position(&self) -> String {
        format!("{} {} {}", self.place, self.coins, self.turn as u8)
    }
    fn read_move(&self, text: &str) -> Result<Step, ParseError> {
        let steps = [("down", Down), ("up", Up), ("take", Take), ("Take!", Take)];
        let found = steps.iter().find(|(name, step)| *name == text && self.legal(*step));
        found.map(|(_, step)| *step).ok_or_else(|| ParseError::new("no move"))
    }
    fn write_move(&self, step: Step) -> String {
        match step {
            Down if FAULT == 42 => "up".to_string(),
            Down => "down".to_string(),
            Up => "up".to_string(),
            Take => "take".to_string(),
        }
    }
    fn describe_move(&self, step: Step) -> String {
        match step {
            Take if FAULT == 43 => "Take?".to_string(),
            Take => "Take!".to_string(),
            other => self.write_move(other),
        }
    }
    fn draw(&self) -> String {
        if FAULT == 44 { String::new() } else { self.write_position() }
    }
    fn facts(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }
}

/// Counts coins and remembers places by ply.
struct Counter<const FAULT: usize>([i32; 256]);

impl<const FAULT: usize> Evaluator<Token<FAULT>> for Counter<FAULT> {
    fn start(&mut self, root: &Token<FAULT>) {
        self.0[0] = root.place.into();
    }
    fn advance(&mut self, ply: usize, _: &Token<FAULT>, step: Step, _: &Token<FAULT>) {
        let moved = match step {
            Down => -1,
            Up => 1,
            Take => 0,
        };
        // Fault 50 adds to what a brother left there instead of to the parent's.
        let base = if FAULT == 50 { self.0[ply + 1] } else { self.0[ply] };
        self.0[ply + 1] = base + moved;
    }
    fn advance_pass(&mut self, ply: usize, _: &Token<FAULT>) {
        self.0[ply + 1] = self.0[ply];
    }
    fn evaluate(&mut self, ply: usize, _: &Token<FAULT>) -> Score {
        if FAULT == 51 { Score::mate_in(1) } else { Score::heuristic(self.0[ply]) }
    }
    fn identity(&self) -> u64 {
        7
    }
}

fn verdict<const FAULT: usize>() -> Result<(), String> {
    let effort = Effort { games: 30, plies: 60, seed: 5 };
    let starts = [Token::<FAULT>::start()];
    let checks = [
        contract::rules(&starts, &effort),
        contract::tactics(&starts, &effort),
        contract::notation(&starts, &effort),
        contract::evaluator(&starts, &effort, || Counter::<FAULT>([0; 256])),
    ];
    checks.into_iter().collect::<Result<(), _>>().map_err(|violation| violation.to_string())
}

#[test]
fn the_right_game_keeps_the_contract() {
    verdict::<FAULTLESS>().unwrap();
}

macro_rules! caught {
    ($($fault:literal => $message:literal,)+) => {
        #[test]
        fn every_planted_fault_is_caught_and_named() {
            $(
                let error = verdict::<$fault>().expect_err(concat!("fault ", $fault));
                assert!(error.contains($message), "fault {}: {error}", $fault);
            )+
        }
    };
}

caught! {
    1 => "does not pass the turn",
    2 => "gives a move twice",
    3 => "count_moves says",
    4 => "packs to 0",
    5 => "pack to the same bits",
    6 => "but that is not legal",
    7 => "leaves the key as it was",
    8 => "wrongly called irreversible",
    9 => "ended says",
    10 => "too large",
    11 => "never occurred before",
    12 => "unpacks to",
    13 => "Gen::All and each_move differ",
    20 => "PASS_IS_BOUND is claimed, but never showed",
    21 => "a check without CHECK",
    22 => "a noisy move without NOISY",
    23 => "a pass without PASS",
    24 => "not below PLACES",
    25 => "stage 3 of 2",
    26 => "not all moves, each once",
    27 => "is_noisy is wrong",
    28 => "not below VICTIMS",
    29 => "gives_check is wrong",
    30 => "loses 15000",
    31 => "wins 15000",
    32 => "wins more than the move gains",
    33 => "a pass keeps the turn",
    34 => "a bound by pass without PASS_IS_BOUND",
    35 => "category 1 of 1",
    36 => "of 256ths",
    37 => "but not a little less",
    60 => "can_recur, but no move draws",
    61 => "material without MATERIAL",
    62 => "material without MATERIAL",
    63 => "a threat is met that no pass can find",
    64 => "but material goes from 100 to -100",
    39 => "pass_is_bound where there is no pass",
    40 => "is refused",
    41 => "is read as another position",
    42 => "but read as",
    43 => "own move 'Take?' is refused",
    44 => "draws nothing",
    50 => "updated move by move",
    51 => "outside the heuristic band",
}
