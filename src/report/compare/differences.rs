//! Differences of two models for people: intervals, tests, effects; shares in percent.

use super::Compared;
use crate::analysis::bootstrap::Studentised;
use crate::analysis::compare::{Family, Row};
use crate::analysis::inference::LEAST_EXTREME;
use crate::data::Direction;
use crate::data::text::grouped;
use crate::metric::Unit;
use crate::report::sheet::Sheet;
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
pub(super) fn differences(compared: &Compared<'_>, pair: [usize; 2]) -> Sheet {
    let [first, second] = compared.names(pair);
    let rows = compared.rows.iter().filter(|row| row.models == pair);
    Sheet {
        title: format!("{first} (A) - {second} (B), {}", clustered(compared)),
        head: DIFFERENCES.map(str::to_owned).to_vec(),
        rows: rows.map(difference).collect(),
        words: 2,
    }
}

fn clustered(compared: &Compared<'_>) -> &'static str {
    if compared.by_image {
        "clustered by image"
    } else {
        "each query a cluster of its own"
    }
}

fn difference(row: &Row) -> Vec<String> {
    let unit = row.unit();
    let means = row.paired.means();
    let [first, second] = [0, 1].map(|model| unit.shown(means.map(|means| means[model])));
    let mut cells = vec![
        row.line.key.clone(),
        row.direction.to_string(),
        grouped(row.paired.len()),
        grouped(row.tests.clusters),
        first,
        second,
        means.map_or_else(dash, |[one, other]| signed(unit, one - other)),
        row.interval()
            .map_or_else(dash, |ends| interval(unit, ends)),
        simultaneous(row).unwrap_or_else(dash),
        marked(row.corrected.holm),
    ];
    cells.extend(row.paired.counts(unit).map(grouped));
    cells
}

fn interval(unit: Unit, ends: [f64; 2]) -> String {
    let [low, high] = ends.map(|end| signed(unit, end));
    format!("{low} to {high}")
}

/// An interval that excludes zero without reaching beyond it says so.
fn simultaneous(row: &Row) -> Option<String> {
    let (unit, ends) = (row.unit(), row.corrected.simultaneous?);
    let [low, high] = ends.map(|end| signed(unit, end));
    Some(match (row.excludes_zero() == Some(true), ends) {
        (true, [0.0, _]) => format!("above 0 to {high}"),
        (true, [_, 0.0]) => format!("{low} to below 0"),
        _ => interval(unit, ends),
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
pub(super) fn effects(compared: &Compared<'_>, pair: [usize; 2]) -> Sheet {
    let rows = || compared.rows.iter().filter(|row| row.models == pair);
    let mut head = EFFECTS.map(str::to_owned).to_vec();
    if compared.margin.is_some() {
        head.extend(["p TOST", "p non-inferior"].map(str::to_owned));
    }
    let has_runs = rows().any(|row| row.runs.is_some());
    if has_runs {
        head.extend(["sd of A's runs", "sd of B's runs"].map(str::to_owned));
    }
    let row = |row: &Row| {
        let mut cells = effect(row);
        if compared.margin.is_some() {
            let margin = compared.margin(row);
            cells.push(p_value(margin.map(|of| of.equivalent)));
            cells.push(p_value(margin.map(|of| of.not_worse)));
        }
        if has_runs {
            cells.extend([0, 1].map(|model| spread(row, model)));
        }
        cells
    };
    Sheet {
        title: "tests and effects".into(),
        head,
        rows: rows().map(row).collect(),
        words: 2,
    }
}

fn effect(row: &Row) -> Vec<String> {
    let (unit, effect) = (row.unit(), row.effect);
    let or_dash = |text: Option<String>| text.unwrap_or_else(dash);
    let odds = |ratio: f64| {
        if ratio.is_finite() {
            format!("{ratio:.2}")
        } else {
            "all wins".to_owned()
        }
    };
    let detectable = row.studentised().map(Studentised::detectable);
    vec![
        row.line.key.clone(),
        row.direction.to_string(),
        p_value(row.randomised().map(|test| test.p)),
        p_value(row.student().map(|test| test.p)),
        p_value(row.tests.mcnemar),
        or_dash(
            effect
                .relative
                .map(|share| format!("{:+.1} %", share * 100.0)),
        ),
        or_dash(effect.standardised.map(|d| format!("{d:+.2}"))),
        or_dash(effect.odds_ratio.map(odds)),
        or_dash(detectable.map(|least| unit.shown(Some(least)))),
    ]
}

/// The standard deviation between runs, and how many there are.
fn spread(row: &Row, model: usize) -> String {
    let runs = row.runs.as_ref();
    let told = runs.and_then(|runs| Some((runs.count[model], runs.spread[model]?.deviation?)));
    told.map_or_else(dash, |(count, deviation)| {
        format!("{} ({count})", row.unit().shown(Some(deviation)))
    })
}

pub(super) fn dash() -> String {
    "-".to_owned()
}

/// A difference, with its sign.
fn signed(unit: Unit, difference: f64) -> String {
    match unit {
        Unit::Share => format!("{:+.2}", difference * 100.0),
        Unit::Sum => format!("{difference:+.2}"),
        Unit::Rank => format!("{difference:+.1}"),
    }
}

pub(in crate::report) fn p_value(p: Option<f64>) -> String {
    match p {
        None => dash(),
        Some(p) if p < 0.00005 => "<0.0001".to_owned(),
        Some(p) => format!("{p:.4}"),
    }
}

pub(in crate::report) fn marked(p: Option<f64>) -> String {
    let mark = if p.is_some_and(|p| p < LEVEL) {
        "*"
    } else {
        ""
    };
    format!("{mark}{}", p_value(p))
}

/// What the columns are, once below all tables.
pub(super) fn legend(compared: &Compared<'_>) -> Vec<String> {
    let mut lines = vec![means(compared), inference(compared)];
    lines.extend(intervals(compared));
    lines.push(tests());
    lines.push(family(compared));
    lines.extend(same(compared));
    lines.push(
        "relative: (A - B) / B; d_z: A - B over the standard deviation of the differences by query; odds ratio: wins \
         over losses, values of 0 and 1; detectable: the least A - B found at 5 %, two-sided, with 80 % power"
            .into(),
    );
    if let Some(margin) = compared.margin {
        lines.push(format!(
            "margin {margin} (percentage points, or ranks), by Student's t: TOST of |A - B| below it, to which a 90 % \
             CI belongs; non-inferiority: A worse by less than it"
        ));
    }
    if compared.rows.iter().any(|row| row.runs.is_some()) {
        lines.push(
            "several runs (seeds) of a model: the mean of their values. The 95 % CI draws images and runs, and is no \
             narrower than Student's t; p t has the errors of both and Satterthwaite's df, and Holm takes it; \
             similarity takes the first run"
                .into(),
        );
    }
    lines.extend(compared.rows.iter().flat_map(|row| compared.short(row)));
    lines
}

fn means(compared: &Compared<'_>) -> String {
    let means = match compared.pool {
        Pool::Folds => "; means of the folds' means, each query asked in its own fold",
        _ => "",
    };
    format!(
        "A - B, shares in percent; n: queries with both values; win: A is better by 1e-9 or more{means}"
    )
}

fn inference(compared: &Compared<'_>) -> String {
    let drawn = if compared.by_image {
        "images are resampled, each with all its queries"
    } else {
        "queries are resampled one by one"
    };
    let held = if compared.rows.iter().any(|row| row.runs.is_some()) {
        "the gallery is held fixed, and every model of one run"
    } else {
        "the gallery and the trained models are held fixed"
    };
    format!("inference is about queries: {drawn}; {held}")
}

fn intervals(compared: &Compared<'_>) -> [String; 2] {
    let draws = compared.draws;
    [
        format!(
            "95 % CI: bootstrap-t, {} resamples, seed {}; Student's t where fewer than ten of them lie beyond an end",
            grouped(draws.resamples),
            draws.seed
        ),
        "simultaneous 95 %: all hold at once, and exclude 0 exactly where Holm p is marked; while some are not, an \
         interval of a marked one reaches to 0 (Strassburger and Bretz 2008, Guilbaud 2008)"
            .into(),
    ]
}

fn tests() -> String {
    format!(
        "p, two-sided: paired randomisation of the mean (exact where 16 clusters or fewer differ, else 1 / (resamples \
         + 1) at least), Student's t with cluster-robust standard errors, McNemar's mid-p (values of 0 and 1, each \
         query a cluster, not in folds); Holm takes McNemar's, else randomisation's, or Student's where fewer than \
         {LEAST_EXTREME} draws are as extreme"
    )
}

fn family(compared: &Compared<'_>) -> String {
    let is_tested = |row: &&Row| {
        let corrected = row.corrected;
        corrected.same_as.is_none() && corrected.holm.is_some()
    };
    let family = match (
        compared.family,
        compared.rows.iter().filter(is_tested).count(),
    ) {
        (Family::Pair, _) => "over the hypotheses of each two models".to_owned(),
        (Family::All, 1) => "over one hypothesis".to_owned(),
        (Family::All, tested) => format!("over all {} hypotheses", grouped(tested)),
    };
    format!("Holm p: adjusted {family}; * below {LEVEL}")
}

/// Rows that are the same hypothesis.
fn same(compared: &Compared<'_>) -> Option<String> {
    let name = |row: &Row| format!("{} {}", row.line.key, Direction::key(row.direction));
    let mut pairs: Vec<String> = Vec::new();
    for row in compared.rows {
        if let Some(first) = row.corrected.same_as {
            let pair = format!("{} = {}", name(row), name(&compared.rows[first]));
            if !pairs.contains(&pair) {
                pairs.push(pair);
            }
        }
    }
    (!pairs.is_empty()).then(|| {
        format!(
            "the same values for every query, one hypothesis: {}",
            pairs.join(", ")
        )
    })
}
