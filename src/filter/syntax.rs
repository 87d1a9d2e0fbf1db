//! An expression as it is written, before any name is looked up.

use std::ops::Range;

/// A part of an expression, and the bytes it takes.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub at: Range<usize>,
    pub expr: Expr,
}

impl PartialEq for Node {
    /// Where it stands does not make it another expression.
    fn eq(&self, other: &Self) -> bool {
        self.expr == other.expr
    }
}

/// What a part of an expression is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expr {
    Number(f64),
    Text(String),
    Value(Value),
    Not(Box<Node>),
    Negative(Box<Node>),
    Both(Op, Box<Node>, Box<Node>),
}

/// A value of a query: `ours.eccv.r1`, `extra_in_top(ours, 5)`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Value {
    /// Its own name.
    pub name: Name,
    /// The names of models and truths, before it or among its arguments.
    pub names: Vec<Name>,
    /// The numbers among its arguments; `None` without brackets.
    pub numbers: Option<Vec<Depth>>,
}

/// The name of a value, a model or a truth.
#[derive(Debug, Clone)]
pub(super) struct Name {
    pub text: String,
    /// Whether it is a model's or a truth's, where `model:` or `truth:` says so.
    pub which: Option<Which>,
    pub at: Range<usize>,
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        (&self.text, self.which) == (&other.text, other.which)
    }
}

/// The depth k of a value such as `extra_in_top(MODEL, k)`, and where it stands in the text.
#[derive(Debug, Clone)]
pub(super) struct Depth {
    pub k: f64,
    pub at: Range<usize>,
}

impl PartialEq for Depth {
    fn eq(&self, other: &Self) -> bool {
        self.k == other.k
    }
}

/// Whether a name is a model's or a truth's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    Model,
    Truth,
}

impl Which {
    /// The word for it, in expressions and in messages.
    pub fn word(self) -> &'static str {
        match self {
            Which::Model => "model",
            Which::Truth => "truth",
        }
    }
}

/// An operator of the filter language, between two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    Or,
    And,
    Compare(Comparison),
    Like,
    Arithmetic(Arithmetic),
}

/// A comparison of two numbers; those nearer than 1e-9 are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    Differs,
    Less,
    LessOrEqual,
    More,
    MoreOrEqual,
}

/// An arithmetic operation on two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Plus,
    Minus,
    Times,
    Over,
}

/// How tightly `not` binds: it negates a whole comparison.
pub(super) const NOT: u8 = 3;
/// How tightly a sign binds.
pub(super) const NEGATIVE: u8 = 7;

impl Op {
    /// Every operator, as it is written.
    pub const ALL: [(&'static str, Op); 13] = [
        ("or", Op::Or),
        ("and", Op::And),
        ("==", Op::Compare(Comparison::Equal)),
        ("!=", Op::Compare(Comparison::Differs)),
        ("<", Op::Compare(Comparison::Less)),
        ("<=", Op::Compare(Comparison::LessOrEqual)),
        (">", Op::Compare(Comparison::More)),
        (">=", Op::Compare(Comparison::MoreOrEqual)),
        ("~", Op::Like),
        ("+", Op::Arithmetic(Arithmetic::Plus)),
        ("-", Op::Arithmetic(Arithmetic::Minus)),
        ("*", Op::Arithmetic(Arithmetic::Times)),
        ("/", Op::Arithmetic(Arithmetic::Over)),
    ];

    /// Its precedence: of two operators the one with the greater number binds first.
    pub fn strength(self) -> u8 {
        match self {
            Op::Or => 1,
            Op::And => 2,
            Op::Compare(_) | Op::Like => 4,
            Op::Arithmetic(Arithmetic::Plus | Arithmetic::Minus) => 5,
            Op::Arithmetic(Arithmetic::Times | Arithmetic::Over) => 6,
        }
    }

    /// Whether it compares two values.
    pub fn compares(self) -> bool {
        matches!(self, Op::Compare(_) | Op::Like)
    }
}

impl Comparison {
    /// The same comparison with its sides exchanged.
    #[must_use]
    pub fn flipped(self) -> Self {
        match self {
            Comparison::Less => Comparison::More,
            Comparison::LessOrEqual => Comparison::MoreOrEqual,
            Comparison::More => Comparison::Less,
            Comparison::MoreOrEqual => Comparison::LessOrEqual,
            same => same,
        }
    }
}
