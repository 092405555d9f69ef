//! A parameter is declared once: its doc, default, range and step stand in one
//! [`params!`](crate::params!) block, and everything else (the field, the engine option, the
//! command line, presets, the tuner) is read from there.
//!
//! Parameters are integers; a doc comment says the scale. No floating point reaches the tree, so
//! a node count is the same on every processor. A *switch* selects the form of a technique, `off`
//! among them, and carries the name of its group.
//!
//! ```
//! use secateur_search::params::Group;
//!
//! secateur_search::params! {
//!     /// Cuts where even a free move for the opponent leaves us well off.
//!     pub struct NullMove in "null_move" {
//!         switch NullMoveForm = Fixed {
//!             /// Never.
//!             Off = "off",
//!             /// The reduction is always the same.
//!             Fixed = "fixed",
//!         }
//!         /// Plies taken off the depth.
//!         reduction = 3, in 1..=6, step 1;
//!     }
//! }
//!
//! let mut null_move = NullMove::default();
//! null_move.set("null_move.reduction", "4").unwrap();
//! null_move.set("null_move", "off").unwrap();
//! assert_eq!((null_move.reduction, null_move.form), (4, NullMoveForm::Off));
//! assert_eq!(
//!     null_move.set("null_move.reduction", "9").unwrap_err().to_string(),
//!     "null_move.reduction must be from 1 to 6, not 9"
//! );
//! ```

use std::fmt;

use crate::Ability;

/// All that is known of one parameter or switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spec {
    /// `group` for a switch, `group.field` for a number.
    pub name: &'static str,
    /// What it does.
    pub doc: &'static str,
    /// Its values.
    pub kind: Kind,
}

/// The values a parameter can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One of several named forms.
    Switch {
        /// The form in force unless set.
        default: &'static str,
        /// Every form, in the order of declaration.
        forms: &'static [&'static str],
    },
    /// A whole number.
    Number {
        /// The value in force unless set.
        default: i32,
        /// The least value.
        min: i32,
        /// The greatest value.
        max: i32,
        /// How far a tuner steps.
        step: i32,
    },
}

/// The value of a parameter now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The form of a switch.
    Form(&'static str),
    /// A number.
    Number(i32),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Form(form) => f.write_str(form),
            Value::Number(number) => number.fmt(f),
        }
    }
}

/// Why a parameter could not be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetError {
    /// No parameter has this name.
    #[error("no parameter is called {name}{}", .nearest.map(|n| format!("; did you mean {n}?")).unwrap_or_default())]
    Unknown {
        /// What was asked for.
        name: String,
        /// A name much like it.
        nearest: Option<&'static str>,
    },
    /// The value of a number is not a whole number.
    #[error("{name} must be a whole number, not '{value}'")]
    NotANumber {
        /// The parameter.
        name: &'static str,
        /// What was given.
        value: String,
    },
    /// The number lies outside the range.
    #[error("{name} must be from {min} to {max}, not {value}")]
    OutOfRange {
        /// The parameter.
        name: &'static str,
        /// The least value.
        min: i32,
        /// The greatest value.
        max: i32,
        /// What was given.
        value: i64,
    },
    /// The switch has no such form.
    #[error("{name} must be one of {}, not '{value}'", .forms.join(", "))]
    NoSuchForm {
        /// The switch.
        name: &'static str,
        /// Its forms.
        forms: &'static [&'static str],
        /// What was given.
        value: String,
    },
}

/// A block of parameters, made by [`params!`](crate::params!).
pub trait Group: Default {
    /// The name in front of the dot.
    const NAME: &'static str;
    /// What the group is for.
    const DOC: &'static str;
    /// What a game must be able to serve; a game that cannot has the switch `off`.
    const NEEDS: Ability;
    /// Every parameter, in the order of declaration.
    const SPECS: &'static [Spec];

    /// Sets one parameter by its full name. On an error nothing changes.
    fn set(&mut self, name: &str, value: &str) -> Result<(), SetError>;

    /// The value of one parameter by its full name.
    fn get(&self, name: &str) -> Option<Value>;
}

impl Kind {
    /// The value in force unless set.
    pub const fn default(&self) -> Value {
        match *self {
            Kind::Switch { default, .. } => Value::Form(default),
            Kind::Number { default, .. } => Value::Number(default),
        }
    }
}

impl Spec {
    /// Reads a number in range.
    pub fn number(&self, value: &str) -> Result<i32, SetError> {
        let Kind::Number { min, max, .. } = self.kind else {
            unreachable!("{} is a switch", self.name)
        };
        let number: i64 = value
            .parse()
            .map_err(|_| SetError::NotANumber { name: self.name, value: value.to_string() })?;
        if number < min.into() || number > max.into() {
            return Err(SetError::OutOfRange { name: self.name, min, max, value: number });
        }
        Ok(number as i32)
    }

    /// The place of a form among the forms of a switch.
    pub fn form(&self, value: &str) -> Result<usize, SetError> {
        let Kind::Switch { forms, .. } = self.kind else {
            unreachable!("{} is a number", self.name)
        };
        forms.iter().position(|form| *form == value).ok_or_else(|| SetError::NoSuchForm {
            name: self.name,
            forms,
            value: value.to_string(),
        })
    }
}

/// The error for a name that nothing has, with the likeliest name that was meant.
pub fn unknown<'a>(name: &str, specs: impl Iterator<Item = &'a Spec>) -> SetError {
    SetError::Unknown {
        name: name.to_string(),
        nearest: nearest(name, specs.map(|spec| spec.name)),
    }
}

/// The likeliest of these names that was meant by another: the first it is the beginning of, if it is
/// long enough to be one, else the one with the fewest letters changed, if they are few. Neither case nor
/// what stands between words matters.
pub fn nearest(name: &str, names: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    const BEGINNING: usize = 4;
    let plain = |name: &str| name.to_ascii_lowercase().replace(['_', '-', ' '], "");
    let wanted = plain(name);
    let likeness = |known: &'static str| {
        let other = plain(known);
        match wanted.len() >= BEGINNING && other.starts_with(&wanted) {
            true => Some((0, known.len(), known)),
            false => {
                let distance = edit_distance(&wanted, &other);
                (distance * 3 <= other.len()).then_some((distance, known.len(), known))
            }
        }
    };
    names.filter_map(likeness).min().map(|(_, _, known)| known)
}

/// Levenshtein's distance, one row at a time.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// Declares a group of parameters: see the [module](mod@crate::params).
#[macro_export]
macro_rules! params {
    (
        $(#[doc = $group_doc:literal])+
        $vis:vis struct $Name:ident in $group:literal $(needs $needs:path)? {
            $(switch $Form:ident = $Chosen:ident {
                $($(#[doc = $form_doc:literal])+ $Variant:ident = $text:literal),+ $(,)?
            })?
            $(
                $(#[doc = $doc:literal])+
                $field:ident = $default:literal, in $min:literal ..= $max:literal, step $step:literal;
            )*
        }
    ) => {
        $(
            #[doc = concat!("The forms of `", $group, "`.")]
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            $vis enum $Form { $($(#[doc = $form_doc])+ $Variant),+ }

            impl $Form {
                const ALL: &'static [$Form] = &[$($Form::$Variant),+];
                const TEXTS: &'static [&'static str] = &[$($text),+];

                const fn text(self) -> &'static str {
                    $Form::TEXTS[self as usize]
                }
            }
        )?

        $(#[doc = $group_doc])+
        #[derive(Clone, Debug, PartialEq, Eq)]
        $vis struct $Name {
            $(/// The form in force.
            pub form: $Form,)?
            $($(#[doc = $doc])+ pub $field: i32,)*
        }

        impl Default for $Name {
            fn default() -> Self {
                $Name { $(form: $Form::$Chosen,)? $($field: $default,)* }
            }
        }

        const _: () = {
            $(assert!($min <= $default && $default <= $max && $step > 0, "default outside its range");)*
        };

        impl $crate::params::Group for $Name {
            const NAME: &'static str = $group;
            const DOC: &'static str = concat!($($group_doc),+);
            const NEEDS: $crate::Ability = $crate::Ability::NONE$(.and($needs))?;
            const SPECS: &'static [$crate::params::Spec] = &[
                $($crate::params::Spec {
                    name: $group,
                    doc: <$Name as $crate::params::Group>::DOC,
                    kind: $crate::params::Kind::Switch {
                        default: $Form::$Chosen.text(),
                        forms: $Form::TEXTS,
                    },
                },)?
                $($crate::params::Spec {
                    name: concat!($group, ".", stringify!($field)),
                    doc: concat!($($doc),+),
                    kind: $crate::params::Kind::Number {
                        default: $default, min: $min, max: $max, step: $step,
                    },
                },)*
            ];

            fn set(&mut self, name: &str, value: &str) -> Result<(), $crate::params::SetError> {
                let Some(spec) = Self::SPECS.iter().find(|spec| spec.name == name) else {
                    return Err($crate::params::unknown(name, Self::SPECS.iter()));
                };
                $(if name == $group {
                    self.form = $Form::ALL[spec.form(value)?];
                })?
                $(if name == concat!($group, ".", stringify!($field)) {
                    self.$field = spec.number(value)?;
                })*
                Ok(())
            }

            fn get(&self, name: &str) -> Option<$crate::params::Value> {
                $(if name == $group {
                    return Some($crate::params::Value::Form(<$Form>::text(self.form)));
                })?
                $(if name == concat!($group, ".", stringify!($field)) {
                    return Some($crate::params::Value::Number(self.$field));
                })*
                None
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::params! {
        /// A group for these tests.
        struct Knife in "knife" {
            switch KnifeForm = Off {
                /// Shut.
                Off = "off",
                /// Open.
                On = "on",
            }
            /// Length in tenths
            /// of an inch.
            length = 30, in -5..=90, step 5;
            /// Edges.
            edges = 1, in 1..=2, step 1;
        }
    }

    crate::params! {
        /// A group without a switch.
        struct Plain in "plain" {
            /// The only number.
            number = 0, in 0..=9, step 1;
        }
    }

    #[test]
    fn a_declaration_makes_specs_defaults_and_setters() {
        assert_eq!(Knife::SPECS.len(), 3);
        assert_eq!(Knife::SPECS[0].kind.default(), Value::Form("off"));
        assert_eq!(Knife::SPECS[1].doc, " Length in tenths of an inch.");
        let mut knife = Knife::default();
        for spec in Knife::SPECS {
            assert_eq!(knife.get(spec.name), Some(spec.kind.default()), "{}", spec.name);
        }
        knife.set("knife", "on").unwrap();
        knife.set("knife.length", "-5").unwrap();
        assert_eq!(knife, Knife { form: KnifeForm::On, length: -5, edges: 1 });
        assert_eq!(knife.get("knife").unwrap().to_string(), "on");
        assert_eq!(Plain::SPECS.len(), 1);
    }

    #[test]
    fn a_refused_value_changes_nothing_and_says_why() {
        let mut knife = Knife::default();
        let refusals = [
            ("knife", "bent", "knife must be one of off, on, not 'bent'"),
            ("knife.length", "91", "knife.length must be from -5 to 90, not 91"),
            ("knife.length", "long", "knife.length must be a whole number, not 'long'"),
            (
                "knife.lenght",
                "9",
                "no parameter is called knife.lenght; did you mean knife.length?",
            ),
            ("Knife-Edges", "1", "no parameter is called Knife-Edges; did you mean knife.edges?"),
            ("spoon", "1", "no parameter is called spoon"),
            ("", "", "no parameter is called "),
        ];
        for (name, value, message) in refusals {
            assert_eq!(knife.set(name, value).unwrap_err().to_string(), message);
        }
        assert_eq!(knife, Knife::default());
    }
}
