//! Annotators side by side, as text and JSON.

use serde_json::{Map, Value, json};

use super::table::aligned;
use crate::data::json_text;
use crate::data::text::grouped;
use crate::session::agreement::{Agreement, Judged, Kappa, Measure, Panel};
use crate::truth::verdict::Verdict;

/// The counts, each two annotators' agreement, and the pairs on which they differ.
pub fn json(panel: &Panel) -> String {
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
    let report = json!({
        "annotators": annotators.collect::<Vec<_>>(),
        "pairs": panel.pairs.len(),
        "judged_by_several": panel.judged_by_several(),
        "undecided": undecided(panel),
        "agreement": agreement.collect::<Vec<_>>(),
        "disagreements": disagreements.collect::<Vec<_>>(),
    });
    json_text::pretty(&report)
}

fn measure(measure: Measure) -> Value {
    let observed = ("agreement".to_owned(), json!(measure.observed));
    Value::Object(
        std::iter::once(observed)
            .chain(kappa(measure.kappa))
            .collect(),
    )
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

/// The same for people, agreement in percent.
pub fn text(panel: &Panel) -> String {
    let count = |at| vec![panel.name(at), grouped(count(panel, at))];
    let annotators = (0..panel.annotators.len()).map(count);
    let judged = format!(
        "\n{} judged, {} by two or more, {} undecided (as many say right as not)\n",
        pairs(panel.pairs.len()),
        grouped(panel.judged_by_several()),
        grouped(undecided(panel))
    );
    let head = aligned(&["annotator", "verdicts"], annotators, 1);
    head + &judged + &agreements(panel) + &disagreements(panel)
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

const LEGEND: &str = "agreement in percent of the pairs that both judged; kappa: Cohen 1960, linear and quadratic weights in \
                      the order yes, partial, mostly-no, no (Cohen 1968)\nCI: large-sample (Fleiss, Cohen & Everitt 1969), \
                      none where it has no width; yes/no: yes and partial against mostly-no and no; - undefined";

fn agreements(panel: &Panel) -> String {
    let kappa = |kappa: Option<Kappa>| shown(kappa.map(|kappa| kappa.value), 3);
    let measured = |of: Measure| {
        let interval = of.kappa.and_then(Kappa::interval);
        let interval = interval.map(|[low, high]| format!("{low:.3} to {high:.3}"));
        [
            shown(of.observed.map(|share| 100.0 * share), 2),
            kappa(of.kappa),
            interval.unwrap_or_else(|| "-".into()),
        ]
    };
    let row = |found: Agreement| {
        let [first, second] = found.annotators.map(|at| panel.name(at));
        let mut row = vec![first, second, grouped(found.pairs as usize)];
        row.extend(measured(found.verdicts));
        row.extend([found.linear, found.quadratic].map(kappa));
        row.extend(measured(found.yes_no));
        row
    };
    let rows: Vec<Vec<String>> = panel.agreements().into_iter().map(row).collect();
    if rows.is_empty() {
        return String::new();
    }
    format!("\n{}\n{LEGEND}\n", aligned(&MEASURES, rows, 2))
}

fn disagreements(panel: &Panel) -> String {
    let names = (0..panel.annotators.len()).map(|at| panel.name(at));
    let head: Vec<String> = ["image".into(), "caption".into(), "majority".into()]
        .into_iter()
        .chain(names)
        .collect();
    let row = |pair: &Judged| {
        let verdict = |at| {
            pair.verdicts
                .get(&at)
                .map_or("-", |(verdict, _)| verdict.key())
        };
        let majority = pair.majority().map_or("undecided", Verdict::key);
        let mut row = vec![
            pair.image.to_string(),
            pair.caption.to_string(),
            majority.into(),
        ];
        row.extend((0..panel.annotators.len()).map(|at| verdict(at).to_owned()));
        row
    };
    let rows: Vec<Vec<String>> = panel.disputed().map(row).collect();
    if rows.is_empty() {
        return String::new();
    }
    let disputed = pairs(rows.len());
    let words = head.len();
    format!(
        "\n{disputed} judged differently\n{}",
        aligned(&head, rows, words)
    )
}

fn pairs(count: usize) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} pair{plural}", grouped(count))
}

fn shown(value: Option<f64>, digits: usize) -> String {
    value.map_or("-".into(), |value| format!("{value:.digits$}"))
}
