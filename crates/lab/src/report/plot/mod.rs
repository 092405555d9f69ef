//! Drawings as SVG inside of the page: colours and fonts come from the page's style sheet, so they
//! follow the reader's light or dark theme. Every drawing has a title and a description for readers
//! who do not see it, and its marks have tooltips.
//!
//! | file | idea |
//! |---|---|
//! | [`scale`] | from values to places, and where the ticks are |
//! | [`chart`] | axes, marks and legend |

pub(super) mod chart;
pub(super) mod scale;

pub(super) use chart::{Axis, Chart, Mark, Tip};
