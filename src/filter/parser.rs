//! Recursive descent parser with operator precedence. Names are looked up, and each part must be of the expected kind:
//! number, text or condition.

use std::ops::Range;

use super::counts::Needs;
use super::lexer::{self, Token};
use super::mistake::Mistake;
use super::names::{Name, Which};
use super::program::Kind;
use super::resolve::{self, Written};
use super::syntax::{COMPARISON, Expr, NEGATIVE, NOT, Node, Op};
use super::{range, ready, values};
use crate::study::{Study, View};

/// Maximum tokens: fewer than would exhaust the stack.
const MAX_TOKENS: usize = 1_000;
/// Maximum nesting of brackets.
const MAX_DEPTH: usize = 100;

type Parsed<T> = Result<T, Mistake>;

/// Accepted kinds, and the message for any other.
pub(super) type Wanted = (&'static [Kind], &'static str);

/// Condition on a query.
pub(super) const CONDITION: Wanted =
    (&[Kind::Condition, Kind::Flag], "a condition, such as r1 == 1");
pub(super) const NUMBER: Wanted = (&[Kind::Number, Kind::Flag], "a number");
/// A number, or a condition as 1 or 0.
pub(super) const NUMBER_OR_CONDITION: Wanted =
    (&[Kind::Number, Kind::Flag, Kind::Condition], "a number");
const TEXT: Wanted = (&[Kind::Text, Kind::Id], "text or id before ~");

/// Parses an expression over a study.
pub(super) struct Parser<'a> {
    text: &'a str,
    study: &'a Study,
    view: View,
    /// The next token, and its bytes.
    token: Token,
    at: Range<usize>,
    /// The end of the previous token.
    end: usize,
    taken: usize,
    depth: usize,
    /// Inputs of the parsed parts.
    pub needs: Needs,
    /// The bytes of each parsed value, but not in conditions used by name.
    pub values: Vec<Range<usize>>,
}

impl<'a> Parser<'a> {
    /// Starts at the first token of a text.
    pub fn new(text: &'a str, study: &'a Study, view: View) -> Parsed<Self> {
        let (token, at) = lexer::token(text, 0)?;
        let (needs, values) = (Needs::default(), Vec::new());
        Ok(Parser { text, study, view, token, at, end: 0, taken: 0, depth: 0, needs, values })
    }

    /// Parses the text as one expression of a kind.
    pub fn whole(&mut self, wanted: Wanted) -> Parsed<Node> {
        let node = self.expression(0)?;
        match self.token {
            Token::End => of_kind(node, wanted),
            _ => Err(self.unexpected("an operator such as and, or, ==, or the end")),
        }
    }

    /// Moves to the next token.
    fn step(&mut self) -> Parsed<()> {
        self.end = self.at.end;
        self.taken += 1;
        if self.taken > MAX_TOKENS {
            let found = format!("more than {MAX_TOKENS} words and signs");
            return Err(Mistake::new(self.at.clone(), found, "a shorter expression"));
        }
        (self.token, self.at) = lexer::token(self.text, self.end)?;
        Ok(())
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.token, Token::Sign(next) if next == sign)
    }

    /// Skips a sign if it is next.
    fn takes(&mut self, sign: &str) -> Parsed<bool> {
        let is_it = self.is_sign(sign);
        if is_it {
            self.step()?;
        }
        Ok(is_it)
    }

    fn must_take(&mut self, sign: &str) -> Parsed<()> {
        if self.takes(sign)? { Ok(()) } else { Err(self.unexpected(&format!("\"{sign}\""))) }
    }

    fn unexpected(&self, expected: &str) -> Mistake {
        let found = match &self.text[self.at.clone()] {
            "" => "nothing more is there",
            written => &format!("\"{written}\""),
        };
        Mistake::new(self.at.clone(), found, expected)
    }

    /// Whether a sign follows the next token.
    fn is_before(&self, sign: char) -> bool {
        self.text[self.at.end..].trim_start().starts_with(sign)
    }

    /// The next operator, and its precedence.
    fn operator(&self) -> Option<(Op, u8)> {
        let written = match &self.token {
            Token::Sign(sign) => sign,
            Token::Word(word) => word.as_str(),
            _ => return None,
        };
        let known = Op::ALL.iter().find(|(sign, ..)| *sign == written);
        known.map(|&(_, op, strength)| (op, strength))
    }

    /// An expression of operators of at least a precedence.
    fn expression(&mut self, least: u8) -> Parsed<Node> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let found = format!("more than {MAX_DEPTH} levels of brackets and signs");
            return Err(Mistake::new(self.at.clone(), found, "a simpler expression"));
        }
        let mut left = self.start(least)?;
        let mut compared = false;
        while let Some((op, strength)) = self.operator().filter(|op| op.1 >= least) {
            if strength == COMPARISON && compared {
                return Err(Mistake::new(
                    self.at.clone(),
                    "a second comparison in a row",
                    "and between comparisons, such as 1 < rank and rank < 10",
                ));
            }
            compared = strength == COMPARISON;
            self.step()?;
            let right = self.expression(strength + 1)?;
            let at = left.at.start..right.at.end;
            let [left_side, right_side] = self.sides(op, left, right)?.map(Box::new);
            left = Node { at, expr: Expr::Both(op, left_side, right_side) };
        }
        self.depth -= 1;
        Ok(left)
    }

    /// The start of an expression.
    fn start(&mut self, least: u8) -> Parsed<Node> {
        let start = self.at.start;
        if let Some((length, condition)) = ready::name_at_start(&self.text[start..], self.study) {
            self.at.end = start + length;
            return self.condition(condition);
        }
        let expr = match self.token.clone() {
            Token::Number(number) => {
                self.step()?;
                Expr::Number(number)
            }
            Token::Text(text) if !self.is_before('.') => {
                self.step()?;
                Expr::Text(text)
            }
            Token::Word(word) if word == "not" && least <= NOT => {
                self.step()?;
                Expr::Not(Box::new(of_kind(self.expression(NOT)?, CONDITION)?))
            }
            Token::Word(word) if ["and", "or", "not"].contains(&word.as_str()) => {
                return Err(self.unexpected("a value"));
            }
            Token::Word(_) | Token::Name(_) | Token::Text(_) => {
                let written = self.value()?;
                self.values.push(written.at.clone());
                let found = resolve::value(&written, self.study, self.view, &mut self.needs)?;
                Expr::Value(found)
            }
            Token::Sign("-") => {
                self.step()?;
                Expr::Negative(Box::new(of_kind(self.expression(NEGATIVE)?, NUMBER)?))
            }
            Token::Sign("(") => {
                self.step()?;
                let inner = self.expression(0)?;
                self.must_take(")")?;
                inner.expr
            }
            _ => return Err(self.unexpected("a value, a number or text in double quotes")),
        };
        Ok(Node { at: start..self.end, expr })
    }

    /// A ready condition by name.
    fn condition(&mut self, condition: &str) -> Parsed<Node> {
        let at = self.at.clone();
        let filled = ready::fill(condition, self.study, self.view).ok_or_else(|| {
            let needs = condition.replace(['{', '}'], "");
            let found = "this condition compares what these files lack";
            Mistake::new(at.clone(), found, format!("files with {needs}"))
        })?;
        let here = |mistake: Mistake| mistake.moved_to(self.text, at.clone());
        let mut inner = Parser::new(&filled, self.study, self.view).map_err(here)?;
        inner.needs = std::mem::take(&mut self.needs);
        let Node { expr, .. } = inner.whole(CONDITION).map_err(here)?;
        self.needs = std::mem::take(&mut inner.needs);
        self.step()?;
        Ok(Node { at, expr })
    }

    /// Checked operands of an operator.
    fn sides(&self, op: Op, left: Node, right: Node) -> Parsed<[Node; 2]> {
        match op {
            Op::And | Op::Or => return Ok([of_kind(left, CONDITION)?, of_kind(right, CONDITION)?]),
            op if op.is_arithmetic() => {
                return Ok([of_kind(left, NUMBER)?, of_kind(right, NUMBER)?]);
            }
            Op::Like => {
                let left = of_kind(left, TEXT)?;
                let Expr::Text(part) = right.expr else {
                    let expected = "words in double quotes, such as text ~ \"red bus\"";
                    return Err(Mistake::new(right.at, "no text behind ~", expected));
                };
                return Ok([left, Node { at: right.at, expr: Expr::Text(part.to_lowercase()) }]);
            }
            _ => {}
        }
        let at = left.at.start..right.at.end;
        match [left.kind(), right.kind()] {
            [Kind::Number | Kind::Flag, Kind::Number | Kind::Flag] => {
                range::check(self.text, op, &left, &right)?;
            }
            [Kind::Id, Kind::Number | Kind::Flag] | [Kind::Number | Kind::Flag, Kind::Id] => {}
            [Kind::Text | Kind::Id, Kind::Text | Kind::Id] => {
                if op != Op::Equal && op != Op::Differs {
                    let found = "texts are neither more nor less";
                    return Err(Mistake::new(at, found, "== or != or ~"));
                }
            }
            kinds => {
                let [left, right] = kinds.map(Kind::in_words);
                let found = format!("{left} is compared with {right}");
                let expected = "two numbers, two texts, or an id with a number or a text";
                return Err(Mistake::new(at, found, expected));
            }
        }
        Ok([left, right])
    }

    /// Names joined by points, ending in a value; and its arguments.
    fn value(&mut self) -> Parsed<Written> {
        let start = self.at.start;
        let mut names = Vec::new();
        let name = loop {
            match self.token.clone() {
                Token::Word(text) if !self.is_before('.') && !self.is_before(':') => {
                    let at = self.at.clone();
                    self.step()?;
                    break Name { text, which: None, at };
                }
                _ => names.push(self.name()?),
            }
            if !self.takes(".")? {
                return Err(self.unexpected("a point and a value, such as .r1"));
            }
        };
        let takes_texts = values::named(&name.text).is_some_and(|(row, _)| row.names.is_some());
        let (mut numbers, mut texts) = (None, Vec::new());
        if takes_texts && self.is_sign("(") {
            texts = self.texts()?;
        } else if self.takes("(")? {
            numbers = Some(self.arguments(&mut names)?);
        }
        Ok(Written { name, names, numbers, texts, at: start..self.end })
    }

    /// A name of a model or a truth.
    fn name(&mut self) -> Parsed<Name> {
        let start = self.at.start;
        let mut which = None;
        if self.is_before(':') {
            which = match &self.token {
                Token::Word(word) if word == "model" => Some(Which::Model),
                Token::Word(word) if word == "truth" => Some(Which::Truth),
                _ => return Err(self.unexpected("model: or truth:")),
            };
            self.step()?;
            self.step()?;
        }
        let (Token::Word(text) | Token::Name(text) | Token::Text(text)) = self.token.clone() else {
            return Err(self.unexpected("a name, in backticks where it is no plain word"));
        };
        self.step()?;
        Ok(Name { text, which, at: start..self.end })
    }

    /// Texts in brackets, with positions.
    fn texts(&mut self) -> Parsed<Vec<(String, Range<usize>)>> {
        let mut texts = Vec::new();
        while self.takes(if texts.is_empty() { "(" } else { "," })? {
            let Token::Text(text) = self.token.clone() else {
                return Err(self.unexpected("text in double quotes, such as (\"dog\")"));
            };
            texts.push((text, self.at.clone()));
            self.step()?;
        }
        self.must_take(")")?;
        Ok(texts)
    }

    /// Names and numbers up to the closing bracket; the numbers.
    fn arguments(&mut self, names: &mut Vec<Name>) -> Parsed<Vec<(f64, Range<usize>)>> {
        let mut numbers = Vec::new();
        if self.takes(")")? {
            return Ok(numbers);
        }
        loop {
            match self.token {
                Token::Number(k) => {
                    numbers.push((k, self.at.clone()));
                    self.step()?;
                }
                _ => names.push(self.name()?),
            }
            if !self.takes(",")? {
                self.must_take(")")?;
                return Ok(numbers);
            }
        }
    }
}

/// Checks the kind of a part.
fn of_kind(part: Node, (kinds, expected): Wanted) -> Parsed<Node> {
    let kind = part.kind();
    if kinds.contains(&kind) {
        return Ok(part);
    }
    Err(Mistake::new(part.at, format!("this is {}", kind.in_words()), expected))
}
