//! What can be set of B\*. Probabilities are in ten-thousandths.

crate::params! {
    /// B*: how what a move may still become is told.
    pub struct Bstar in "bstar" {
        switch BstarModel = Target {
            /// The probability of reaching one target (Berliner and McConnell, 1996).
            Target = "target",
            /// Whole distributions, multiplied point by point (Palay, 1985).
            Palay = "palay",
            /// Only bounds; ends at separation (Berliner, 1979).
            Bounds = "bounds",
        }
        /// Depth of the probes, in plies.
        probe = 3, in 1..=20, step 1;
        /// Expansions for a move where nothing else limits them.
        expansions = 225, in 1..=100000, step 25;
        /// Share of them for the first SELECT.
        first_select = 4000, in 500..=9000, step 250;
        /// Expansions of the first VERIFY, for a budget of 225.
        first_verify = 50, in 1..=200, step 5;
        /// Share of the rest for each later phase.
        later = 5000, in 500..=9000, step 250;
        /// No VERIFY gets less, for a budget of 225.
        least_verify = 15, in 1..=100, step 1;
        /// A move below this probability is not looked at, at first.
        min_act = 1500, in 0..=9000, step 100;
        /// The same when everything is spent.
        min_act_end = 3000, in 0..=9999, step 100;
        /// How much the expansions already spent in a subtree discount its probability: at this share
        /// if all were spent there.
        dither = 2500, in 0..=50000, step 500;
        /// Two values within this are close.
        close = 3, in 0..=100, step 1;
        /// SELECT ends after so many expansions in a row with close moves at the top.
        close_for = 60, in 1..=1000, step 5;
        /// Share of the expansions of a kept tree that counts against the budget, of which it takes
        /// half at most; and of the time that was spent on it while the opponent thought.
        saved = 5000, in 0..=10000, step 500;
        /// Cycles through more positions than this are not solved by the path.
        component = 24, in 2..=64, step 1;
        /// Leaves chosen before the first of them is expanded, for probers with many hands. Only where
        /// expansions are full and nothing else is done to a leaf.
        ahead = 1, in 1..=64, step 1;
        /// Positions in memory, in thousands.
        positions = 200, in 1..=20000, step 50;
    }
}

crate::params! {
    /// Replies answered by the same move count as one reply.
    pub struct BstarGroups in "bstar_groups" {
        switch BstarGroupsForm = Least {
            /// Each reply counts.
            Off = "off",
            /// A group is worth its least probability.
            Least = "min",
            /// A group is worth its greatest probability.
            Most = "max",
        }
    }
}

crate::params! {
    /// How a position is expanded.
    pub struct BstarExpand in "bstar_expand" {
        switch BstarExpandForm = Full {
            /// Every move is probed.
            Full = "full",
            /// One search for the best move; the others are asked against bounds and merged where they
            /// fall short.
            Narrow = "narrow",
        }
        /// Moves within this of the best are probed, in hundredths.
        margin = 60, in 0..=1000, step 10;
    }
}

crate::params! {
    /// A search by iterative deepening before B*, whose move B* examines. Not with the model `bounds`,
    /// which has no VERIFY.
    pub struct BstarSeed in "bstar_seed" {
        switch BstarSeedForm = Off {
            /// None.
            Off = "off",
            /// Its moves are the root of the graph; B* must beat its choice.
            On = "on",
        }
        /// Where nodes or time are limited: the share of them that it may spend, in ten-thousandths.
        share = 7500, in 500..=9500, step 250;
        /// Where only expansions are: deeper than the probes by so many plies.
        deeper = 3, in 0..=20, step 1;
        /// The moves of the root are then asked so many plies less deep than it went.
        less = 9, in 0..=20, step 1;
        /// B*'s move replaces its move only if it is better by this, in hundredths.
        margin = 15, in 0..=500, step 5;
    }
}

crate::params! {
    /// What is done to a leaf.
    pub struct BstarStep in "bstar_step" {
        switch BstarStepForm = Expand {
            /// It is expanded.
            Expand = "expand",
            /// It is probed deeper instead where that promises more for its cost.
            Value = "value",
        }
        /// What a ply more costs, in hundredths.
        ply_cost = 250, in 110..=1000, step 10;
        /// A leaf is probed deeper by so many plies at most.
        deepest = 3, in 1..=10, step 1;
    }
}

crate::params! {
    /// Moves that answer the threat, where the obstructor moves.
    pub struct BstarDefence in "bstar_defence" {
        switch BstarDefenceForm = Off {
            /// Only the best move by value is followed.
            Off = "off",
            /// The move that answers the threat is followed too, in turn; where expansions are narrow, such
            /// moves are among those with a node of their own.
            On = "on",
        }
        /// Every so many visits.
        every = 3, in 2..=20, step 1;
        /// A narrow expansion adds so many of them at most.
        moves = 2, in 1..=20, step 1;
    }
}

crate::params! {
    /// How likely a leaf is to reach the target, with the model `target`.
    pub struct BstarOdds in "bstar_odds" {
        switch BstarOddsForm = Linear {
            /// Uniform between what is real and what is hoped for (Berliner and McConnell, 1996).
            Linear = "linear",
            /// By a table of what deeper searches of such leaves came to.
            Learned = "learned",
        }
    }
}

crate::params! {
    /// Which tables of probabilities are used.
    pub struct BstarOddsTable in "bstar_odds_table" {
        switch BstarOddsTableForm = Fitted {
            /// Only one that was fitted with the evaluation at hand and tells more than the straight line.
            Fitted = "fitted",
            /// Any for the game.
            Any = "any",
        }
    }
}

/// Every group of B\*.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct How {
    /// The model and the effort.
    pub main: Bstar,
    /// Replies with the same answer.
    pub groups: BstarGroups,
    /// Expansions.
    pub expand: BstarExpand,
    /// What comes before.
    pub seed: BstarSeed,
    /// Deeper or wider.
    pub step: BstarStep,
    /// Threats answered.
    pub defence: BstarDefence,
    /// Probabilities of leaves.
    pub odds: BstarOdds,
}
