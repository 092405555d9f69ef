//! A chart: axes, marks in the order they were added, a legend below.
//!
//! The legend is HTML under the drawing, so that it wraps on a narrow screen and never covers a
//! mark.

use super::scale::{Kind, Scale};
use crate::report::html::escape;
use crate::report::numbers::{coordinate as c, trimmed};

const WIDTH: f64 = 540.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 66.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 56.0;

/// An axis.
pub(in crate::report) struct Axis {
    scale: Scale,
    label: String,
    texts: fn(f64) -> String,
    ticks: Option<Vec<(f64, String)>>,
    whole: bool,
}

impl Axis {
    /// Evenly spread from `low` to `high`.
    pub(in crate::report) fn linear(label: impl Into<String>, low: f64, high: f64) -> Axis {
        Axis::new(Kind::Linear, label.into(), low, high)
    }

    /// Spread by the logarithm.
    pub(in crate::report) fn log(label: impl Into<String>, low: f64, high: f64) -> Axis {
        Axis::new(Kind::Log, label.into(), low, high)
    }

    fn new(kind: Kind, label: String, low: f64, high: f64) -> Axis {
        let texts = |value| trimmed(value, 6);
        Axis { scale: Scale::new(kind, low, high), label, texts, ticks: None, whole: false }
    }

    /// The same axis with its ticks written so.
    pub(in crate::report) fn written(self, texts: fn(f64) -> String) -> Axis {
        Axis { texts, ..self }
    }

    /// The same axis with ticks at whole numbers only: things are counted.
    pub(in crate::report) fn whole(self) -> Axis {
        Axis { whole: true, ..self }
    }

    /// The same axis with these ticks.
    pub(in crate::report) fn ticks(self, ticks: Vec<(f64, String)>) -> Axis {
        Axis { ticks: Some(ticks), ..self }
    }

    fn marks(&self, wish: usize) -> Vec<(f64, String)> {
        match &self.ticks {
            Some(ticks) => ticks.clone(),
            None => {
                let ticks = self.scale.ticks(wish).into_iter();
                let ticks = ticks.filter(|at| !self.whole || (at - at.round()).abs() < 1e-9);
                ticks.map(|at| (at, (self.texts)(at))).collect()
            }
        }
    }
}

/// A place with something to say when pointed at.
#[derive(Clone, Debug)]
pub(in crate::report) struct Tip {
    /// Across.
    pub(in crate::report) x: f64,
    /// Up.
    pub(in crate::report) y: f64,
    /// What is said, as text.
    pub(in crate::report) text: String,
}

/// What is drawn; `class` gives the colour.
pub(in crate::report) enum Mark {
    /// An area between two curves: (x, low, high).
    Band(&'static str, Vec<(f64, f64, f64)>),
    /// A curve.
    Line(&'static str, Vec<(f64, f64)>),
    /// A curve of steps: it keeps its height until the next point.
    Steps(&'static str, Vec<(f64, f64)>),
    /// Dots that are seen.
    Dots(&'static str, Vec<Tip>),
    /// Places that answer when pointed at, not seen.
    Tips(Vec<Tip>),
    /// A box from (x, y) to (x, y).
    Box(&'static str, (f64, f64), (f64, f64), String),
    /// A line across at this height, over the whole width.
    Level(f64),
    /// A line upright.
    Upright(f64),
    /// The line on which x and y are the same.
    Same,
    /// From (x, low) to (x, high).
    Whisker(&'static str, f64, f64, f64),
    /// From (low, y) to (high, y).
    Reach(&'static str, f64, f64, f64),
}

/// A drawing.
pub(in crate::report) struct Chart {
    title: String,
    description: String,
    x: Axis,
    y: Axis,
    right: Option<(String, Vec<(f64, String)>)>,
    marks: Vec<Mark>,
    legend: Vec<(&'static str, String)>,
    remark: String,
    height: f64,
    left: f64,
}

impl Chart {
    /// An empty chart; the description is for those who do not see it.
    pub(in crate::report) fn new(
        title: impl Into<String>,
        description: impl Into<String>,
        x: Axis,
        y: Axis,
    ) -> Chart {
        Chart {
            title: title.into(),
            description: description.into(),
            x,
            y,
            right: None,
            marks: Vec::new(),
            legend: Vec::new(),
            remark: String::new(),
            height: HEIGHT,
            left: LEFT,
        }
    }

    /// Adds a mark over those that are there.
    pub(in crate::report) fn add(&mut self, mark: Mark) {
        self.marks.push(mark);
    }

    /// Adds a line to the legend.
    pub(in crate::report) fn explain(&mut self, class: &'static str, text: impl Into<String>) {
        self.legend.push((class, text.into()));
    }

    /// A second scale on the right: its label, and texts at values of y.
    pub(in crate::report) fn right(&mut self, label: &str, ticks: Vec<(f64, String)>) {
        self.right = Some((label.to_string(), ticks));
    }

    /// The small print below.
    pub(in crate::report) fn remark(&mut self, text: impl Into<String>) {
        self.remark = text.into();
    }

    /// Another height, and the room left of the axis for its texts.
    pub(in crate::report) fn shape(&mut self, height: f64, left: f64) {
        (self.height, self.left) = (height, left);
    }

    /// The chart as a figure of the page.
    pub(in crate::report) fn render(&self) -> String {
        let frame = Frame {
            left: self.left,
            width: WIDTH - self.left - if self.right.is_some() { 62.0 } else { 16.0 },
            height: self.height - TOP - BOTTOM,
        };
        let mut out = format!(
            "<figure><figcaption>{}</figcaption><svg viewBox=\"0 0 {} {}\" role=\"img\" \
             aria-label=\"{}\"><desc>{}</desc>\n",
            escape(&self.title),
            c(WIDTH),
            c(self.height),
            escape(&self.title),
            escape(&self.description)
        );
        out += &self.axes(&frame);
        out += &format!(
            "<svg x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\">",
            c(frame.left),
            c(TOP),
            c(frame.width),
            c(frame.height)
        );
        for mark in &self.marks {
            out += &self.drawn(&frame, mark);
        }
        out += "</svg></svg>";
        if !self.legend.is_empty() {
            out += "<ul class=\"legend\">";
            for (class, text) in &self.legend {
                out += &format!("<li><span class=\"key {class}\"></span>{}</li>", escape(text));
            }
            out += "</ul>";
        }
        if !self.remark.is_empty() {
            out += &format!("<p class=\"remark\">{}</p>", escape(&self.remark));
        }
        out + "</figure>\n"
    }

    fn axes(&self, frame: &Frame) -> String {
        let mut out = String::from("<g class=\"axes\">");
        let bottom = TOP + frame.height;
        for (value, text) in self.y.marks(5) {
            let y = c(TOP + frame.height * (1.0 - self.y.scale.place(value)));
            out += &format!(
                "<path class=\"grid\" d=\"M{} {y}h{}\"/><text class=\"y\" x=\"{}\" y=\"{y}\" \
                 dy=\".35em\">{}</text>",
                c(frame.left),
                c(frame.width),
                c(frame.left - 7.0),
                escape(&text)
            );
        }
        for (value, text) in self.x.marks(6) {
            let x = c(frame.left + frame.width * self.x.scale.place(value));
            out += &format!(
                "<path class=\"tick\" d=\"M{x} {}v4\"/><text class=\"x\" x=\"{x}\" y=\"{}\" \
                 dy=\"1em\">{}</text>",
                c(bottom),
                c(bottom + 5.0),
                escape(&text)
            );
        }
        out += &format!(
            "<path class=\"base\" d=\"M{} {}h{}\"/>",
            c(frame.left),
            c(bottom),
            c(frame.width)
        );
        out += &format!(
            "<text class=\"label\" x=\"{}\" y=\"{}\">{}</text>",
            c(frame.left + frame.width / 2.0),
            c(self.height - 9.0),
            escape(&self.x.label)
        );
        let sideways = |x: f64, text: &str| {
            let y = c(TOP + frame.height / 2.0);
            let x = c(x);
            format!(
                "<text class=\"label\" transform=\"rotate(-90 {x} {y})\" x=\"{x}\" y=\"{y}\">{}</text>",
                escape(text)
            )
        };
        if !self.y.label.is_empty() {
            out += &sideways(15.0, &self.y.label);
        }
        if let Some((label, ticks)) = &self.right {
            for (value, text) in ticks {
                out += &format!(
                    "<text class=\"right\" x=\"{}\" y=\"{}\" dy=\".35em\">{}</text>",
                    c(frame.left + frame.width + 7.0),
                    c(TOP + frame.height * (1.0 - self.y.scale.place(*value))),
                    escape(text)
                );
            }
            out += &sideways(WIDTH - 6.0, label);
        }
        out + "</g>"
    }

    fn drawn(&self, frame: &Frame, mark: &Mark) -> String {
        let x = |value: f64| c(frame.width * self.x.scale.place(value));
        let y = |value: f64| c(frame.height * (1.0 - self.y.scale.place(value)));
        match mark {
            Mark::Band(class, points) => {
                let mut path = String::new();
                for (index, (at, _, high)) in points.iter().enumerate() {
                    path +=
                        &format!("{}{} {}", if index == 0 { "M" } else { "L" }, x(*at), y(*high));
                }
                for (at, low, _) in points.iter().rev() {
                    path += &format!("L{} {}", x(*at), y(*low));
                }
                format!("<path class=\"band {class}\" d=\"{path}Z\"/>")
            }
            Mark::Line(class, points) => {
                let mut path = String::new();
                for (index, (at, value)) in points.iter().enumerate() {
                    path +=
                        &format!("{}{} {}", if index == 0 { "M" } else { "L" }, x(*at), y(*value));
                }
                format!("<path class=\"line {class}\" d=\"{path}\"/>")
            }
            Mark::Steps(class, points) => {
                let mut path = String::new();
                for (index, (at, value)) in points.iter().enumerate() {
                    path += &match index {
                        0 => format!("M{} {}", x(*at), y(*value)),
                        _ => format!("H{}V{}", x(*at), y(*value)),
                    };
                }
                format!("<path class=\"line {class}\" d=\"{path}\"/>")
            }
            Mark::Dots(class, tips) => {
                let dots = tips.iter().map(|tip| {
                    let (x, y, text) = (x(tip.x), y(tip.y), escape(&tip.text));
                    format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"4\"><title>{text}</title></circle>")
                });
                format!("<g class=\"dot {class}\">{}</g>", dots.collect::<String>())
            }
            Mark::Tips(tips) => {
                let dots = tips.iter().map(|tip| {
                    let (x, y, text) = (x(tip.x), y(tip.y), escape(&tip.text));
                    format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"7\"><title>{text}</title></circle>")
                });
                format!("<g class=\"tip\">{}</g>", dots.collect::<String>())
            }
            Mark::Box(class, from, to, text) => {
                let left = frame.width * self.x.scale.place(from.0.min(to.0));
                let right = frame.width * self.x.scale.place(from.0.max(to.0));
                let top = frame.height * (1.0 - self.y.scale.place(from.1.max(to.1)));
                let bottom = frame.height * (1.0 - self.y.scale.place(from.1.min(to.1)));
                format!(
                    "<rect class=\"box {class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\">\
                     <title>{}</title></rect>",
                    c(left),
                    c(top),
                    c(right - left),
                    c(bottom - top),
                    escape(text)
                )
            }
            Mark::Level(value) => {
                format!("<path class=\"rule\" d=\"M0 {}h{}\"/>", y(*value), c(frame.width))
            }
            Mark::Upright(value) => {
                format!("<path class=\"rule\" d=\"M{} 0v{}\"/>", x(*value), c(frame.height))
            }
            Mark::Same => {
                let low = self.x.scale.low().max(self.y.scale.low());
                let high = self.x.scale.high().min(self.y.scale.high());
                let (a, b, d, e) = (x(low), y(low), x(high), y(high));
                format!("<path class=\"rule\" d=\"M{a} {b}L{d} {e}\"/>")
            }
            Mark::Whisker(class, at, low, high) => {
                format!(
                    "<path class=\"whisker {class}\" d=\"M{} {}V{}\"/>",
                    x(*at),
                    y(*low),
                    y(*high)
                )
            }
            Mark::Reach(class, at, low, high) => {
                format!(
                    "<path class=\"whisker {class}\" d=\"M{} {}H{}\"/>",
                    x(*low),
                    y(*at),
                    x(*high)
                )
            }
        }
    }
}

struct Frame {
    left: f64,
    width: f64,
    height: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_has_whole_ticks() {
        let texts = |axis: Axis| axis.marks(5).into_iter().map(|tick| tick.1).collect::<Vec<_>>();
        assert_eq!(texts(Axis::linear("", 0.0, 2.0)), ["0", "0.5", "1", "1.5", "2"]);
        assert_eq!(texts(Axis::linear("", 0.0, 2.0).whole()), ["0", "1", "2"]);
    }

    #[test]
    fn a_chart_says_what_it_shows_and_escapes_it() {
        let mut chart = Chart::new(
            "a < b",
            "how a & b went",
            Axis::linear("games", 0.0, 10.0),
            Axis::linear("score", 0.0, 1.0),
        );
        chart.add(Mark::Line("c0", vec![(0.0, 0.0), (10.0, 1.0)]));
        chart.add(Mark::Dots("c0", vec![Tip { x: 5.0, y: 0.5, text: "<mid>".into() }]));
        chart.explain("c0", "<script>");
        let text = chart.render();
        assert!(text.contains("a &lt; b") && text.contains("<desc>how a &amp; b went</desc>"));
        assert!(text.contains("<title>&lt;mid&gt;</title>") && text.contains("&lt;script&gt;"));
        // The line goes from the lower left corner to the upper right one.
        assert!(text.contains("d=\"M0 252L458 0\""), "{text}");
    }
}
