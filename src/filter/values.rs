//! The values that expressions know.

use crate::data::near::nearest;
use crate::metric::{METRICS, Metric, Spec, spelling};
use crate::study::series::Kind;

/// A value that is no metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quantity {
    Rank,
    Listed,
    Judged,
    Words,
    Text,
    Id,
    Picked,
    Verdicts,
    ExtraInTop,
    PositivesInTop,
    First,
    Hub,
    NearDuplicate,
    LackingPhrases,
    LackingTypes,
    Unrelated,
    Phi,
    MissedPhi,
    Learning(Kind),
    FirstRightStep,
}

/// What may be named before a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depends {
    /// A model and a truth.
    Both,
    /// A model.
    Model,
    /// A truth.
    Truth,
    /// Nothing: it is the query's own.
    Nothing,
}

/// A value's name and what it is.
#[derive(Debug)]
pub(super) struct Known {
    pub name: &'static str,
    pub item: Quantity,
    pub depends: Depends,
    /// As it is written, where it takes arguments.
    pub written: &'static str,
    pub doc: &'static str,
}

const fn known(name: &'static str, item: Quantity, depends: Depends, doc: &'static str) -> Known {
    Known { name, item, depends, written: name, doc }
}

/// Every value that is no metric.
pub(super) const KNOWN: &[Known] = &[
    known("rank", Quantity::Rank, Depends::Both, "rank of the first positive"),
    Known {
        written: "positives_in_top(model, k)",
        ..known(
            "positives_in_top",
            Quantity::PositivesInTop,
            Depends::Both,
            "positives among the first k items",
        )
    },
    Known {
        written: "extra_in_top(model, k)",
        ..known(
            "extra_in_top",
            Quantity::ExtraInTop,
            Depends::Model,
            "positives of rich ground truths only, not in the original one, among the first k items",
        )
    },
    known(
        "r",
        Quantity::Listed,
        Depends::Truth,
        "R, the number of positives that the ground truth lists",
    ),
    known("judged", Quantity::Judged, Depends::Truth, "whether the ground truth judges the query"),
    known("words", Quantity::Words, Depends::Nothing, "words of the text"),
    known("text", Quantity::Text, Depends::Nothing, "the caption; of an image its first caption"),
    known("id", Quantity::Id, Depends::Nothing, "the query's id, a number or a text"),
    known("first_item", Quantity::First, Depends::Model, "the first item's id"),
    known(
        "hub",
        Quantity::Hub,
        Depends::Model,
        "whether top-1 is a hub: top-1 for three queries or more, and for more than the mean \
         item by two standard deviations",
    ),
    known(
        "near_duplicate",
        Quantity::NearDuplicate,
        Depends::Both,
        "whether the first item's caption and any right one are the same but for case, punctuation and \
         articles; of images their captions count",
    ),
    known(
        "lacking_phrases",
        Quantity::LackingPhrases,
        Depends::Model,
        "phrases of the caption that have no counterpart in the image, of the query and the first item: none of a \
         common type has its head word (with --entities)",
    ),
    known(
        "lacking_types",
        Quantity::LackingTypes,
        Depends::Model,
        "those of them of which the image has nothing of any of their types",
    ),
    known(
        "unrelated",
        Quantity::Unrelated,
        Depends::Nothing,
        "whether UNRELATED_CAPTIONS lists the caption, or any of the image's (with --entities)",
    ),
    known(
        "phi",
        Quantity::Phi,
        Depends::Both,
        "similarity phi of the first item with the query (--phi)",
    ),
    Known {
        written: "missed_phi(model, k)",
        ..known(
            "missed_phi",
            Quantity::MissedPhi,
            Depends::Both,
            "greatest phi of the items that are not among the first k",
        )
    },
    known(
        "learned",
        Quantity::Learning(Kind::Learned),
        Depends::Truth,
        "whether top-1 is a positive at the last step, and first so before the last quarter of the steps (--series)",
    ),
    known(
        "late",
        Quantity::Learning(Kind::Late),
        Depends::Truth,
        "whether top-1 is a positive at the last step, and first so in the last quarter of the steps",
    ),
    known(
        "forgotten",
        Quantity::Learning(Kind::Forgotten),
        Depends::Truth,
        "whether top-1 is a positive at an earlier step, and not at the last",
    ),
    known(
        "never",
        Quantity::Learning(Kind::Never),
        Depends::Truth,
        "whether top-1 is a positive at no step",
    ),
    known(
        "first_right_step",
        Quantity::FirstRightStep,
        Depends::Truth,
        "number of the first step at which top-1 is a positive; unknown where it never is",
    ),
    known("picked", Quantity::Picked, Depends::Nothing, "whether it is bookmarked"),
    known("verdicts", Quantity::Verdicts, Depends::Nothing, "pairs of it that a person judged"),
];

/// Further names of metrics: what one query's part of the mean is called.
const ALIASES: &[(&str, &str)] = &[("ap_at_r", "map_at_r"), ("ap", "map")];

/// The metric of this name, with its depth.
pub(super) fn metric(name: &str) -> Option<Spec> {
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
    let key = alias.map(|(_, key)| (*key).to_owned());
    let key = key.or_else(|| spelling::key(name));
    key.as_deref().unwrap_or(name).parse().ok()
}

/// Whether a value has this name.
pub(super) fn is_value(name: &str) -> bool {
    KNOWN.iter().any(|known| known.name == name) || metric(name).is_some()
}

/// Whether a metric says yes or no, and so is a condition by itself.
pub(super) fn is_flag(spec: Spec) -> bool {
    spec.metric.is_flag()
}

/// Every value as it is written, with its meaning, for help.
pub fn values() -> Vec<(String, String)> {
    let metric = |metric: &&dyn Metric| {
        let title = metric.title().replace("@K", "@10, or at any other depth,");
        let title = format!("{title} of the query");
        (metric.key().replace("_at_k", "_at_10"), title)
    };
    let others = KNOWN.iter();
    let others = others.map(|known| (known.written.to_owned(), known.doc.to_owned()));
    METRICS.iter().map(metric).chain(others).collect()
}

/// Every name that may stand where a value may, for messages.
fn names() -> Vec<&'static str> {
    let metrics = METRICS.iter().map(|metric| metric.key());
    let aliases = ALIASES.iter().map(|(alias, _)| *alias);
    let others = KNOWN.iter().map(|known| known.name);
    metrics.chain(aliases).chain(others).collect()
}

/// The name that somebody meant who wrote another; a metric may be meant by its title, too.
pub(super) fn meant(name: &str) -> Option<&'static str> {
    let titles = METRICS.iter().map(|metric| metric.title());
    let near = nearest(name, names().into_iter().chain(titles))?;
    let titled = METRICS.iter().find(|metric| metric.title() == near);
    Some(titled.map_or(near, |metric| metric.key()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_metrics_are_found() {
        let mut all = names();
        all.sort_unstable();
        let count = all.len();
        all.dedup();
        assert_eq!(all.len(), count);
        assert_eq!(metric("ap_at_r"), metric("map_at_r"));
        assert_eq!(metric("recall_at_5"), metric("r5"));
        assert_eq!(metric("ndcg_at_7").unwrap().k, 7);
        assert!(metric("ndcg_at_k").is_none() && metric("rank").is_none());
        assert_eq!(meant("mapr"), Some("map_at_r"));
        assert_eq!(meant("rnak"), Some("rank"));
        assert_eq!(meant("colour"), None);
        assert!(is_flag(metric("r5").unwrap()) && !is_flag(metric("ap").unwrap()));
    }
}
