//! A toy game whose tree is given node by node, so that a test can say exactly what a search
//! must find.
//!
//! ```
//! use secateur_search::testkit::{reference, tree::{Statics, Tree}};
//! use secateur_search::{Depth, Score};
//!
//! // The root has two moves; the second leads to a node guessed at 50 for the side to move
//! // there. A bare number ends the game by that margin, W, D and L end it by a rule.
//! let tree = Tree::parse("((3 5) 50:(2 9))").unwrap();
//! assert_eq!(reference::negamax(&tree, &mut Statics, Depth::new(2)), Score::counted(3));
//! assert_eq!(reference::negamax(&tree, &mut Statics, Depth::new(1)), Score::heuristic(0));
//! ```

use std::sync::Arc;

use crate::notation::{ParseError, quoted};
use crate::random::SplitMix;
use crate::{Evaluator, Game, Line, Outcome, Player, Score};

/// A position in an explicit tree: the tree, shared, and the place in it.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Arc<[Node]>,
    at: usize,
    turn: Player,
}

#[derive(Clone, Debug)]
struct Node {
    /// What the evaluator says here, for the side to move.
    guess: i32,
    /// How the game ended, if there are no children.
    outcome: Outcome,
    children: Vec<usize>,
}

/// The shape of a random tree.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Every line is at most this long.
    pub depth: usize,
    /// A node has 1 to this many children.
    pub branching: usize,
    /// Guesses and margins lie within plus and minus this.
    pub spread: i32,
    /// One node in this many ends the game early, a third each won, drawn and lost; 0 is never.
    pub endings: usize,
}

impl Tree {
    /// Reads a tree: a node is `(child child ...)`, with `guess:` before it if the evaluator
    /// should not say 0; a leaf is a margin for the side to move there, or `W`, `D`, `L`.
    pub fn parse(text: &str) -> Result<Tree, ParseError> {
        let mut parser = Parser { text, at: 0, nodes: Vec::new() };
        let root = parser.node(0)?;
        parser.skip_space();
        if parser.at < text.len() {
            return Err(parser.error("text after the tree"));
        }
        Ok(Tree { nodes: parser.nodes.into(), at: root, turn: Player::First })
    }

    /// A random tree: the same seed and shape give the same one everywhere.
    pub fn random(seed: u64, shape: Shape) -> Tree {
        let mut nodes = Vec::new();
        let root = grow(&mut nodes, &mut SplitMix::new(seed), shape, 0);
        Tree { nodes: nodes.into(), at: root, turn: Player::First }
    }

    /// The number of nodes in the whole tree.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    fn node(&self) -> &Node {
        &self.nodes[self.at]
    }
}

fn grow(nodes: &mut Vec<Node>, random: &mut SplitMix, shape: Shape, depth: usize) -> usize {
    let draw =
        |random: &mut SplitMix| random.below(2 * shape.spread as usize + 1) as i32 - shape.spread;
    let guess = draw(random);
    let ended = shape.endings > 0 && depth > 0 && random.below(shape.endings) == 0;
    let outcome = if ended {
        [Outcome::Win, Outcome::Draw, Outcome::Loss][random.below(3)]
    } else {
        Outcome::Margin(draw(random) as i16)
    };
    let count = if ended || depth == shape.depth { 0 } else { 1 + random.below(shape.branching) };
    let children = (0..count).map(|_| grow(nodes, random, shape, depth + 1)).collect();
    nodes.push(Node { guess, outcome, children });
    nodes.len() - 1
}

impl Game for Tree {
    type Move = u16;
    type Mark = ();

    fn turn(&self) -> Player {
        self.turn
    }
    fn play(&mut self, m: u16) {
        self.at = self.node().children[m as usize];
        self.turn = self.turn.other();
    }
    fn each_move(&self, sink: impl FnMut(u16)) {
        (0..self.node().children.len() as u16).for_each(sink);
    }
    fn count_moves(&self) -> usize {
        self.node().children.len()
    }
    fn pack(m: u16) -> u16 {
        m + 1
    }
    fn unpack(&self, bits: u16) -> Option<u16> {
        bits.checked_sub(1).filter(|m| (*m as usize) < self.node().children.len())
    }
    fn key(&self) -> u64 {
        SplitMix::new(self.at as u64).next_u64()
    }
    fn mark(&self, _: &Tree, _: u16) {}
    fn irreversible(&self, _: u16) -> bool {
        true
    }
    fn ended(&self) -> Option<Outcome> {
        None
    }
    fn without_moves(&self) -> Outcome {
        self.node().outcome
    }
    fn recurrence(&self, _: &Line<()>) -> Option<Outcome> {
        None
    }
}

/// The evaluator of a tree: the guess written at the node.
#[derive(Clone, Copy, Debug)]
pub struct Statics;

impl Evaluator<Tree> for Statics {
    fn start(&mut self, _: &Tree) {}
    fn advance(&mut self, _: usize, _: &Tree, _: u16, _: &Tree) {}
    fn advance_pass(&mut self, _: usize, _: &Tree) {}
    fn evaluate(&mut self, _: usize, position: &Tree) -> Score {
        Score::heuristic(position.node().guess)
    }
    fn identity(&self) -> u64 {
        0
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    nodes: Vec<Node>,
}

impl Parser<'_> {
    const DEEPEST: usize = 200;

    fn error(&self, what: impl Into<String>) -> ParseError {
        ParseError::new(what).at_column(self.text[..self.at].chars().count() + 1)
    }

    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn word(&mut self) -> &str {
        let rest = &self.text[self.at..];
        let length = rest.find(|c: char| "(): \n\t".contains(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn number(&self, start: usize, word: &str) -> Result<i32, ParseError> {
        match word.parse() {
            Ok(number) if (-9_999..=9_999).contains(&number) => Ok(number),
            _ => Err(ParseError::new(format!("{} is no number within 9999", quoted(word)))
                .at_column(self.text[..start].chars().count() + 1)),
        }
    }

    fn node(&mut self, depth: usize) -> Result<usize, ParseError> {
        if depth > Parser::DEEPEST {
            return Err(self.error("too deep"));
        }
        self.skip_space();
        let start = self.at;
        let word = self.word().to_string();
        let mut node = Node { guess: 0, outcome: Outcome::Draw, children: Vec::new() };
        if self.text[self.at..].starts_with(':') {
            node.guess = self.number(start, &word)?;
            self.at += 1;
        } else if !word.is_empty() {
            node.outcome = match word.as_str() {
                "W" => Outcome::Win,
                "D" => Outcome::Draw,
                "L" => Outcome::Loss,
                margin => Outcome::Margin(self.number(start, margin)? as i16),
            };
            self.nodes.push(node);
            return Ok(self.nodes.len() - 1);
        }
        if !self.text[self.at..].starts_with('(') {
            return Err(self.error("expected a node"));
        }
        self.at += 1;
        loop {
            self.skip_space();
            if self.text[self.at..].starts_with(')') {
                self.at += 1;
                break;
            }
            let child = self.node(depth + 1)?;
            node.children.push(child);
        }
        if node.children.is_empty() {
            return Err(self.error("a node in parentheses needs a child"));
        }
        self.nodes.push(node);
        Ok(self.nodes.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::contract;

    const SHAPE: Shape = Shape { depth: 6, branching: 4, spread: 50, endings: 9 };

    #[test]
    fn the_tree_keeps_the_contract() {
        let starts: Vec<Tree> = (0..20).map(|seed| Tree::random(seed, SHAPE)).collect();
        contract::rules(&starts, &contract::Effort::default()).unwrap();
        contract::evaluator(&starts, &contract::Effort::default(), || Statics).unwrap();
    }

    #[test]
    fn a_written_tree_is_the_tree() {
        let tree = Tree::parse(" 7:( (1 W)\n-5:(L D -3) 4 ) ").unwrap();
        assert_eq!((tree.size(), tree.count_moves()), (9, 3));
        assert_eq!(Statics.evaluate(0, &tree), Score::heuristic(7));
        let middle = tree.after(1);
        assert_eq!(Statics.evaluate(1, &middle), Score::heuristic(-5));
        assert_eq!(middle.after(0).without_moves(), Outcome::Loss);
        assert_eq!(middle.after(2).without_moves(), Outcome::Margin(-3));
    }

    #[test]
    fn a_seed_decides_the_tree() {
        let (a, b) = (Tree::random(5, SHAPE), Tree::random(5, SHAPE));
        assert_eq!(format!("{a:?}"), format!("{b:?}"));
        assert_ne!(format!("{a:?}"), format!("{:?}", Tree::random(6, SHAPE)));
    }

    #[test]
    fn a_broken_tree_says_where() {
        let cases = [
            ("(1 2", "column 5: expected a node"),
            ("(1 x)", "column 4: 'x' is no number within 9999"),
            ("(1) 2", "column 5: text after the tree"),
            ("()", "column 3: a node in parentheses needs a child"),
            ("", "column 1: expected a node"),
            ("3:4", "column 3: expected a node"),
            ("99999", "column 1: '99999' is no number within 9999"),
        ];
        for (text, message) in cases {
            assert_eq!(Tree::parse(text).unwrap_err().to_string(), message, "{text}");
        }
        assert!(Tree::parse(&"(".repeat(100_000)).is_err());
    }
}
