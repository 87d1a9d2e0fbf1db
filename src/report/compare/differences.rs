//! Differences of two models for people: intervals, tests, effects; shares in percent.

use super::Compared;
use crate::analysis::bootstrap::{Studentised, Width};
use crate::analysis::compare::{Family, ModelDifference};
use crate::analysis::inference::{Tests, deciders};
use crate::data::Direction;
use crate::data::text::grouped;
use crate::evaluate::plan::remarks;
use crate::metric::{Unit, shown_in};
use crate::report::Table;
use crate::report::cell::{Cell, row};
use crate::study::Pool;

/// Rejected by Holm at this level, a p-value is marked.
const LEVEL: f64 = crate::analysis::bootstrap::LEVEL;

const DIFFERENCES: [&str; 13] = [
    "metric",
    "",
    "n",
    "clusters",
    "A",
    "B",
    "A - B",
    "95 % CI",
    "simultaneous 95 %",
    "Holm p",
    "wins",
    "ties",
    "losses",
];

/// The means, their difference and how sure it is.
pub(super) fn differences<'a>(compared: &'a Compared<'_>, pair: [usize; 2]) -> Table<'a> {
    let [first, second] = compared.names(pair);
    let title = format!("{first} (A) - {second} (B), {}", clustered(compared));
    Table::new(
        title,
        DIFFERENCES,
        2,
        of_pair(compared, pair).map(difference),
    )
}

fn of_pair<'a>(
    compared: &Compared<'a>,
    pair: [usize; 2],
) -> impl Iterator<Item = &'a ModelDifference> + use<'a> {
    let rows = compared.rows.iter();
    rows.filter(move |row| row.models == pair)
}

fn clustered(compared: &Compared<'_>) -> &'static str {
    if compared.by_image {
        "clustered by image"
    } else {
        "each query a cluster of its own"
    }
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
        row.tests.clusters,
        value(0),
        value(1),
        means.map(|[one, other]| difference(one - other)),
        row.interval().map(|ends| Cell::interval(ends, difference)),
        simultaneous(row),
        row.corrected.holm.map(Cell::corrected)
    ];
    let counts = row.line.is_merit().then(|| row.paired.counts(unit));
    cells.extend(counts.map_or([const { Cell::Empty }; 3], |of| of.map(Cell::from)));
    cells
}

/// An interval that excludes zero without reaching beyond it says so.
fn simultaneous(row: &ModelDifference) -> Option<Cell> {
    let (unit, ends) = (row.unit(), row.corrected.simultaneous?);
    let interval = Cell::interval(ends, |end| Cell::Difference(end, unit));
    let [low, high] = ends.map(|end| Cell::Difference(end, unit).shown());
    Some(match (row.excludes_zero() == Some(true), ends) {
        (true, [0.0, _]) => format!("above 0 to {high}").into(),
        (true, [_, 0.0]) => format!("{low} to below 0").into(),
        _ => interval,
    })
}

const EFFECTS: [&str; 9] = [
    "metric",
    "",
    "p rand.",
    "p t",
    "p McN.",
    "relative",
    "d_z",
    "odds ratio",
    "detectable",
];

/// What each test says, and how large the difference is.
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
        if ratio.is_finite() {
            Cell::Number(ratio, 2)
        } else {
            Cell::from("all wins")
        }
    };
    let relative = |share: f64| format!("{:+.1} %", share * 100.0);
    let detectable = row.studentised().map(Studentised::detectable);
    row![
        &row.line.key,
        row.direction,
        row.randomised().map(|test| Cell::P(test.p)),
        row.student().map(|test| Cell::P(test.p)),
        row.tests.mcnemar.map(Cell::P),
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
    let mut lines = vec![means(compared), inference(compared)];
    lines.extend(intervals(compared));
    lines.extend(tests(compared));
    lines.push(format!("{}; * below {LEVEL}", family(compared)));
    lines.extend(same(compared));
    lines.extend(no_merit(compared));
    lines.extend(
        remarks(compared.rows.iter().map(|row| &row.line))
            .into_iter()
            .map(str::to_owned),
    );
    lines.push(
        "relative: (A - B) / B; d_z: A - B over the standard deviation of the differences by query; odds ratio: wins \
         over losses, values of 0 and 1; detectable: the least A - B found at 5 %, two-sided, with 80 % power"
            .into(),
    );
    if let Some(margin) = compared.margin {
        lines.push(format!(
            "margin {margin} (percentage points, or ranks), by Student's t, where few differ with a win and a loss added: TOST of \
             |A - B| below it, to which a 90 % CI belongs, not the 95 % CI above; non-inferiority: A worse by less than it; neither p is adjusted for several rows, and there is none where no values differ"
        ));
    }
    if has_runs(compared) {
        lines.push(
            "several runs (seeds) of a model: the mean of their values. 95 % CI and p t, two-sided: \
             Student's t with the errors of images and runs and Satterthwaite's df, no narrower than resamples of both \
             say; Holm takes it; randomisation, McNemar's test and odds ratios are of single runs; similarity takes the first run"
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
    let mut lines = vec![inference(compared), compared.draws.to_string()];
    lines.extend(tests(compared));
    lines.push(family(compared));
    lines.extend(same(compared));
    lines.extend(no_merit(compared));
    if has_runs(compared) {
        lines.push(
            "several runs (seeds) of a model: the mean of their values; p by Student's t with the errors of images \
             and runs"
                .into(),
        );
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
    let drawn = if compared.by_image {
        "images are resampled, each with all its queries"
    } else {
        "queries are resampled one by one"
    };
    let held = if has_runs(compared) {
        "the gallery and models of a single run are held fixed"
    } else {
        "the gallery and the trained models are held fixed"
    };
    format!("inference is about queries: {drawn}; {held}")
}

/// The tests of rows of single runs.
fn single<'a>(compared: &Compared<'a>) -> impl Iterator<Item = &'a Tests> {
    let rows = compared.rows.iter().filter(|row| row.runs.is_none());
    rows.map(|row| &row.tests)
}

fn intervals(compared: &Compared<'_>) -> Vec<String> {
    let widths: Vec<Width> = single(compared).filter_map(Tests::width).collect();
    let of_single =
        (!widths.is_empty()).then(|| format!("95 % CI: {}", compared.draws.of_differences(widths)));
    let at_once = match compared.family {
        Family::All => "all",
        Family::Pair => "those of each two models",
    };
    let simultaneous = format!(
        "simultaneous 95 %: {at_once} hold at once, and exclude 0 exactly where Holm p is marked; while some are not, an \
         interval of a marked one reaches to 0 (Strassburger and Bretz 2008, Guilbaud 2008)"
    );
    of_single.into_iter().chain([simultaneous]).collect()
}

/// The tests of single runs, as far as rows have them; nothing where every model has several.
fn tests(compared: &Compared<'_>) -> Option<String> {
    let has = |of: fn(&Tests) -> bool| single(compared).any(of);
    let all = [
        (
            has(|of| of.randomised.is_some()),
            "paired randomisation of the mean (exact where 16 clusters or fewer differ, else 1 / (resamples + 1) at least)",
        ),
        (
            has(|of| of.student.is_some()),
            "Student's t with cluster-robust standard errors",
        ),
        (
            has(|of| of.mcnemar.is_some()),
            "McNemar's mid-p (values of 0 and 1, each query a cluster, not in folds)",
        ),
    ];
    let told: Vec<&str> = all.iter().filter(|(has, _)| *has).map(|of| of.1).collect();
    (!told.is_empty()).then(|| {
        format!(
            "p, two-sided: {}; Holm takes {}",
            told.join(", "),
            deciders(single(compared).filter_map(Tests::decider))
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
    (!told.is_empty()).then(|| {
        format!(
            "the same values for every query, one hypothesis: {}",
            told.join(", ")
        )
    })
}
