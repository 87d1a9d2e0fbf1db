//! Errors of one model: hubs and words.

use serde_json::{Map, Value, json};

use super::{Errors, percent, query_noun, types};
use crate::analysis::survey::Detail;
use crate::analysis::words::Word;
use crate::data::text::{count, grouped};
use crate::rank::hubs::Hub;
use crate::report::cell::{Cell, id};
use crate::report::list::{List, Section};

/// Number of example queries shown for a hub.
const HUB_EXAMPLES: usize = 3;

/// The lists on a model (hubness, hubs, words of failures, swapped words), and its entry in the JSON.
pub(super) fn sections(errors: &Errors<'_>, detail: &Detail) -> (Vec<Section>, Value) {
    let view = detail.view;
    let [hubness, hubs] = [hubness(errors, detail), hubs(errors, detail)];
    let [words, swapped] = [failure_words(errors, detail), swapped_words(errors, detail)];
    let json = json!({
        "name": errors.model(view.model),
        "kinds": types::json(errors, view.model),
        "hubness": records(&hubness),
        "hub_from": errors.evidence.top_items(view.model).hubness.first().threshold(),
        "truth": errors.truth(view.truth),
        "hub_count": detail.hubs.len(),
        "hubs": hubs.records().into_iter().map(hub_json).collect::<Value>(),
        "words": records(&words),
        "swapped": records(&swapped),
    });
    (vec![hubness, hubs, words, swapped], json)
}

/// A list on one model. Its first columns for programs are model, ground truth and direction.
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

/// The records of a list without the first columns of [`list`].
fn records(section: &Section) -> Value {
    let records = section.records().into_iter();
    records.map(|record| Value::Object(record.into_iter().skip(3).collect())).collect()
}

/// Converts a record of [`hubs`] to JSON: without the first columns of [`list`], and with an object of occurrences by
/// depth.
fn hub_json(record: Map<String, Value>) -> Value {
    let mut json = json!({});
    for (key, value) in record.into_iter().skip(3) {
        match key.strip_prefix("n_") {
            Some(depth) => json["n"][depth] = value,
            None => json[key] = value,
        }
    }
    json
}

/// The list of depths k, with the distribution of `N_k`: for how many queries an item is among the first k.
fn hubness(errors: &Errors<'_>, detail: &Detail) -> Section {
    let top_items = errors.evidence.top_items(detail.view.model);
    let direction = errors.evidence.direction;
    let title = format!(
        "{}, {direction}: N_k, how many of {} {} have each of {} {} among their first k",
        errors.model(detail.view.model),
        grouped(top_items.top_items.queries.len()),
        query_noun(direction),
        grouped(top_items.top_items.items.len()),
        query_noun(direction.flipped()),
    );
    let two_decimals = |value| Cell::Number(value, 2);
    list(errors, detail, "hubness", title, &top_items.hubness.depths)
        .column("k", "k", |depth| depth.k)
        .column("mean", "mean", move |depth| two_decimals(depth.mean))
        .column("deviation", "deviation", move |depth| two_decimals(depth.deviation))
        .column("skewness", "skewness", move |depth| depth.skewness.map(two_decimals))
        .column("most", "most", |depth| depth.highest())
        .data("items", |depth| depth.items)
        .column("never", "never", |depth| depth.never)
        .display("%", |depth| percent(depth.never, depth.items))
        .section()
}

/// The largest hubs.
fn hubs(errors: &Errors<'_>, detail: &Detail) -> Section {
    let top_items = errors.evidence.top_items(detail.view.model);
    let direction = errors.evidence.direction;
    let misses: usize = detail.hubs.iter().map(|hub| hub.misses.len()).sum();
    let title = format!(
        "{}: {} that are top-1 of {} {} or more, wrong for {} that {} covers",
        count(detail.hubs.len(), "hub"),
        query_noun(direction.flipped()),
        top_items.hubness.first().threshold(),
        query_noun(direction),
        grouped(misses),
        errors.truth(detail.view.truth),
    );
    let ids = errors.study().gallery.queries(direction);
    let query_id = |&query: &u32| ids[query as usize].to_string();
    let hubs = detail.hubs.iter().take(errors.hubs);
    let mut list = list(errors, detail, "hubs", title, hubs)
        .column("id", "id", |hub| Cell::Id(errors.item_id(hub.item)))
        .column("text", "text", |hub| errors.item_text(hub.item));
    for (at, depth) in top_items.hubness.depths.iter().enumerate() {
        let k = depth.k;
        list =
            list.column(format!("n_{k}"), format!("N_{k}"), move |hub: &&Hub| hub.occurrences[at]);
    }
    list.display("top-1 misses", |hub| hub.misses.len())
        .column("judged", "of judged", |hub| hub.covered)
        .display("of queries such as", move |hub| {
            Cell::List(hub.misses.iter().take(HUB_EXAMPLES).map(query_id).collect())
        })
        .data("wrong_first_for", move |hub| {
            hub.misses.iter().map(|one| id(&query_id(one))).collect::<Value>()
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
        .column("word", "word", |word| errors.evidence.texts.word(word.word))
        .column("failures", "failures", |word| word.counts[0])
        .column("others", "others", |word| word.counts[1])
        .column("z", "z", |word| Cell::Number(word.z, 2))
        .column("p", "p", |word| Cell::P(word.p))
        .column("p_holm", "Holm", |word| Cell::corrected_p(word.p_holm))
        .section()
}

/// Words by which top-1 captions differ from the nearest positives: the first `errors.words` (mostly extra in the
/// top-1 caption) and the last (mostly missing there).
fn swapped_words(errors: &Errors<'_>, detail: &Detail) -> Section {
    let all = &detail.swapped;
    let max_words = errors.words.min(all.len());
    let is_shown = |at: usize| at < max_words || at >= all.len() - max_words;
    let words = all.iter().enumerate().filter(|(at, _)| is_shown(*at)).map(|(_, word)| word);
    let title = format!(
        "words of failures under {}: + in the top-1 caption and not in the nearest positive one, - the other \
         way round",
        errors.truth(detail.view.truth)
    );
    list(errors, detail, "swapped", title, words)
        .column("word", "word", |word: &&Word| errors.evidence.texts.word(word.word))
        .column("added", "+", |word| word.counts[0])
        .column("lacked", "-", |word| word.counts[1])
        .column("p", "p", |word| Cell::P(word.p))
        .column("p_holm", "Holm", |word| Cell::corrected_p(word.p_holm))
        .section()
}
