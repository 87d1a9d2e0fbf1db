//! Differences of models for people: one table, and with `--full` counts and effects; shares in percent.

use super::{Compared, Pair};
use crate::analysis::compare::ModelDifference;
use crate::analysis::inference::Estimate;
use crate::metric::Unit;
use crate::report::Table;
use crate::report::cell::{Cell, row};

/// Rows of all pairs under these heads. Where there are several pairs the first column says which.
fn table<'a>(
    compared: &'a Compared<'_>,
    title: String,
    heads: Vec<String>,
    cells: impl Fn(Pair, &ModelDifference) -> Vec<Cell> + 'a,
) -> Table<'a> {
    let pairs = compared.pairs();
    let mut head = vec!["metric".to_owned(), "ground truth".to_owned(), String::new()];
    let is_several = pairs.len() > 1;
    if is_several {
        head.insert(0, "A - B".to_owned());
    }
    let words = head.len();
    head.extend(heads);
    let rows = compared.rows.iter().map(move |row| {
        let pair = pairs.iter().find(|pair| pair.models == row.models);
        let pair = *pair.expect("every row is of a pair");
        let mut line = row![row.line.title(), compared.truth(row), row.direction];
        if is_several {
            line.insert(0, compared.ordered_names(pair).join(" - ").into());
        }
        line.extend(cells(pair, row));
        line
    });
    Table::new(title, head, words, rows)
}

/// What the models of a table are called: by their names where there are two.
fn sides(compared: &Compared<'_>) -> [String; 2] {
    match compared.pairs().as_slice() {
        [pair] => compared.ordered_names(*pair).map(str::to_owned),
        _ => ["A", "B"].map(str::to_owned),
    }
}

/// The means, their difference and how sure it is.
pub(super) fn differences<'a>(compared: &'a Compared<'_>) -> Table<'a> {
    let [first, second] = sides(compared);
    let units = compared.rows.iter().map(ModelDifference::unit);
    let order = if compared.margin.is_some() { "as named" } else { "better minus worse" };
    let title = format!("{first} - {second} ({order}), {}", super::notes::units(compared, units));
    let heads = ["difference", "95 % CI", "Holm p"].map(str::to_owned);
    let mut heads: Vec<String> = [first, second].into_iter().chain(heads).collect();
    if compared.margin.is_some() {
        heads.extend(["p TOST", "p non-inferior"].map(str::to_owned));
    }
    table(compared, title, heads, |pair, row| {
        let unit = row.unit();
        let means = row.paired.means().map(|means| pair.ordered(means));
        let value = |side: usize| means.map(|means| Cell::Value(means[side], unit));
        let difference = |value| Cell::Difference(value, unit);
        let ends = row.interval().map(|ends| pair.signed_ends(ends));
        let mut cells = row![
            value(0),
            value(1),
            means.map(|[one, other]| difference(one - other)),
            ends.map(|ends| Cell::interval(ends, difference)),
            row.corrected.holm.map(Cell::corrected)
        ];
        if compared.margin.is_some() {
            let margin = compared.margin(row);
            cells.push(margin.map(|of| Cell::P(of.equivalent)).into());
            cells.push(margin.map(|of| Cell::P(of.not_worse)).into());
        }
        cells
    })
}

/// Queries, clusters, and how many queries each model wins.
pub(super) fn counts<'a>(compared: &'a Compared<'_>) -> Table<'a> {
    let [first, second] = sides(compared).map(|name| format!("{name} wins"));
    let heads = ["queries".into(), "clusters".into(), first, "ties".into(), second];
    table(compared, "wins and ties".into(), heads.into(), |pair, row| {
        let mut cells = row![row.paired.len(), row.clusters];
        let counts = row.line.is_merit().then(|| row.paired.counts(row.unit()));
        cells.extend(counts.map_or([const { Cell::Empty }; 3], |[wins, ties, losses]| {
            let [first, second] = pair.ordered([wins, losses]);
            [first, ties, second].map(Cell::from)
        }));
        cells
    })
}

/// The uncorrected p-value and the effect sizes.
pub(super) fn effects<'a>(compared: &'a Compared<'_>) -> Table<'a> {
    let mut heads =
        ["p", "relative", "d_z", "odds ratio", "detectable"].map(str::to_owned).to_vec();
    let has_runs = compared.rows.iter().any(|row| row.runs.is_some());
    if has_runs {
        heads.extend(sides(compared).map(|name| format!("sd of {name}'s runs")));
    }
    table(compared, "effects".into(), heads, move |pair, row| {
        let mut cells = effect(pair, row);
        if has_runs {
            cells.extend(pair.sides.map(|model| Cell::from(spread(row, model))));
        }
        cells
    })
}

fn effect(pair: Pair, row: &ModelDifference) -> Vec<Cell> {
    let (unit, effect) = (row.unit(), row.effect);
    let odds = |ratio: f64| {
        let ratio = if pair.sides[0] == 0 { ratio } else { ratio.recip() };
        if ratio.is_finite() { Cell::Number(ratio, 2) } else { Cell::from("all wins") }
    };
    let means = row.paired.means().map(|means| pair.ordered(means));
    let means = means.filter(|[_, other]| *other != 0.0);
    let relative = |[one, other]: [f64; 2]| format!("{:+.1} %", (one - other) / other * 100.0);
    let detectable = row.estimate.map(Estimate::detectable);
    row![
        row.tested().map(|of| Cell::P(of.p())),
        means.map(relative),
        effect.standardised.map(|d| format!("{:+.2}", pair.signed(d))),
        effect.odds_ratio.map(odds),
        detectable.map(|least| match unit {
            Unit::Rank => Cell::Number(least, 2),
            unit => Cell::Value(least, unit),
        })
    ]
}

/// The standard deviation between runs, and how many there are.
fn spread(row: &ModelDifference, model: usize) -> Option<String> {
    let runs = row.runs.as_ref()?;
    let deviation = runs.spread[model]?.deviation?;
    let shown = row.unit().shown(Some(deviation));
    Some(format!("{shown} ({})", runs.count[model]))
}
