//! Recursive descent parser with operator precedence. It looks up names, and checks that each part is of an accepted
//! kind: number, text or condition.

use std::ops::Range;

use super::inputs::Needs;
use super::lexer::{self, Token};
use super::mistake::Mistake;
use super::names::{Name, NameKind};
use super::program::Kind;
use super::resolve::{self, RawValue};
use super::syntax::{COMPARISON, Expr, NEGATIVE, NOT, Node, Op};
use super::{range, ready, values};
use crate::study::{Study, View};

/// Maximum number of tokens: more could exhaust the stack.
const MAX_TOKENS: usize = 1_000;
/// Maximum nesting of brackets and signs.
const MAX_DEPTH: usize = 100;

/// Result of parsing, or the mistake.
type Parsed<T> = Result<T, Mistake>;

/// Kinds accepted for a part of an expression, and their description for the mistake that it has another kind.
pub(super) type AcceptedKinds = (&'static [Kind], &'static str);

/// A condition on a query.
pub(super) const CONDITION: AcceptedKinds =
    (&[Kind::Condition, Kind::Flag], "a condition, such as r1 == 1");
/// A number, also one that is 0 or 1.
pub(super) const NUMBER: AcceptedKinds = (&[Kind::Number, Kind::Flag], "a number");
/// A number, or a condition as 1 or 0.
pub(super) const NUMBER_OR_CONDITION: AcceptedKinds =
    (&[Kind::Number, Kind::Flag, Kind::Condition], "a number");
/// The left operand of `~`.
const TEXT: AcceptedKinds = (&[Kind::Text, Kind::Id], "text or id before ~");

/// Parses an expression over a study.
pub(super) struct Parser<'a> {
    text: &'a str,
    study: &'a Study,
    view: View,
    /// The next token.
    token: Token,
    /// Byte range of the next token.
    at: Range<usize>,
    /// End of the previous token, in bytes.
    end: usize,
    /// Number of tokens before the next one.
    token_count: usize,
    /// Nesting of the current part.
    depth: usize,
    /// Inputs of the parsed parts.
    pub needs: Needs,
    /// Byte range of each parsed value, without those of conditions used by name.
    pub values: Vec<Range<usize>>,
}

impl<'a> Parser<'a> {
    /// Starts at the first token of a text.
    pub fn new(text: &'a str, study: &'a Study, view: View) -> Parsed<Self> {
        let (token, at) = lexer::next_token(text, 0)?;
        let (needs, values) = (Needs::default(), Vec::new());
        Ok(Parser { text, study, view, token, at, end: 0, token_count: 0, depth: 0, needs, values })
    }

    /// Parses the whole text as one expression of an accepted kind.
    pub fn parse_all(&mut self, kinds: AcceptedKinds) -> Parsed<Node> {
        let node = self.parse_expression(0)?;
        match self.token {
            Token::End => require_kind(node, kinds),
            _ => Err(self.unexpected("an operator such as and, or, ==, or the end")),
        }
    }

    /// Moves to the next token.
    fn step(&mut self) -> Parsed<()> {
        self.end = self.at.end;
        self.token_count += 1;
        if self.token_count > MAX_TOKENS {
            let found = format!("more than {MAX_TOKENS} words and signs");
            return Err(Mistake::new(self.at.clone(), found, "a shorter expression"));
        }
        (self.token, self.at) = lexer::next_token(self.text, self.end)?;
        Ok(())
    }

    /// Whether the next token is this sign.
    fn is_next(&self, sign: &str) -> bool {
        matches!(self.token, Token::Sign(next) if next == sign)
    }

    /// Skips a sign if it is next; returns whether it was.
    fn skip(&mut self, sign: &str) -> Parsed<bool> {
        let is_next = self.is_next(sign);
        if is_next {
            self.step()?;
        }
        Ok(is_next)
    }

    /// Skips a sign, which must be next.
    fn require(&mut self, sign: &str) -> Parsed<()> {
        if self.skip(sign)? { Ok(()) } else { Err(self.unexpected(&format!("\"{sign}\""))) }
    }

    /// The mistake that the next token is not `expected`.
    fn unexpected(&self, expected: &str) -> Mistake {
        let found = match &self.text[self.at.clone()] {
            "" => "nothing more is there",
            token => &format!("\"{token}\""),
        };
        Mistake::new(self.at.clone(), found, expected)
    }

    /// Whether a sign follows the next token.
    fn is_followed_by(&self, sign: char) -> bool {
        self.text[self.at.end..].trim_start().starts_with(sign)
    }

    /// The next token as a binary operator, and its precedence; `None` if it is none.
    fn operator(&self) -> Option<(Op, u8)> {
        let written = match &self.token {
            Token::Sign(sign) => sign,
            Token::Word(word) => word.as_str(),
            _ => return None,
        };
        let row = Op::ALL.iter().find(|(sign, ..)| *sign == written);
        row.map(|&(_, op, precedence)| (op, precedence))
    }

    /// Parses operands and binary operators of at least this precedence.
    fn parse_expression(&mut self, min_precedence: u8) -> Parsed<Node> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let found = format!("more than {MAX_DEPTH} levels of brackets and signs");
            return Err(Mistake::new(self.at.clone(), found, "a simpler expression"));
        }
        let mut left = self.parse_operand(min_precedence)?;
        let mut is_compared = false;
        while let Some((op, precedence)) = self.operator().filter(|op| op.1 >= min_precedence) {
            if precedence == COMPARISON && is_compared {
                return Err(Mistake::new(
                    self.at.clone(),
                    "a second comparison in a row",
                    "and between comparisons, such as 1 < rank and rank < 10",
                ));
            }
            is_compared = precedence == COMPARISON;
            self.step()?;
            let right = self.parse_expression(precedence + 1)?;
            let at = left.at.start..right.at.end;
            let [first, second] = self.check_operands(op, left, right)?.map(Box::new);
            left = Node { at, expr: Expr::Binary(op, first, second) };
        }
        self.depth -= 1;
        Ok(left)
    }

    /// Parses an operand: a constant, a value, a condition by name, a negated operand or an expression in brackets.
    fn parse_operand(&mut self, min_precedence: u8) -> Parsed<Node> {
        let start = self.at.start;
        if let Some((length, template)) = ready::name_at_start(&self.text[start..], self.study) {
            self.at.end = start + length;
            return self.named_condition(template);
        }
        let expr = match self.token.clone() {
            Token::Number(number) => {
                self.step()?;
                Expr::Number(number)
            }
            Token::Text(text) if !self.is_followed_by('.') => {
                self.step()?;
                Expr::Text(text)
            }
            Token::Word(word) if word == "not" && min_precedence <= NOT => {
                self.step()?;
                Expr::Not(Box::new(require_kind(self.parse_expression(NOT)?, CONDITION)?))
            }
            Token::Word(word) if ["and", "or", "not"].contains(&word.as_str()) => {
                return Err(self.unexpected("a value"));
            }
            Token::Word(_) | Token::Name(_) | Token::Text(_) => {
                let written = self.parse_value()?;
                self.values.push(written.at.clone());
                let value = resolve::look_up(&written, self.study, self.view, &mut self.needs)?;
                Expr::Value(value)
            }
            Token::Sign("-") => {
                self.step()?;
                Expr::Negative(Box::new(require_kind(self.parse_expression(NEGATIVE)?, NUMBER)?))
            }
            Token::Sign("(") => {
                self.step()?;
                let inner = self.parse_expression(0)?;
                self.require(")")?;
                inner.expr
            }
            _ => return Err(self.unexpected("a value, a number or text in double quotes")),
        };
        Ok(Node { at: start..self.end, expr })
    }

    /// Fills and parses the `template` of a ready condition, and skips its name, which is at `self.at`.
    fn named_condition(&mut self, template: &str) -> Parsed<Node> {
        let at = self.at.clone();
        let filled = ready::fill_template(template, self.study, self.view).ok_or_else(|| {
            let needs = template.replace(['{', '}'], "");
            let found = "this condition compares what these files lack";
            Mistake::new(at.clone(), found, format!("files with {needs}"))
        })?;
        let at_name = |mistake: Mistake| mistake.moved_to(self.text, at.clone());
        let mut inner = Parser::new(&filled, self.study, self.view).map_err(at_name)?;
        inner.needs = std::mem::take(&mut self.needs);
        let Node { expr, .. } = inner.parse_all(CONDITION).map_err(at_name)?;
        self.needs = std::mem::take(&mut inner.needs);
        self.step()?;
        Ok(Node { at, expr })
    }

    /// Checks that operands are of kinds that the operator accepts, and that a comparison can be met; returns them.
    fn check_operands(&self, op: Op, left: Node, right: Node) -> Parsed<[Node; 2]> {
        match op {
            Op::And | Op::Or => {
                return Ok([require_kind(left, CONDITION)?, require_kind(right, CONDITION)?]);
            }
            op if op.is_arithmetic() => {
                return Ok([require_kind(left, NUMBER)?, require_kind(right, NUMBER)?]);
            }
            Op::Like => {
                let left = require_kind(left, TEXT)?;
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
                range::check_range(self.text, op, &left, &right)?;
            }
            [Kind::Id, Kind::Number | Kind::Flag] | [Kind::Number | Kind::Flag, Kind::Id] => {}
            [Kind::Text | Kind::Id, Kind::Text | Kind::Id] => {
                if op != Op::Equal && op != Op::Differs {
                    let found = "texts are neither more nor less";
                    return Err(Mistake::new(at, found, "== or != or ~"));
                }
            }
            kinds => {
                let [left, right] = kinds.map(Kind::label);
                let found = format!("{left} is compared with {right}");
                let expected = "two numbers, two texts, or an id with a number or a text";
                return Err(Mistake::new(at, found, expected));
            }
        }
        Ok([left, right])
    }

    /// Parses names joined by points (the last names a value), and the arguments of the value.
    fn parse_value(&mut self) -> Parsed<RawValue> {
        let start = self.at.start;
        let mut names = Vec::new();
        let name = loop {
            match self.token.clone() {
                Token::Word(text) if !self.is_followed_by('.') && !self.is_followed_by(':') => {
                    let at = self.at.clone();
                    self.step()?;
                    break Name { text, kind: None, at };
                }
                _ => names.push(self.parse_name()?),
            }
            if !self.skip(".")? {
                return Err(self.unexpected("a point and a value, such as .r1"));
            }
        };
        let has_texts = values::find_value(&name.text).is_some_and(|(row, _)| row.names.is_some());
        let (mut numbers, mut texts) = (None, Vec::new());
        if has_texts && self.is_next("(") {
            texts = self.parse_texts()?;
        } else if self.skip("(")? {
            numbers = Some(self.parse_arguments(&mut names)?);
        }
        Ok(RawValue { name, names, numbers, texts, at: start..self.end })
    }

    /// Parses the name of a model or a truth, with its kind if given.
    fn parse_name(&mut self) -> Parsed<Name> {
        let start = self.at.start;
        let mut kind = None;
        if self.is_followed_by(':') {
            kind = match &self.token {
                Token::Word(word) if word == "model" => Some(NameKind::Model),
                Token::Word(word) if word == "truth" => Some(NameKind::Truth),
                _ => return Err(self.unexpected("model: or truth:")),
            };
            self.step()?;
            self.step()?;
        }
        let (Token::Word(text) | Token::Name(text) | Token::Text(text)) = self.token.clone() else {
            return Err(self.unexpected("a name, in backticks where it is no plain word"));
        };
        self.step()?;
        Ok(Name { text, kind, at: start..self.end })
    }

    /// Parses texts in brackets; returns each with its byte range.
    fn parse_texts(&mut self) -> Parsed<Vec<(String, Range<usize>)>> {
        let mut texts = Vec::new();
        while self.skip(if texts.is_empty() { "(" } else { "," })? {
            let Token::Text(text) = self.token.clone() else {
                return Err(self.unexpected("text in double quotes, such as (\"dog\")"));
            };
            texts.push((text, self.at.clone()));
            self.step()?;
        }
        self.require(")")?;
        Ok(texts)
    }

    /// Parses arguments up to the closing bracket: adds names to `names`, returns numbers with their byte ranges.
    fn parse_arguments(&mut self, names: &mut Vec<Name>) -> Parsed<Vec<(f64, Range<usize>)>> {
        let mut numbers = Vec::new();
        if self.skip(")")? {
            return Ok(numbers);
        }
        loop {
            match self.token {
                Token::Number(number) => {
                    numbers.push((number, self.at.clone()));
                    self.step()?;
                }
                _ => names.push(self.parse_name()?),
            }
            if !self.skip(",")? {
                self.require(")")?;
                return Ok(numbers);
            }
        }
    }
}

/// Checks that a part is of an accepted kind, and returns it.
fn require_kind(part: Node, (kinds, expected): AcceptedKinds) -> Parsed<Node> {
    let kind = part.kind();
    if kinds.contains(&kind) {
        return Ok(part);
    }
    Err(Mistake::new(part.at, format!("this is {}", kind.label()), expected))
}
