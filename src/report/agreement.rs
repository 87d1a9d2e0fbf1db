//! Agreement of annotators, and conflicts between their sessions.

use serde_json::json;

use super::Report;
use super::cell::Cell;
use super::list::{List, Section};
use crate::data::text::{count, grouped, shown};
use crate::session::agreement::{JudgedPair, Kappa, Panel};
use crate::session::{Conflict, JudgmentEntry};
use crate::truth::judgment::Judgment;

const NOTES: [&str; 2] = [
    "kappa: Cohen 1960; linear, quadratic: weighted (Cohen 1968), as yes, partial, mostly-no, no are ordered; CI: Fleiss, \
     Cohen & Everitt 1969",
    "yes/no: yes and partial against mostly-no and no; alpha: Krippendorff 2011; CI: 1,000 resamples of the pairs (seed 0)",
];

/// Maximum number of conflicts and of disagreements in tables; JSON has all.
const MAX_ROWS: usize = 10;

/// Conflicts between sessions, disagreements of annotators, and their agreement. `judgments` is the number of all
/// judgments.
pub fn report<'a>(panel: &'a Panel, judgments: usize, conflicts: &'a [Conflict]) -> Report<'a> {
    let shared = panel.judged_by_several();
    let disputed = panel.disputed().count();
    let judgment_count =
        |at: &usize| panel.pairs.iter().filter(|pair| pair.judgments.contains_key(at)).count();
    let annotators = List::new("annotators", "annotators", 0..panel.annotators.len())
        .column("annotator", "annotator", |&at| panel.name(at))
        .column("judgments", "judgments", judgment_count)
        .section();
    let [agreement, alpha] = agreement_sections(panel);
    let people = match panel.annotators.len() {
        1 => "1 person".into(),
        people => format!("{people} people"),
    };
    let mut heading = vec![format!(
        "{} of {people}; they disagree on {} of {}",
        count(judgments, "judgment"),
        grouped(disputed),
        count(shared, "shared pair")
    )];
    if !conflicts.is_empty() {
        let conflicts = count(conflicts.len(), "conflict");
        heading.push(format!("{conflicts}: changed differently since the base; the latest counts"));
    }
    Report {
        heading: heading.join("\n"),
        notes: notes(panel),
        ..Report::from_sections(vec![
            conflict_section(conflicts),
            disagreements(panel),
            annotators,
            agreement,
            alpha,
        ])
    }
    .with_facts(json!({
        "judgments": judgments,
        "pairs": panel.pairs.len(),
        "judged_by_several": shared,
        "disagreed": disputed,
        "undecided": panel.pairs.iter().filter(|pair| pair.majority().is_none()).count(),
    }))
}

/// Judgments of one annotator that several sessions changed differently.
fn conflict_section(conflicts: &[Conflict]) -> Section {
    let response =
        |one: &Option<JudgmentEntry>| one.as_ref().map_or("removed", |one| one.response().name());
    List::new("conflicts", "conflicts", conflicts)
        .column("image", "image", |conflict| Cell::Id(conflict.result.image.to_string()))
        .column("caption", "caption", |conflict| Cell::Id(conflict.result.caption.to_string()))
        .column("annotator", "annotator", |conflict| shown(&conflict.result.by))
        .column("answers", "in each session", move |conflict| {
            conflict.sides.iter().map(response).collect::<Vec<_>>().join(", ")
        })
        .column("kept", "counts", |conflict| conflict.result.response().name())
        .section()
        .limit(MAX_ROWS)
}

/// Notes on the numbers of [`agreement_sections`]; none if no pair was judged by two.
pub(super) fn notes(panel: &Panel) -> Vec<String> {
    let notes = if panel.judged_by_several() > 0 { &NOTES[..] } else { &[] };
    notes.iter().map(ToString::to_string).collect()
}

/// Lists of the agreement of each two annotators, and of all together.
pub(super) fn agreement_sections(panel: &Panel) -> [Section; 2] {
    let number = |value| Cell::Number(value, 3);
    let pairs = panel.agreements();
    let pairs = pairs.iter().flat_map(|pair| {
        pair.scales.iter().map(move |&(scale, observed, kappa)| (pair, scale, observed, kappa))
    });
    let pairs = List::new("agreement", "agreement of each two", pairs)
        .column("annotator", "annotator", |(pair, ..)| panel.name(pair.annotators[0]))
        .column("other", "and", |(pair, ..)| panel.name(pair.annotators[1]))
        .column("pairs", "pairs", |(pair, ..)| pair.pairs)
        .data("scale", |(_, scale, ..)| *scale)
        .display("scale", |(_, scale, ..)| scale.replace('_', "/"))
        .column("agreement", "agree, %", |(_, _, observed, _)| observed.map(Cell::share))
        .column("kappa", "kappa", move |(.., kappa)| kappa.map(|kappa| number(kappa.value)))
        .data("kappa_se", |(.., kappa)| kappa.map(|kappa| kappa.error))
        .interval(["low", "high"], "95 % CI", |(.., one)| one.and_then(Kappa::interval), number);
    let all = panel.alphas().into_iter().filter_map(|(scale, alpha)| Some((scale, alpha?)));
    let all = List::new("alpha", "Krippendorff's alpha, all annotators", all)
        .data("scale", |(scale, _)| *scale)
        .display("scale", |(scale, _)| scale.replace('_', "/"))
        .column("alpha", "alpha", move |(_, alpha)| number(alpha.value))
        .interval(["low", "high"], "95 % CI", |(_, alpha)| alpha.interval, number);
    [pairs.section(), all.section()]
}

/// The pairs that annotators judge differently, with a column for each annotator.
fn disagreements(panel: &Panel) -> Section {
    let title = format!("{} judged differently", count(panel.disputed().count(), "pair"));
    let mut list = List::new("disagreements", title, panel.disputed())
        .column("image", "image", |pair| Cell::Id(pair.image.to_string()))
        .column("caption", "caption", |pair| Cell::Id(pair.caption.to_string()))
        .data("majority", |pair| pair.majority().map(Judgment::key))
        .display("majority", |pair| pair.majority().map_or("undecided", Judgment::key));
    for at in 0..panel.annotators.len() {
        let name = panel.name(at);
        list = list.column(name.clone(), name, move |pair: &&JudgedPair| {
            pair.judgments.get(&at).map(|(judgment, _)| judgment.key())
        });
    }
    list.section().limit(MAX_ROWS)
}
