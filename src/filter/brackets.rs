//! Expressions printed fully bracketed.

use std::sync::LazyLock;

use proptest::prelude::*;

use super::oracle::VIEW;
use super::parser::{NUMBER_OR_CONDITION, Parser};
use super::syntax::{Expr, Node, Op};
use super::values::Value;
use super::{Expression, Mistake};
use crate::study::{Study, demo};

/// An expression with all brackets, and with the model and the truth of each value that are not those of [`VIEW`].
pub(super) fn bracketed(text: &str, study: &Study) -> Result<String, Mistake> {
    let node = Parser::new(text, study, VIEW)?.parse_all(NUMBER_OR_CONDITION)?;
    Ok(print_node(&node, study))
}

fn print_node(node: &Node, study: &Study) -> String {
    let of = |node: &Node| print_node(node, study);
    match &node.expr {
        Expr::Number(number) => number.to_string(),
        Expr::Text(text) => format!("{text:?}"),
        Expr::Value(value) => print_value(value, study),
        Expr::Not(inner) => format!("(not {})", of(inner)),
        Expr::Negative(inner) => format!("(-{})", of(inner)),
        Expr::Binary(op, left, right) => {
            let sign = Op::ALL.iter().find(|(_, other, _)| other == op).unwrap().0;
            format!("({} {sign} {})", of(left), of(right))
        }
    }
}

fn print_value(value: &Value, study: &Study) -> String {
    let name = value.spec.map_or(value.row.name.to_owned(), |spec| spec.to_string());
    let mut text = if value.k > 0 { format!("{name}({})", value.k) } else { name };
    if value.truth != VIEW.truth {
        text = format!("{}.{text}", study.truths[value.truth].name);
    }
    if value.model != VIEW.model {
        text = format!("{}.{text}", study.models[value.model].name);
    }
    text
}

#[test]
fn operators_have_the_usual_precedence() {
    let study = demo::open().unwrap();
    for (text, with_all_brackets) in [
        ("r1 or r5 and not rank == 2", "(r1 or (r5 and (not (rank == 2))))"),
        ("r - 1 - 2 * -r / 4", "((r - 1) - ((2 * (-r)) / 4))"),
        ("not r1 or r5", "((not r1) or r5)"),
        ("(r1 or r5) and r10", "((r1 or r5) and r10)"),
        (
            "broad.original.r1 < non_gt_in_top(broad, 5)",
            "(broad.original.r1 < broad.non_gt_in_top(5))",
        ),
        ("\"broad\".r1 and id == \"a\"", "(broad.r1 and (id == \"a\"))"),
        ("model:`broad`.truth:original.R@5", "broad.original.r5"),
    ] {
        assert_eq!(bracketed(text, &study).unwrap(), with_all_brackets, "{text}");
        assert_eq!(bracketed(with_all_brackets, &study).unwrap(), with_all_brackets);
    }
}

#[test]
fn mistakes_have_column_and_cause() {
    let study = demo::open().unwrap();
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
        ("non_gt_in_top(1 2)", 17, "\")\""),
        ("non_gt_in_top(1,)", 17, "a name"),
        (&"(".repeat(101), 101, "levels"),
        (&"-".repeat(101), 101, "levels"),
        (&"1+".repeat(600), 1001, "shorter"),
    ] {
        let mistake = Expression::condition(text, &study, VIEW).unwrap_err();
        assert_eq!(mistake.column(), column, "{text}: {mistake}");
        assert!(mistake.to_string().contains(part), "{text}: {mistake}");
    }
}

static STUDY: LazyLock<Study> = LazyLock::new(|| demo::open().unwrap());

proptest! {
    /// Any text is an expression or has a mistake inside it.
    #[test]
    fn any_text_is_parsed_or_has_a_mistake(text in "[a-c0-9r .,:()<>=!~+*/%\"`é\\\\-]{0,40}") {
        if let Err(mistake) = Expression::number(&text, &STUDY, VIEW) {
            prop_assert!(!mistake.to_string().is_empty());
        }
    }
}
