//! Why models fail, for programs: JSON, and one number a row.

use serde_json::{Map, Value, json};

use super::{Errors, lacking};
use crate::analysis::kinds::{self, Count, Kind};
use crate::analysis::rescale::{Quality, WhatIf};
use crate::analysis::survey::{Detail, Tally};
use crate::analysis::words::Swapped;
use crate::metric::Summary;
use crate::rank::hubs::{Hub, Occurrences, OfModel};
use crate::report::Table;
use crate::report::cell::{Cell, id, row};
use crate::study::View;

pub(super) fn json(errors: &Errors<'_>) -> Value {
    let kinds = kinds::of(errors.study()).iter().map(|kind| {
        let view = errors.survey.details.first().map(|detail| detail.view);
        let condition = view.and_then(|view| kind.expression(errors.study(), view));
        (kind.key.to_owned(), json!({"meaning": kind.meaning, "where": condition}))
    });
    let models = errors.survey.details.iter().map(|detail| model(errors, detail));
    json!({
        "direction": errors.evidence.direction.key(),
        "conditions_under": errors.survey.details.first().map(|detail| loaded(errors, detail)),
        "kinds": Value::Object(kinds.collect::<Map<String, Value>>()),
        "models": models.collect::<Vec<_>>(),
    })
}

/// The name under which `find --truth` has the truth of a detail.
fn loaded<'a>(errors: &Errors<'a>, detail: &Detail) -> &'a str {
    &errors.evidence.study.truths[detail.view.truth].name
}

fn model(errors: &Errors<'_>, detail: &Detail) -> Value {
    let tallies = errors.survey.tallies.iter();
    let tallies = tallies.filter(|tally| tally.view.model == detail.view.model);
    let kinds = tallies.map(|tally| (tally.truth.clone(), counts(errors, tally)));
    let of = errors.evidence.of_model(detail.view.model);
    let word = |number: u32| errors.evidence.texts.word(number);
    let words = errors.words(detail).map(|of| {
        json!({"word": word(of.word), "failures": of.failures, "others": of.others, "z": of.z,
               "p": of.p, "p_holm": of.p_holm})
    });
    let swapped = swapped(errors, detail).map(|of| {
        json!({"word": word(of.word), "added": of.extra, "lacked": of.missing, "p": of.p,
               "p_holm": of.p_holm})
    });
    let mut told = json!({
        "name": errors.model(detail.view.model),
        "kinds": Value::Object(kinds.collect::<Map<String, Value>>()),
        "hubness": of.hubness.depths.iter().map(occurrences).collect::<Vec<_>>(),
        "hub_from": of.hubness.first().threshold(),
        "truth": errors.truth(detail.view.truth),
        "hub_count": detail.hubs.len(),
        "hubs": detail.hubs.iter().take(errors.hubs).map(|one| hub(errors, of, one)).collect::<Vec<_>>(),
        "words": words.collect::<Vec<_>>(),
        "swapped": swapped.collect::<Vec<_>>(),
        "what_if": detail.what_if.iter().map(what_if).collect::<Vec<_>>(),
    });
    if errors.study().phrases.is_some() {
        told["lacking_phrases"] = lacking::json(errors, detail);
    }
    told
}

/// The words at either end, as many as are told.
fn swapped<'a>(errors: &Errors<'_>, detail: &'a Detail) -> impl Iterator<Item = &'a Swapped> {
    let told = errors.words.min(detail.swapped.len());
    let ends = detail.swapped.len() - told;
    let swapped = detail.swapped.iter().enumerate();
    let at_an_end = swapped.filter(move |(at, _)| *at < told || *at >= ends);
    at_an_end.map(|(_, of)| of)
}

fn counts(errors: &Errors<'_>, tally: &Tally) -> Value {
    let counts = kinds::of(errors.study()).iter().zip(&tally.counts);
    let number = |of: fn(Count) -> usize| {
        let counts = counts.clone();
        counts.map(move |(kind, count): (&Kind, _)| (kind.key.to_owned(), json!(count.map(of))))
    };
    let judged = ("judged".to_owned(), json!(tally.judged));
    let of = Value::Object(number(|count| count.of).collect());
    let all = std::iter::once(judged).chain(number(|count| count.met));
    Value::Object(all.chain([("of".to_owned(), of)]).collect())
}

fn occurrences(depth: &Occurrences) -> Value {
    json!({
        "k": depth.k,
        "mean": depth.mean,
        "deviation": depth.deviation,
        "skewness": depth.skewness,
        "most": depth.most(),
        "items": depth.items,
        "never": depth.never,
    })
}

fn hub(errors: &Errors<'_>, of: &OfModel, hub: &Hub) -> Value {
    let ids = errors.study().gallery.queries(errors.evidence.direction);
    let taken = hub.taken.iter().map(|&query| id(&ids[query as usize].to_string()));
    let counts = of.hubness.depths.iter().zip(&hub.occurrences);
    let counts = counts.map(|(depth, &n)| (depth.k.to_string(), json!(n)));
    json!({
        "id": id(&errors.item(hub.item)),
        "text": errors.item_text(hub.item),
        "n": Value::Object(counts.collect::<Map<String, Value>>()),
        "judged": hub.judged,
        "wrong_first_for": taken.collect::<Vec<_>>(),
    })
}

fn what_if(of: &WhatIf) -> Value {
    let quality = |quality: &Quality| {
        json!({"judged": quality.r1.judged, "r1": quality.r1.value,
               "map_at_r": quality.map_at_r.value})
    };
    let after = of.after.iter();
    let after =
        after.map(|(way, after)| json!({"scores": way.to_string(), "values": quality(after)}));
    json!({
        "direction": of.direction.key(),
        "before": quality(&of.before),
        "after": after.collect::<Vec<_>>(),
    })
}

type Cells = Vec<Cell>;

/// The results in long form for CSV and TSV: one number a row.
pub(super) fn data<'a>(errors: &'a Errors<'_>) -> Table<'a> {
    let head = ["part", "model", "truth", "direction", "of", "number", "value"];
    let tallies = errors.survey.tallies.iter();
    let kinds = tallies.flat_map(|tally| of_kinds(errors, tally));
    let details = errors.survey.details.iter().flat_map(|detail| {
        let hubs = of_hubs(errors, detail).into_iter();
        hubs.chain(of_words(errors, detail))
            .chain(of_lacking(errors, detail))
            .chain(of_what_if(errors, detail))
    });
    Table::new("", head, 6, kinds.chain(details))
}

fn row(
    errors: &Errors<'_>,
    (part, view): (&str, View),
    of: &str,
    number: &str,
    value: Option<f64>,
) -> Cells {
    row![
        part,
        errors.model(view.model),
        errors.truth(view.truth),
        view.direction,
        of,
        number,
        value
    ]
}

fn of_kinds(errors: &Errors<'_>, tally: &Tally) -> Vec<Cells> {
    let mut rows = Vec::new();
    let mut push = |kind: &str, number: &str, value: Option<usize>| {
        let value = value.map(|value| value as f64);
        let (model, direction) = (errors.model(tally.view.model), tally.view.direction);
        rows.push(row!["kinds", model, tally.truth.clone(), direction, kind, number, value]);
    };
    push("judged", "queries", Some(tally.judged));
    for (kind, count) in kinds::of(errors.study()).iter().zip(&tally.counts) {
        push(kind.key, "queries", count.map(|count| count.met));
        push(kind.key, "of", count.map(|count| count.of));
    }
    rows
}

fn of_hubs(errors: &Errors<'_>, detail: &Detail) -> Vec<Cells> {
    let depths = &errors.evidence.of_model(detail.view.model).hubness.depths;
    let mut rows = Vec::new();
    for depth in depths {
        let of = format!("N_{}", depth.k);
        let numbers = [
            ("mean", Some(depth.mean)),
            ("deviation", Some(depth.deviation)),
            ("skewness", depth.skewness),
            ("most", Some(f64::from(depth.most()))),
            ("never", Some(depth.never as f64)),
            ("items", Some(depth.items as f64)),
        ];
        let row = |(number, value)| row(errors, ("hubness", detail.view), &of, number, value);
        rows.extend(numbers.map(row));
    }
    for hub in detail.hubs.iter().take(errors.hubs) {
        let of = errors.item(hub.item);
        let mut push = |number: &str, value: f64| {
            rows.push(row(errors, ("hubs", detail.view), &of, number, Some(value)));
        };
        for (depth, &n) in depths.iter().zip(&hub.occurrences) {
            push(&format!("N_{}", depth.k), f64::from(n));
        }
        push("wrong_first", hub.taken.len() as f64);
        push("judged", hub.judged as f64);
    }
    rows
}

fn of_words(errors: &Errors<'_>, detail: &Detail) -> Vec<Cells> {
    let mut rows = Vec::new();
    for word in errors.words(detail) {
        let of = errors.evidence.texts.word(word.word);
        let numbers = [
            ("failures", f64::from(word.failures)),
            ("others", f64::from(word.others)),
            ("z", word.z),
            ("p", word.p),
            ("p_holm", word.p_holm),
        ];
        let row = |(number, value)| row(errors, ("words", detail.view), of, number, Some(value));
        rows.extend(numbers.map(row));
    }
    for of in swapped(errors, detail) {
        let word = errors.evidence.texts.word(of.word);
        let numbers = [
            ("added", f64::from(of.extra)),
            ("lacked", f64::from(of.missing)),
            ("p", of.p),
            ("p_holm", of.p_holm),
        ];
        let row =
            |(number, value)| row(errors, ("swapped", detail.view), word, number, Some(value));
        rows.extend(numbers.map(row));
    }
    rows
}

fn of_lacking(errors: &Errors<'_>, detail: &Detail) -> Vec<Cells> {
    let mut rows = Vec::new();
    for of in detail.lacking.iter().take(errors.words) {
        let name = format!("{} ({})", of.head, of.types.names());
        let numbers = [("failures", of.failures), ("of_no_type", of.of_no_type)];
        let row = |(number, value): (_, u32)| {
            let value = Some(f64::from(value));
            row(errors, ("lacking_phrases", detail.view), &name, number, value)
        };
        rows.extend(numbers.map(row));
    }
    rows
}

fn of_what_if(errors: &Errors<'_>, detail: &Detail) -> Vec<Cells> {
    let mut rows = Vec::new();
    for of in &detail.what_if {
        let view = View { direction: of.direction, ..detail.view };
        let before = ("as it is".to_owned(), of.before);
        let after = of.after.iter().map(|(way, after)| (way.to_string(), *after));
        for (way, quality) in std::iter::once(before).chain(after) {
            let numbers = [("r1", quality.r1), ("map_at_r", quality.map_at_r)];
            let row =
                |(number, of): (_, Summary)| row(errors, ("what_if", view), &way, number, of.value);
            rows.extend(numbers.map(row));
        }
    }
    rows
}
