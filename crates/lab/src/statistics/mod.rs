//! What counts of results mean.
