//! An engine as an opponent, in this process or in one of its own.
