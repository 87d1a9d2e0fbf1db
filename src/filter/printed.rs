//! Expressions printed with all their brackets; they must read back as the same.

use proptest::prelude::*;

use super::parser::parse;
use super::syntax::{Expr, Name, Node, Op, Which, Written};

pub(super) fn printed(node: &Node<Written>) -> String {
    match &node.expr {
        Expr::Number(number) => number.to_string(),
        Expr::Text(text) => quoted(text, '"'),
        Expr::Value(value) => value_printed(value),
        Expr::Not(inner) => format!("(not {})", printed(inner)),
        Expr::Negative(inner) => format!("(-{})", printed(inner)),
        Expr::Both(op, left, right) => {
            format!("({} {} {})", printed(left), sign(*op), printed(right))
        }
        Expr::Named(inner) => printed(inner),
    }
}

fn sign(op: Op) -> &'static str {
    let mut all = Op::ALL.iter();
    all.find(|(_, other, _)| *other == op).unwrap().0
}

fn value_printed(value: &Written) -> String {
    let name = |name: &Name| {
        let which = name.which.map(|which| format!("{}:", which.word()));
        which.unwrap_or_default() + &quoted(&name.text, '`')
    };
    let mut names: Vec<String> = value.names.iter().map(name).collect();
    let Some(numbers) = &value.numbers else {
        names.push(value.name.text.clone());
        return names.join(".");
    };
    names.extend(numbers.iter().map(|(k, _)| k.to_string()));
    format!("{}({})", value.name.text, names.join(", "))
}

fn quoted(text: &str, quote: char) -> String {
    let text = text.replace('\\', "\\\\");
    format!("{quote}{}{quote}", text.replace(quote, &format!("\\{quote}")))
}

fn name() -> impl Strategy<Value = Name> {
    let which = prop_oneof![Just(None), Just(Some(Which::Model)), Just(Some(Which::Truth))];
    (".{0,6}", which).prop_map(|(text, which)| Name { text, which, at: 0..0 })
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![(0u32..2_000).prop_map(f64::from), 0.0..1e6]
}

fn leaf() -> impl Strategy<Value = Expr<Written>> {
    let word = "[a-z_][a-z0-9_]{0,6}"
        .prop_filter("a word of the language", |word: &String| super::lexer::is_plain(word));
    let numbers = proptest::collection::vec(number().prop_map(|k| (k, 0..0)), 0..3);
    let names = proptest::collection::vec(name(), 0..3);
    let value = (word, names, proptest::option::of(numbers)).prop_map(|(text, names, numbers)| {
        Expr::Value(Written { name: Name { text, which: None, at: 0..0 }, names, numbers })
    });
    prop_oneof![number().prop_map(Expr::Number), ".{0,8}".prop_map(Expr::Text), value]
}

fn node() -> impl Strategy<Value = Node<Written>> {
    let placed = |expr| Node { at: 0..0, expr };
    leaf().prop_map(placed).prop_recursive(6, 40, 2, move |inner| {
        let op = (0..Op::ALL.len()).prop_map(|at| Op::ALL[at].1);
        let boxed = inner.prop_map(Box::new).boxed();
        prop_oneof![
            boxed.clone().prop_map(Expr::Not),
            boxed.clone().prop_map(Expr::Negative),
            (op, boxed.clone(), boxed).prop_map(|(op, left, right)| Expr::Both(op, left, right)),
        ]
        .prop_map(placed)
    })
}

proptest! {
    #[test]
    fn a_printed_expression_reads_back(node in node()) {
        let text = printed(&node);
        let read = parse(&text, None).map_err(|mistake| mistake.within(&text).to_string());
        prop_assert_eq!(read.map(|read| printed(&read)), Ok(text));
    }

    /// Whatever is typed, there is an expression or a mistake inside the text.
    #[test]
    fn nothing_that_is_typed_fails_otherwise(text in "[a-c0-9 .,:()<>=!~+*/%\"`é\\\\-]{0,40}") {
        if let Err(mistake) = parse(&text, None) {
            prop_assert!(!mistake.within(&text).to_string().is_empty());
        }
    }
}
