//! Differences of two models for people: intervals, tests, effects; shares in percent.

use super::Compared;
use crate::analysis::compare::{Family, ModelDifference};
use crate::analysis::inference::{Estimate, LEVEL, OF_DIFFERENCES};
use crate::data::Direction;
use crate::data::text::grouped;
use crate::evaluate::plan::remarks;
use crate::metric::{Unit, shown_in};
use crate::report::Table;
use crate::report::cell::{Cell, row};
use crate::study::Pool;

const DIFFERENCES: [&str; 12] = [
    "metric", "", "n", "clusters", "A", "B", "A - B", "95 % CI", "Holm p", "wins", "ties", "losses",
];

/// The means, their difference and how sure it is.
pub(super) fn differences<'a>(compared: &'a Compared<'_>, pair: [usize; 2]) -> Table<'a> {
    let [first, second] = compared.names(pair);
    let title = format!("{first} (A) - {second} (B), {}", clustered(compared));
    Table::new(title, DIFFERENCES, 2, of_pair(compared, pair).map(difference))
}

fn of_pair<'a>(
    compared: &Compared<'a>,
    pair: [usize; 2],
) -> impl Iterator<Item = &'a ModelDifference> + use<'a> {
    let rows = compared.rows.iter();
    rows.filter(move |row| row.models == pair)
}

fn clustered(compared: &Compared<'_>) -> &'static str {
    if compared.by_image { "clustered by image" } else { "each query a cluster of its own" }
}

fn difference(row: &ModelDifference) -> Vec<Cell> {
    let unit = row.unit();
    let means = row.paired.means();
    let value = |model: usize| means.map(|means| Cell::Value(means[model], unit));
    let difference = |value| Cell::Difference(value, unit);
    let mut cells = row![
        &row.line.key,
        row.direction,
        row.paired.len(),
        row.clusters,
        value(0),
        value(1),
        means.map(|[one, other]| difference(one - other)),
        row.interval().map(|ends| Cell::interval(ends, difference)),
        row.corrected.holm.map(Cell::corrected)
    ];
    let counts = row.line.is_merit().then(|| row.paired.counts(unit));
    cells.extend(counts.map_or([const { Cell::Empty }; 3], |of| of.map(Cell::from)));
    cells
}

const EFFECTS: [&str; 7] = ["metric", "", "p", "relative", "d_z", "odds ratio", "detectable"];

/// The uncorrected p-value and the effect sizes.
pub(super) fn effects<'a>(compared: &'a Compared<'_>, pair: [usize; 2]) -> Table<'a> {
    let mut head = EFFECTS.to_vec();
    if compared.margin.is_some() {
        head.extend(["p TOST", "p non-inferior"]);
    }
    let has_runs = of_pair(compared, pair).any(|row| row.runs.is_some());
    if has_runs {
        head.extend(["sd of A's runs", "sd of B's runs"]);
    }
    let rows = of_pair(compared, pair).map(move |row| {
        let mut cells = effect(row);
        if compared.margin.is_some() {
            let margin = compared.margin(row);
            cells.push(margin.map(|of| Cell::P(of.equivalent)).into());
            cells.push(margin.map(|of| Cell::P(of.not_worse)).into());
        }
        if has_runs {
            cells.extend([0, 1].map(|model| Cell::from(spread(row, model))));
        }
        cells
    });
    Table::new("tests and effects", head, 2, rows)
}

fn effect(row: &ModelDifference) -> Vec<Cell> {
    let (unit, effect) = (row.unit(), row.effect);
    let odds = |ratio: f64| {
        if ratio.is_finite() { Cell::Number(ratio, 2) } else { Cell::from("all wins") }
    };
    let relative = |share: f64| format!("{:+.1} %", share * 100.0);
    let detectable = row.estimate.map(Estimate::detectable);
    row![
        &row.line.key,
        row.direction,
        row.tested().map(|of| Cell::P(of.p())),
        effect.relative.map(relative),
        effect.standardised.map(|d| format!("{d:+.2}")),
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

/// What the columns are, once below all tables.
pub(super) fn legend(compared: &Compared<'_>) -> Vec<String> {
    let mut lines = vec![
        means(compared),
        format!("95 % CI, of one row at a time, and p, two-sided: {}", inference(compared)),
        format!("{}; * below {LEVEL}", family(compared)),
    ];
    lines.extend(single_runs(compared));
    lines.extend(same(compared));
    lines.extend(no_merit(compared));
    lines.extend(remarks(compared.rows.iter().map(|row| &row.line)).into_iter().map(str::to_owned));
    lines.push(
        "relative: (A - B) / B; d_z: A - B over the standard deviation of the differences by query; odds ratio: wins \
         over losses, values of 0 and 1; detectable: the least A - B found at 5 %, two-sided, with 80 % power"
            .into(),
    );
    if let Some(margin) = compared.margin {
        lines.push(format!(
            "margin {margin} (percentage points, or ranks): TOST of |A - B| below it, to which a 90 % CI belongs, not the 95 % CI \
             above; non-inferiority: A worse by less than it; neither p is adjusted for several rows"
        ));
    }
    if has_runs(compared) {
        lines.push(
            "several runs (seeds) of a model: the mean of their values; 95 % CI and p include the variance between runs; similarity \
             takes the first run"
                .into(),
        );
    }
    lines.extend(compared.rows.iter().flat_map(|row| compared.short(row)));
    lines
}

fn has_runs(compared: &Compared<'_>) -> bool {
    compared.rows.iter().any(|row| row.runs.is_some())
}

/// What the letters of a paper's table hang on: the tests, and what they are adjusted over.
pub(super) fn of_letters(compared: &Compared<'_>) -> Vec<String> {
    let mut lines = vec![format!("p, two-sided: {}", inference(compared)), family(compared)];
    lines.extend(single_runs(compared));
    lines.extend(same(compared));
    lines.extend(no_merit(compared));
    if has_runs(compared) {
        lines.push("several runs (seeds) of a model: the mean of their values; p includes the variance between runs".into());
    }
    lines.extend(compared.rows.iter().flat_map(|row| compared.short(row)));
    lines
}

fn means(compared: &Compared<'_>) -> String {
    let shares = shares(compared);
    format!("A - B, {shares}; n: queries with both values; win: A is better by 1e-9 or more")
}

/// What numbers are.
pub(super) fn shares(compared: &Compared<'_>) -> String {
    let means = match compared.pool {
        Pool::Folds => ", means of the folds' means, each query asked in its own fold",
        _ => "",
    };
    let units = compared.rows.iter().map(ModelDifference::unit);
    format!("{}{means}", shown_in(units))
}

fn inference(compared: &Compared<'_>) -> String {
    let clusters =
        if compared.by_image { "images, each with all its queries" } else { "single queries" };
    let held = if has_runs(compared) {
        "the gallery and models that both have a single run"
    } else {
        "the gallery and the trained models"
    };
    format!("{OF_DIFFERENCES}; clusters are {clusters}; {held} are held fixed")
}

/// Why differences from a model with a single run are not tested.
fn single_runs(compared: &Compared<'_>) -> Option<String> {
    let names = compared.rows.iter().filter_map(|row| compared.single_run(row));
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.dedup();
    (!names.is_empty()).then(|| {
        format!(
            "{}: a single run beside several of another model is not tested, as its spread between runs is unknown; the 95 % CI \
             takes it to be that of the other model, and is too narrow if it is larger",
            names.join(", ")
        )
    })
}

fn family(compared: &Compared<'_>) -> String {
    let is_tested = |row: &&ModelDifference| {
        let corrected = row.corrected;
        corrected.same_as.is_none() && corrected.holm.is_some()
    };
    let tested: Vec<&ModelDifference> = compared.rows.iter().filter(is_tested).collect();
    let family = match (compared.family, tested.len()) {
        (Family::Pair, _) => "over the hypotheses of each two models".to_owned(),
        (Family::All, 1) => "over one hypothesis".to_owned(),
        (Family::All, tested) => format!("over all {} hypotheses", grouped(tested)),
    };
    format!("Holm p: adjusted {family}{}", under(compared, &tested))
}

/// The ground truths that hypotheses are under, where there are several: each adds to what is corrected for.
fn under(compared: &Compared<'_>, tested: &[&ModelDifference]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for row in tested {
        let name = compared.study.truths[row.line.truth].name.as_str();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    match names.as_slice() {
        [] | [_] => String::new(),
        several => format!(", under {}", several.join(", ")),
    }
}

/// Rows that are no hypothesis.
fn no_merit(compared: &Compared<'_>) -> Option<String> {
    let keys = compared.rows.iter().filter(|row| !row.line.is_merit());
    let mut keys: Vec<&str> = keys.map(|row| row.line.key.as_str()).collect();
    keys.sort_unstable();
    keys.dedup();
    let keys = (!keys.is_empty()).then(|| keys.join(", "))?;
    Some(format!(
        "{keys}: not which model is better, but what is known of it: no win, and not among the hypotheses"
    ))
}

/// Rows that are the same hypothesis, with the models of which they are where they are not so of all.
fn same(compared: &Compared<'_>) -> Option<String> {
    let name =
        |row: &ModelDifference| format!("{} {}", row.line.key, Direction::key(row.direction));
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for row in compared.rows {
        let Some(first) = row.corrected.same_as else {
            continue;
        };
        let equal = format!("{} = {}", name(row), name(&compared.rows[first]));
        let of = compared.names(row.models).join(" - ");
        match found.iter_mut().find(|(known, _)| *known == equal) {
            Some((_, models)) => models.push(of),
            None => found.push((equal, vec![of])),
        }
    }
    let all = compared.models.len() * compared.models.len().saturating_sub(1) / 2;
    let told = found.into_iter().map(|(equal, models)| match models.len() {
        count if count == all => equal,
        _ => format!("{equal} ({})", models.join(", ")),
    });
    let told: Vec<String> = told.collect();
    (!told.is_empty())
        .then(|| format!("the same values for every query, one hypothesis: {}", told.join(", ")))
}
