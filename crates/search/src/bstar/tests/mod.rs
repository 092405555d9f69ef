//! | file | what is compared with what |
//! |---|---|
//! | `golden` | the paper's worked example, number for number |
//! | `cycles` | conditional values with a search that follows every path |
//! | `modern` | what the forms beyond the paper ask, believe and overrule with what they may |
//! | `laws` | back-up with recomputation, runs with runs, stopped searches with whole ones |

mod cycles;
mod golden;
mod laws;
mod modern;
