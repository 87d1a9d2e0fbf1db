//! Errors of one model: hubs and words.

use serde_json::{Map, Value, json};

use super::{Errors, items, number, queries, types};
use crate::analysis::survey::Detail;
use crate::analysis::words::Word;
use crate::data::text::{count, grouped};
use crate::rank::hubs::Hub;
use crate::report::cell::{Cell, id};
use crate::report::list::{List, Section};

/// Number of example query ids of a hub.
const EXAMPLES: usize = 3;

/// The lists of a model, and its entry in the JSON.
pub(super) fn sections(errors: &Errors<'_>, detail: &Detail) -> (Vec<Section>, Value) {
    let view = detail.view;
    let [hubness, hubs] = [hubness(errors, detail), hubs(errors, detail)];
    let [words, swapped] = [failure_words(errors, detail), swapped_words(errors, detail)];
    let tree = json!({
        "name": errors.model(view.model),
        "kinds": types::tree(errors, view.model),
        "hubness": records(&hubness),
        "hub_from": errors.evidence.of_model(view.model).hubness.first().threshold(),
        "truth": errors.truth(view.truth),
        "hub_count": detail.hubs.len(),
        "hubs": hubs.records().into_iter().map(hub_tree).collect::<Value>(),
        "words": records(&words),
        "swapped": records(&swapped),
    });
    (vec![hubness, hubs, words, swapped], tree)
}

/// Records of a model. Columns for programs name the model, ground truth and direction.
fn list<'a, R>(
    errors: &'a Errors<'_>,
    detail: &Detail,
    key: &'static str,
    title: String,
    records: impl IntoIterator<Item = R>,
) -> List<'a, R> {
    let view = detail.view;
    List::new(key, title, records)
        .data("model", move |_| errors.model(view.model))
        .data("truth", move |_| errors.truth(view.truth))
        .data("direction", move |_| view.direction)
}

/// The records without these columns.
fn records(section: &Section) -> Value {
    let records = section.records().into_iter();
    records.map(|record| Value::Object(record.into_iter().skip(3).collect())).collect()
}

/// A record of [`hubs`] for JSON: its occurrences by depth are an object.
fn hub_tree(record: Map<String, Value>) -> Value {
    let mut tree = json!({});
    for (key, value) in record.into_iter().skip(3) {
        match key.strip_prefix("n_") {
            Some(depth) => tree["n"][depth] = value,
            None => tree[key] = value,
        }
    }
    tree
}

/// Spread of retrieval over the items.
fn hubness(errors: &Errors<'_>, detail: &Detail) -> Section {
    let of = errors.evidence.of_model(detail.view.model);
    let direction = errors.evidence.direction;
    let title = format!(
        "{}, {direction}: N_k, how many of {} {} have each of {} {} among their first k",
        errors.model(detail.view.model),
        grouped(of.retrieved.queries.len()),
        queries(direction),
        grouped(of.retrieved.items.len()),
        items(direction),
    );
    let two = |value| Cell::Number(value, 2);
    list(errors, detail, "hubness", title, &of.hubness.depths)
        .column("k", "k", |depth| depth.k)
        .column("mean", "mean", move |depth| two(depth.mean))
        .column("deviation", "deviation", move |depth| two(depth.deviation))
        .column("skewness", "skewness", move |depth| depth.skewness.map(two))
        .column("most", "most", |depth| depth.highest())
        .data("items", |depth| depth.items)
        .column("never", "never", |depth| depth.never)
        .shown("%", |depth| number(depth.never, depth.items))
        .section()
}

/// The top hubs.
fn hubs(errors: &Errors<'_>, detail: &Detail) -> Section {
    let of = errors.evidence.of_model(detail.view.model);
    let direction = errors.evidence.direction;
    let misses: usize = detail.hubs.iter().map(|hub| hub.misses.len()).sum();
    let title = format!(
        "{}, {} first for {} {} or more: a top-1 miss for {} judged under {}",
        count(detail.hubs.len(), "hub"),
        items(direction),
        of.hubness.first().threshold(),
        queries(direction),
        grouped(misses),
        errors.truth(detail.view.truth),
    );
    let ids = errors.study().gallery.queries(direction);
    let query = |&query: &u32| ids[query as usize].to_string();
    let hubs = detail.hubs.iter().take(errors.hubs);
    let mut list = list(errors, detail, "hubs", title, hubs)
        .column("id", "id", |hub| Cell::Id(errors.item(hub.item)))
        .column("text", "text", |hub| errors.item_text(hub.item));
    for (at, depth) in of.hubness.depths.iter().enumerate() {
        let k = depth.k;
        list =
            list.column(format!("n_{k}"), format!("N_{k}"), move |hub: &&Hub| hub.occurrences[at]);
    }
    list.shown("top-1 misses", |hub| hub.misses.len())
        .column("judged", "of judged", |hub| hub.covered)
        .shown("of queries such as", move |hub| {
            Cell::List(hub.misses.iter().take(EXAMPLES).map(query).collect())
        })
        .data("wrong_first_for", move |hub| {
            hub.misses.iter().map(|one| id(&query(one))).collect::<Value>()
        })
        .section()
}

/// Words over-represented among failures.
fn failure_words(errors: &Errors<'_>, detail: &Detail) -> Section {
    let title = format!(
        "words of failing queries against the others, under {} (z: difference of log-odds over its deviation)",
        errors.truth(detail.view.truth)
    );
    list(errors, detail, "words", title, errors.failure_words(detail))
        .column("word", "word", |of| errors.evidence.texts.word(of.word))
        .column("failures", "failures", |of| of.counts[0])
        .column("others", "others", |of| of.counts[1])
        .column("z", "z", |of| Cell::Number(of.z, 2))
        .column("p", "p", |of| Cell::P(of.p))
        .column("p_holm", "Holm", |of| Cell::corrected(of.p_holm))
        .section()
}

/// Words that top-1 captions add (first) and omit (last) against the nearest positive: up to `errors.words` of each.
fn swapped_words(errors: &Errors<'_>, detail: &Detail) -> Section {
    let all = &detail.swapped;
    let most = errors.words.min(all.len());
    let is_shown = |at: usize| at < most || at >= all.len() - most;
    let words = all.iter().enumerate().filter(|(at, _)| is_shown(*at)).map(|(_, word)| word);
    let title = format!(
        "words of failures under {}: + in the first item's caption and not in the nearest positive one, - the other \
         way round",
        errors.truth(detail.view.truth)
    );
    list(errors, detail, "swapped", title, words)
        .column("word", "word", |of: &&Word| errors.evidence.texts.word(of.word))
        .column("added", "+", |of| of.counts[0])
        .column("lacked", "-", |of| of.counts[1])
        .column("p", "p", |of| Cell::P(of.p))
        .column("p_holm", "Holm", |of| Cell::corrected(of.p_holm))
        .section()
}
