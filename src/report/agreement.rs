//! Annotators side by side.

use serde_json::{Map, Value, json};

use super::cell::{Cell, cells, row};
use super::{Json, Report, Table};
use crate::data::text::grouped;
use crate::metric::Unit;
use crate::session::agreement::{Agreement, Alpha, Judged, Kappa, Measure, Panel};
use crate::truth::verdict::Verdict;

/// The counts, each two annotators' agreement, and the pairs on which they differ.
pub fn report(panel: &Panel) -> Report<'_> {
    let (agreed, notes) = tables(panel);
    let tables = std::iter::once(annotators(panel)).chain(agreed);
    let tables = tables.chain(disagreements(panel)).collect();
    Report { notes, ..Report::new(tables, data(panel), Json::tree(|| json(panel))) }
}

/// How well annotators agree, as tables and what is said of them; none where no pair was judged by two.
pub(super) fn tables(panel: &Panel) -> (Vec<Table<'_>>, Vec<String>) {
    let tables: Vec<Table<'_>> = agreements(panel).into_iter().chain(alphas(panel)).collect();
    let notes = if tables.is_empty() { &[] } else { &LEGEND[..] };
    (tables, notes.iter().map(ToString::to_string).collect())
}

pub(super) fn json(panel: &Panel) -> Value {
    let annotators = (0..panel.annotators.len())
        .map(|at| json!({"name": panel.annotators[at], "verdicts": count(panel, at)}));
    let agreement = panel.agreements().into_iter().map(|found| {
        let mut verdicts = measure(found.verdicts);
        verdicts["linear"] = Value::Object(kappa(found.linear));
        verdicts["quadratic"] = Value::Object(kappa(found.quadratic));
        json!({
            "annotators": found.annotators.map(|at| &panel.annotators[at]),
            "pairs": found.pairs,
            "verdicts": verdicts,
            "yes_no": measure(found.yes_no),
        })
    });
    let disagreements = panel.disputed().map(|pair| {
        let verdicts = pair
            .verdicts
            .iter()
            .map(|(&at, (verdict, _))| (panel.annotators[at].clone(), json!(verdict.key())));
        json!({
            "image": pair.image,
            "caption": pair.caption,
            "majority": pair.majority().map(Verdict::key),
            "verdicts": verdicts.collect::<Map<String, Value>>(),
        })
    });
    json!({
        "annotators": annotators.collect::<Vec<_>>(),
        "pairs": panel.pairs.len(),
        "judged_by_several": panel.judged_by_several(),
        "undecided": undecided(panel),
        "agreement": agreement.collect::<Vec<_>>(),
        "alpha": panel.alphas().into_iter().map(|(key, alpha)| (key.to_owned(), alpha_json(alpha))).collect::<Map<_, _>>(),
        "disagreements": disagreements.collect::<Vec<_>>(),
    })
}

fn alpha_json(alpha: Option<Alpha>) -> Value {
    json!({"value": alpha.map(|alpha| alpha.value), "interval": alpha.and_then(|alpha| alpha.interval)})
}

/// Alpha of all annotators; none where no pair was judged by two.
fn alphas(panel: &Panel) -> Option<Table<'_>> {
    let number = |value| Cell::Number(value, 3);
    let rows = panel.alphas().into_iter().filter_map(move |(key, alpha)| {
        let Alpha { value, interval } = alpha?;
        let interval = interval.map_or(Cell::Undefined, |ends| Cell::interval(ends, number));
        Some(row![key.replace('_', "/"), number(value), interval])
    });
    Table::new("Krippendorff's alpha, all annotators", ["scale", "alpha", "95 % CI"], 1, rows)
        .if_any()
}

fn measure(measure: Measure) -> Value {
    let observed = ("agreement".to_owned(), json!(measure.observed));
    Value::Object(std::iter::once(observed).chain(kappa(measure.kappa)).collect())
}

fn kappa(kappa: Option<Kappa>) -> Map<String, Value> {
    let numbers = [
        ("kappa", json!(kappa.map(|kappa| kappa.value))),
        ("kappa_se", json!(kappa.map(|kappa| kappa.error))),
        ("kappa_ci", json!(kappa.and_then(Kappa::interval))),
    ];
    let named = numbers.into_iter();
    named.map(|(key, value)| (key.to_owned(), value)).collect()
}

fn count(panel: &Panel, annotator: usize) -> usize {
    let judged = |pair: &&Judged| pair.verdicts.contains_key(&annotator);
    panel.pairs.iter().filter(judged).count()
}

fn undecided(panel: &Panel) -> usize {
    let open = |pair: &&Judged| pair.majority().is_none();
    panel.pairs.iter().filter(open).count()
}

fn annotators(panel: &Panel) -> Table<'_> {
    let title = format!(
        "{} judged, {} by two or more, {} undecided (as many say right as not)",
        pairs(panel.pairs.len()),
        grouped(panel.judged_by_several()),
        grouped(undecided(panel))
    );
    let row = |at| row![panel.name(at), count(panel, at)];
    let rows = (0..panel.annotators.len()).map(row);
    Table::new(title, ["annotator", "verdicts"], 1, rows)
}

const MEASURES: [&str; 11] = [
    "annotators",
    "",
    "pairs",
    "agree",
    "kappa",
    "95 % CI",
    "linear",
    "quadratic",
    "agree yes/no",
    "kappa yes/no",
    "95 % CI",
];

const LEGEND: [&str; 3] = [
    "agreement in percent of the pairs that both judged; kappa: Cohen 1960, linear and quadratic weights in the order \
     yes, partial, mostly-no, no (Cohen 1968)",
    "CI: large-sample (Fleiss, Cohen & Everitt 1969), cut at 1, none where it has no width; yes/no: yes and partial against \
     mostly-no and no; - undefined",
    "alpha: Krippendorff 2011, ordinal in the order of the verdicts; CI: the central part of 1,000 resamples of the pairs \
     (seed 0), none where the answers of any resample are all alike, which has no alpha",
];

/// The agreement of each two annotators; `None` where no two judged the same.
fn agreements(panel: &Panel) -> Option<Table<'_>> {
    let three = |value| Cell::Number(value, 3);
    let kappa = move |kappa: Option<Kappa>| Cell::from(kappa.map(|kappa| three(kappa.value)));
    let measured = move |of: Measure| {
        let interval = of.kappa.and_then(Kappa::interval);
        let interval = interval.map(|ends| Cell::interval(ends, three));
        let share = of.observed.map(|share| Cell::Value(share, Unit::Share));
        [share.into(), kappa(of.kappa), interval.into()]
    };
    let row = move |found: Agreement| {
        let [first, second] = found.annotators.map(|at| panel.name(at));
        let mut row = row![first, second, found.pairs];
        row.extend(measured(found.verdicts));
        row.extend([found.linear, found.quadratic].map(kappa));
        row.extend(measured(found.yes_no));
        row
    };
    let rows = panel.agreements().into_iter().map(row);
    Table::new("agreement of each two", MEASURES, 2, rows).if_any()
}

/// The pairs that annotators judge differently; `None` where there are none.
fn disagreements(panel: &Panel) -> Option<Table<'_>> {
    let disputed = panel.disputed().count();
    let names = (0..panel.annotators.len()).map(|at| panel.name(at));
    let mut head = ["image", "caption", "majority"].map(str::to_owned).to_vec();
    head.extend(names);
    let row = |pair: &Judged| {
        let verdict = |at| Some(pair.verdicts.get(&at)?.0.key());
        let majority = pair.majority().map_or("undecided", Verdict::key);
        let ids = [&pair.image, &pair.caption].map(|id| Cell::Id(id.to_string()));
        let mut row = ids.to_vec();
        row.push(majority.into());
        row.extend(cells((0..panel.annotators.len()).map(verdict)));
        row
    };
    let title = format!("{} judged differently", pairs(disputed));
    let words = head.len();
    Table::new(title, head, words, panel.disputed().map(row)).if_any()
}

/// One number a row: for each annotator how many verdicts, for each two how well they agree.
pub(super) fn data(panel: &Panel) -> Table<'_> {
    let of_one = |at: usize| row![&panel.annotators[at], "", "all", "verdicts", count(panel, at)];
    let counts = (0..panel.annotators.len()).map(of_one);
    let alphas = std::iter::once_with(|| panel.alphas()).flatten();
    let alphas = alphas.flat_map(|(key, alpha)| {
        let end = |at: usize| alpha.and_then(|alpha| alpha.interval).map(|ends| ends[at]);
        [
            row!["", "", key, "alpha", alpha.map(|alpha| alpha.value)],
            row!["", "", key, "alpha_low", end(0)],
            row!["", "", key, "alpha_high", end(1)],
        ]
    });
    let found = panel.agreements().into_iter();
    let found = found.flat_map(|found| of_two(panel, &found));
    let head = ["annotator", "other", "part", "number", "value"];
    Table::new("", head, 4, counts.chain(found).chain(alphas))
}

fn of_two(panel: &Panel, found: &Agreement) -> Vec<Vec<Cell>> {
    let [one, other] = found.annotators.map(|at| &panel.annotators[at]);
    let row = |part: &str, number: &str, value: Cell| row![one, other, part, number, value];
    let kappa = |of: Option<Kappa>| Cell::from(of.map(|kappa| kappa.value));
    let of_part = |part: &str, of: Measure| {
        let ends = of.kappa.and_then(Kappa::interval);
        let end = |at: usize| Cell::from(ends.map(|ends| ends[at]));
        [
            row(part, "agreement", of.observed.into()),
            row(part, "kappa", kappa(of.kappa)),
            row(part, "kappa_low", end(0)),
            row(part, "kappa_high", end(1)),
        ]
    };
    let mut rows = vec![
        row("all", "pairs", found.pairs.into()),
        row("verdicts", "kappa_linear", kappa(found.linear)),
        row("verdicts", "kappa_quadratic", kappa(found.quadratic)),
    ];
    rows.extend(of_part("verdicts", found.verdicts));
    rows.extend(of_part("yes_no", found.yes_no));
    rows
}

fn pairs(count: usize) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} pair{plural}", grouped(count))
}
