//! Tokens become an expression: recursive descent, operators by how tightly they bind.

use std::ops::Range;

use super::lexer::{Placed, Token, tokens};
use super::mistake::Mistake;
use super::ready;
use super::syntax::{COMPARISON, Expr, NEGATIVE, NOT, Name, Node, Op, Which, Written};
use crate::study::{Study, View};

/// More tokens than a person writes; fewer than would exhaust the stack.
const MOST_TOKENS: usize = 1_000;
/// The same of brackets in brackets.
const DEEPEST: usize = 100;

type Parsed<T> = Result<T, Mistake>;

/// Parses a text as one expression of the filter language; over a study the names of ready conditions stand for these.
pub(super) fn parse(text: &str, over: Option<(&Study, View)>) -> Parsed<Node<Written>> {
    let tokens = tokens(text, |rest| ready::starting(rest, over?.0))?;
    if let Some(token) = tokens.get(MOST_TOKENS) {
        let found = format!("more than {MOST_TOKENS} words and signs");
        return Err(Mistake::new(token.at.clone(), found).expected("a shorter expression"));
    }
    let mut parser = Parser { tokens, over, next: 0, depth: 0 };
    let node = parser.expression(0)?;
    match parser.token() {
        Token::End => Ok(node),
        _ => Err(parser.unexpected("an operator such as and, or, ==, or the end")),
    }
}

struct Parser<'a> {
    tokens: Vec<Placed>,
    over: Option<(&'a Study, View)>,
    next: usize,
    depth: usize,
}

impl Parser<'_> {
    fn token(&self) -> &Token {
        &self.tokens[self.next].token
    }

    fn at(&self) -> Range<usize> {
        self.tokens[self.next].at.clone()
    }

    /// The end of what was taken last.
    fn end(&self) -> usize {
        self.tokens[self.next.saturating_sub(1)].at.end
    }

    /// Goes on; the end stays where it is.
    fn step(&mut self) {
        self.next = (self.next + 1).min(self.tokens.len() - 1);
    }

    /// Takes a sign if it is next.
    fn takes(&mut self, sign: &str) -> bool {
        let is_it = matches!(self.token(), Token::Sign(next) if *next == sign);
        if is_it {
            self.step();
        }
        is_it
    }

    fn must_take(&mut self, sign: &str) -> Parsed<()> {
        if self.takes(sign) { Ok(()) } else { Err(self.unexpected(&format!("\"{sign}\""))) }
    }

    fn unexpected(&self, expected: &str) -> Mistake {
        Mistake::new(self.at(), self.token()).expected(expected)
    }

    /// The operator that is next, and how tightly it binds.
    fn operator(&self) -> Option<(Op, u8)> {
        let written = match self.token() {
            Token::Sign(sign) => sign,
            Token::Word(word) => word.as_str(),
            _ => return None,
        };
        let known = Op::ALL.iter().find(|(sign, ..)| *sign == written);
        known.map(|&(_, op, strength)| (op, strength))
    }

    /// An expression whose operators bind at least so tightly.
    fn expression(&mut self, least: u8) -> Parsed<Node<Written>> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let found = format!("more than {DEEPEST} levels of brackets and signs");
            return Err(Mistake::new(self.at(), found).expected("a simpler expression"));
        }
        let mut left = self.start(least)?;
        let mut compared = false;
        while let Some((op, strength)) = self.operator().filter(|op| op.1 >= least) {
            if strength == COMPARISON && compared {
                return Err(Mistake::new(self.at(), "a second comparison in a row")
                    .expected("and between comparisons, such as 1 < rank and rank < 10"));
            }
            compared = strength == COMPARISON;
            self.step();
            let right = self.expression(strength + 1)?;
            left = Node {
                at: left.at.start..right.at.end,
                expr: Expr::Both(op, Box::new(left), Box::new(right)),
            };
        }
        self.depth -= 1;
        Ok(left)
    }

    /// What an expression begins with.
    fn start(&mut self, least: u8) -> Parsed<Node<Written>> {
        let start = self.at().start;
        let expr = match self.token().clone() {
            Token::Number(number) => {
                self.step();
                Expr::Number(number)
            }
            Token::Text(text) if !self.is_before_point() => {
                self.step();
                Expr::Text(text)
            }
            Token::Word(word) if word == "not" && least <= NOT => {
                self.step();
                Expr::Not(Box::new(self.expression(NOT)?))
            }
            Token::Word(word) if ["and", "or", "not"].contains(&word.as_str()) => {
                return Err(self.unexpected("a value"));
            }
            Token::Word(_) | Token::Name(_) | Token::Text(_) => Expr::Value(self.value()?),
            Token::Condition(condition) => {
                let filled = self.over.and_then(|over| ready::fill(condition, over));
                let filled = filled.ok_or_else(|| {
                    let needs = condition.replace(['{', '}'], "");
                    Mistake::new(self.at(), "this condition compares what these files lack")
                        .expected(format!("files that tell {needs}"))
                })?;
                self.step();
                Expr::Named(Box::new(parse(&filled, None)?))
            }
            Token::Sign("-") => {
                self.step();
                Expr::Negative(Box::new(self.expression(NEGATIVE)?))
            }
            Token::Sign("(") => {
                self.step();
                let mut inner = self.expression(0)?;
                self.must_take(")")?;
                inner.at = start..self.end();
                return Ok(inner);
            }
            _ => return Err(self.unexpected("a value, a number or text in double quotes")),
        };
        let at = start..self.end();
        Ok(Node { at, expr })
    }

    fn is_before_point(&self) -> bool {
        let behind = self.tokens.get(self.next + 1);
        behind.is_some_and(|placed| placed.token == Token::Sign("."))
    }

    /// Names with points between them, the last one that of a value; and its arguments.
    fn value(&mut self) -> Parsed<Written> {
        let mut names = Vec::new();
        let name = loop {
            match self.token().clone() {
                Token::Word(text) if !self.is_before_point() && !self.is_qualifier() => {
                    let at = self.at();
                    self.step();
                    break Name { text, which: None, at };
                }
                _ => names.push(self.name()?),
            }
            if !self.takes(".") {
                return Err(self.unexpected("a point and a value, such as .r1"));
            }
        };
        let mut value = Written { name, names, numbers: None };
        if self.takes("(") {
            self.arguments(&mut value)?;
        }
        Ok(value)
    }

    /// Whether `model:` or `truth:` is next.
    fn is_qualifier(&self) -> bool {
        let behind = self.tokens.get(self.next + 1);
        behind.is_some_and(|placed| placed.token == Token::Sign(":"))
    }

    /// A name of a model or a truth.
    fn name(&mut self) -> Parsed<Name> {
        let start = self.at().start;
        let mut which = None;
        if self.is_qualifier() {
            which = match self.token() {
                Token::Word(word) if word == "model" => Some(Which::Model),
                Token::Word(word) if word == "truth" => Some(Which::Truth),
                _ => return Err(self.unexpected("model: or truth:")),
            };
            self.step();
            self.step();
        }
        let text = match self.token() {
            Token::Word(text) | Token::Name(text) | Token::Text(text) => text.clone(),
            _ => return Err(self.unexpected("a name, in backticks where it is no plain word")),
        };
        self.step();
        let at = start..self.end();
        Ok(Name { text, which, at })
    }

    /// Names and numbers up to the bracket that ends them.
    fn arguments(&mut self, value: &mut Written) -> Parsed<()> {
        let mut numbers = Vec::new();
        if !self.takes(")") {
            loop {
                match *self.token() {
                    Token::Number(k) => {
                        numbers.push((k, self.at()));
                        self.step();
                    }
                    _ => value.names.push(self.name()?),
                }
                if !self.takes(",") {
                    break;
                }
            }
            self.must_take(")")?;
        }
        value.numbers = Some(numbers);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::printed::printed;
    use super::*;

    #[test]
    fn operators_bind_as_people_expect() {
        for (text, with_all_brackets) in [
            ("a or b and not c == 1", "(a or (b and (not (c == 1))))"),
            ("a - 1 - 2 * -b / 4", "((a - 1) - ((2 * (-b)) / 4))"),
            ("not a or b", "((not a) or b)"),
            ("(a or b) and c", "((a or b) and c)"),
            ("x.y.r1 < f(a, 5)", "(`x`.`y`.r1 < f(`a`, 5))"),
            ("\"a-b\".r1 == \"a\"", "(`a-b`.r1 == \"a\")"),
            ("model:pm.truth:`q.1`.r1", "model:`pm`.truth:`q.1`.r1"),
        ] {
            assert_eq!(printed(&parse(text, None).unwrap()), with_all_brackets, "{text}");
        }
    }

    #[test]
    fn mistakes_are_told_with_their_column() {
        for (text, column, part) in [
            ("", 1, "nothing more is there"),
            ("r1 ==", 6, "nothing more is there"),
            ("r1 == 1 r5", 9, "an operator"),
            ("(r1 == 1", 9, "\")\""),
            ("1 < rank < 5", 10, "and between"),
            ("r1 == not r5", 7, "a value"),
            ("and r1", 1, "a value"),
            ("`ours` == 1", 8, "a point"),
            ("ours.5", 6, "backticks"),
            ("x:ours.r1", 1, "model: or truth:"),
            ("f(1 2)", 5, "\")\""),
            (&"(".repeat(101), 101, "levels"),
            (&"-".repeat(101), 101, "levels"),
            (&"1+".repeat(600), 1001, "shorter"),
        ] {
            let mistake = parse(text, None).unwrap_err().within(text);
            assert_eq!(mistake.column(), column, "{text}: {mistake}");
            assert!(mistake.to_string().contains(part), "{text}: {mistake}");
        }
    }
}
