//! Labels, similarities and models by what people rated.

use serde_json::{Map, Value, json};

use super::cell::{Cell, row};
use super::{Json, Report, Table};
use crate::analysis::association::Association;
use crate::analysis::bootstrap::Draws;
use crate::analysis::ratings::{Compared, Correlated};
use crate::data::text::grouped;

/// Decimals of a correlation.
const DIGITS: usize = 3;

/// A set of pairs: key, title and correlations.
type PairsOf = (&'static str, &'static str, fn(&Compared) -> &Correlated);

/// The two sets of pairs.
const SETS: [PairsOf; 2] = [
    ("all", "all rated pairs", |compared| &compared.all),
    ("non_gt", "pairs that the original pairing does not list", |compared| &compared.others),
];

/// The correlations over both sets of pairs.
pub fn report(compared: &[Compared], draws: Draws) -> Report<'_> {
    let tables = SETS.map(|(_, title, of)| table(compared, title, of));
    Report {
        notes: vec![
            "correlation with the ratings, 0 to 5, over pairs; Spearman of midranks, Kendall's tau-b; - where one \
             side does not vary"
                .into(),
            format!(
                "95 % CI: the central part of {} resamples of the images with all their pairs (seed {})",
                grouped(draws.resamples),
                draws.seed
            ),
        ],
        ..Report::new(tables.into(), data(compared), Json::tree(|| json(compared)))
    }
}

fn table<'a>(compared: &'a [Compared], title: &str, of: fn(&Compared) -> &Correlated) -> Table<'a> {
    let mut head = vec!["name".to_owned(), String::new(), "pairs".to_owned()];
    for name in Association::NAMES {
        head.extend([name.to_owned(), "95 % CI".to_owned()]);
    }
    let number = |value| Cell::Number(value, DIGITS);
    let rows = compared.iter().map(move |one| {
        let correlated = of(one);
        let mut cells = row![&one.name, one.of.key(), correlated.pairs];
        for (value, interval) in correlated.value.each().into_iter().zip(correlated.interval) {
            cells.push(value.map_or(Cell::Undefined, number));
            cells.push(interval.map_or(Cell::Undefined, |ends| Cell::interval(ends, number)));
        }
        cells
    });
    Table::new(title, head, 2, rows)
}

/// One number a row.
fn data(compared: &[Compared]) -> Table<'_> {
    let head = ["pairs", "name", "kind", "correlation", "value", "low", "high", "count"];
    let rows = SETS.iter().flat_map(move |(key, _, of)| {
        compared.iter().flat_map(move |one| {
            let correlated = of(one);
            let each = correlated.value.each().into_iter().zip(correlated.interval);
            each.zip(Association::NAMES).map(move |((value, interval), name)| {
                let [low, high] = [0, 1].map(|end| interval.map(|ends| ends[end]));
                row![*key, &one.name, one.of.key(), name, value, low, high, correlated.pairs]
            })
        })
    });
    Table::new("", head, 4, rows)
}

fn json(compared: &[Compared]) -> Value {
    let of_set = |(key, _, of): &PairsOf| {
        let entries = compared.iter().map(|one| entry(one, of(one)));
        ((*key).to_owned(), entries.collect())
    };
    Value::Object(SETS.iter().map(of_set).collect())
}

fn entry(one: &Compared, correlated: &Correlated) -> Value {
    let mut entry = Map::new();
    entry.insert("name".into(), json!(one.name));
    entry.insert("kind".into(), json!(one.of.key()));
    entry.insert("pairs".into(), json!(correlated.pairs));
    let each = correlated.value.each().into_iter().zip(correlated.interval);
    for ((value, interval), name) in each.zip(Association::NAMES) {
        let told = json!({"value": value, "interval": interval});
        entry.insert(name.to_lowercase(), told);
    }
    Value::Object(entry)
}
