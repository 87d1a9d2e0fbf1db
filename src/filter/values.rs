//! The values that expressions can use: one row of [`ROWS`] each, and every metric.

use super::inputs::RanksOf;
use super::source::{Source, non_gt_positives};
use crate::data::id::Id;
use crate::data::index::{ModelIx, TruthIx};
use crate::data::near::nearest;
use crate::data::words::has_words;
use crate::metric::depth::Reads;
use crate::metric::{METRICS, Metric, Spec, spelling};
use crate::phrase::PhraseType;
use crate::rank::QueryRanks;
use crate::study::Study;
use crate::study::series::{Learning, first_step};

/// Definition of a value of a query. To add one, add a row to [`ROWS`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// Name in expressions; empty for a metric.
    pub name: &'static str,
    /// Arguments as help shows them, if the value has a depth k or texts; else empty.
    pub arguments: &'static str,
    /// Meaning, for help.
    pub doc: &'static str,
    /// Texts that are valid arguments, any text if the list is empty; `None` for a value without texts.
    pub names: Option<fn(&Study) -> Vec<&str>>,
    /// Range of its numbers.
    pub extent: Extent,
    /// Inputs. They also decide whether an expression may name a model or a truth for the value.
    pub needs: &'static [Need],
    /// Computes the value.
    pub getter: Getter,
}

/// Range of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Extent {
    /// 0 or 1: a condition by itself.
    Flag,
    /// Integers of at least this.
    From(f64),
    /// Integers from 0 to the depth k.
    UpToDepth,
    /// The range of the metric.
    OfMetric,
    /// Any number, or no number.
    Any,
}

/// An input of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    /// A truth, with or without lists in the direction.
    Truth,
    /// Lists of a truth in the direction.
    Lists,
    /// The ranks of a model under a truth.
    Ranks,
    /// The ranks of a model under the truth of a similarity.
    Phi,
    /// The ranks of a model under the original truth, then those under each rich one.
    Rich,
    /// The ranks of each step of a training.
    Steps,
    /// The top items of a model.
    TopK,
    /// Texts of captions.
    Captions,
    /// Captions split into words.
    Words,
    /// Annotated phrases.
    Phrases,
    /// Object categories of images.
    Categories,
    /// Columns of tables.
    Columns,
}

/// How a value of a query is computed; the functions return `None` if it is unknown.
#[derive(Debug, Clone, Copy)]
pub(super) enum Getter {
    Number(NumberGetter),
    Text(for<'a> fn(&Source<'a>, usize) -> Option<&'a str>),
    Id(for<'a> fn(&Value, &Source<'a>, usize) -> Option<&'a Id>),
    /// The tags of the query's pairs.
    Tags,
    /// Whether the query is learned in this way over the training steps.
    Series(Learning),
}

/// A value with resolved names.
#[derive(Debug, Clone)]
pub(super) struct Value {
    pub row: &'static Row,
    /// The metric, if the value is one.
    pub spec: Option<Spec>,
    /// Depth; 0 if the value has none.
    pub k: u32,
    /// Text arguments, each with its index in [`Row::names`].
    pub texts: Vec<(String, usize)>,
    pub model: ModelIx,
    pub truth: TruthIx,
    /// The ranks that the row needs.
    pub ranks: Vec<RanksOf>,
}

/// Computes a number of a value for a query, by gallery index.
type NumberGetter = fn(&Value, &Source<'_>, usize) -> Option<f64>;

/// The row of a value of any range.
const fn row(name: &'static str, needs: &'static [Need], doc: &'static str, getter: Getter) -> Row {
    Row { name, arguments: "", names: None, doc, extent: Extent::Any, needs, getter }
}

/// The row of a count: an integer from 0 on.
const fn count(
    name: &'static str,
    needs: &'static [Need],
    doc: &'static str,
    number: NumberGetter,
) -> Row {
    Row { extent: Extent::From(0.0), ..row(name, needs, doc, Getter::Number(number)) }
}

/// The row of a number that is 0 or 1.
const fn flag(
    name: &'static str,
    needs: &'static [Need],
    doc: &'static str,
    number: NumberGetter,
) -> Row {
    Row { extent: Extent::Flag, ..count(name, needs, doc, number) }
}

/// The row of a flag: whether a query is learned in this way over the training steps.
const fn learning(name: &'static str, kind: Learning, doc: &'static str) -> Row {
    Row { extent: Extent::Flag, ..row(name, &[Need::Steps], doc, Getter::Series(kind)) }
}

/// Adds texts as arguments to a row: those that `names` returns, or any texts if it returns none.
const fn with_texts(arguments: &'static str, names: fn(&Study) -> Vec<&str>, row: Row) -> Row {
    Row { arguments, names: Some(names), ..row }
}

/// Adds a depth k as argument to a row, whose numbers are then integers from 0 to k.
const fn with_depth(row: Row) -> Row {
    Row { arguments: "(model, k)", extent: Extent::UpToDepth, ..row }
}

/// Every value that is not a metric.
pub(super) const ROWS: &[Row] = &[
    Row {
        extent: Extent::From(1.0),
        ..count("rank", &[Need::Ranks], "rank of the first positive", |value, data, query| {
            first_rank(value.ranks(data, query)?).map(f64::from)
        })
    },
    with_depth(count(
        "positives_in_top",
        &[Need::Ranks],
        "positives in the top k",
        |value, data, query| {
            let ranks = value.ranks(data, query)?;
            ranks.is_known_up_to(value.k).then(|| ranks.ranks.count_to(value.k) as f64)
        },
    )),
    with_depth(count(
        "non_gt_in_top",
        &[Need::Rich],
        "non-GT positives in the top k",
        non_gt_positives,
    )),
    count(
        "r",
        &[Need::Lists],
        "R, the number of positives that the ground truth lists",
        |value, data, query| {
            let relevance = data.relevance(value.truth)?;
            Some(f64::from(data.inputs.marks.positive_count(relevance, relevance.place(query)?)))
        },
    ),
    flag(
        "covered",
        &[Need::Truth],
        "whether the ground truth covers the query",
        |value, data, query| Some(as_number(data.relevance(value.truth)?.place(query).is_some())),
    ),
    count("words", &[Need::Captions], "words of the text", |_, data, query| {
        Some(data.text(query)?.split_whitespace().count() as f64)
    }),
    with_texts(
        "(\"two\", ..)",
        |_| Vec::new(),
        flag(
            "has_word",
            &[Need::Captions],
            "whether the text has a word or phrase, or one of several",
            |value, data, query| {
                let text = data.text(query)?;
                Some(as_number(value.texts.iter().any(|(words, _)| has_words(text, words))))
            },
        ),
    ),
    row(
        "text",
        &[Need::Captions],
        "the caption; of an image its first caption",
        Getter::Text(text),
    ),
    row(
        "id",
        &[],
        "the query's id, a number or a text",
        Getter::Id(|_, data, query| Some(&data.study.gallery.queries(data.direction)[query])),
    ),
    row(
        "top_1",
        &[Need::TopK],
        "id of the top-1 item",
        Getter::Id(|value, data, query| {
            let first = data.top_1(value.model, query)?;
            Some(&data.study.gallery.items(data.direction)[first as usize])
        }),
    ),
    flag(
        "hub",
        &[Need::TopK],
        "whether top-1 is a hub: top-1 for three queries or more, and for more than the mean \
         item by two standard deviations",
        |value, data, query| {
            let first = data.top_1(value.model, query)?;
            Some(as_number(data.inputs.top_k(value.model)?.hubness.is_hub(first)))
        },
    ),
    flag(
        "near_duplicate",
        &[Need::Captions, Need::Words, Need::Lists, Need::TopK],
        "whether the captions of top-1 and of any positive are equal but for case, punctuation and articles",
        |value, data, query| Some(as_number(data.is_near_duplicate(value, query)?)),
    ),
    with_texts(
        "(\"dog\", ..)",
        Study::category_names,
        flag(
            "category",
            &[Need::Categories],
            "whether the image has an object of a category, or of one of several (instances file)",
            |value, data, query| Source::has_any(value, |index| data.has_category(query, index)),
        ),
    ),
    with_texts(
        "(\"people\", ..)",
        |_| PhraseType::VISUAL.map(PhraseType::name).to_vec(),
        flag(
            "phrase_type",
            &[Need::Phrases],
            "whether a phrase of the caption, or of any of the image's, is of a type (with --entities)",
            |value, data, query| Source::has_any(value, |index| data.has_phrase_type(query, index)),
        ),
    ),
    with_texts(
        "(\"NAME\")",
        Study::column_names,
        row(
            "column",
            &[Need::Columns],
            "what a table says of the query in a column, a number or a text (--table)",
            Getter::Id(|value, data, query| {
                data.study.columns[value.texts[0].1].value(data.study, data.direction, query)
            }),
        ),
    ),
    flag(
        "unrelated",
        &[Need::Phrases],
        "whether UNRELATED_CAPTIONS lists the caption, or any of the image's (with --entities)",
        |_, data, query| {
            Some(as_number(data.any_sentence(query, |sentence| sentence.is_unrelated)?))
        },
    ),
    row(
        "phi",
        &[Need::Phi],
        "similarity phi of the top-1 item with the query (--phi)",
        Getter::Number(|value, data, query| value.ranks(data, query)?.similarity?.top_phi()),
    ),
    Row {
        extent: Extent::Any,
        ..with_depth(count(
            "missed_phi",
            &[Need::Phi],
            "greatest phi of the items that are not among the first k",
            |value, data, query| {
                let ranks = value.ranks(data, query)?;
                let is_known = Reads::Items(value.k).is_known_in(ranks);
                ranks.similarity.filter(|_| is_known)?.max_missed_phi(value.k)
            },
        ))
    },
    learning(
        "learned",
        Learning::Learned,
        "whether top-1 is a positive at the last step, and first so before the last quarter of the steps (--series)",
    ),
    learning(
        "late",
        Learning::Late,
        "whether top-1 is a positive at the last step, and first so in the last quarter of the steps",
    ),
    learning(
        "forgotten",
        Learning::Forgotten,
        "whether top-1 is a positive at an earlier step, and not at the last",
    ),
    learning("never", Learning::Never, "whether top-1 is a positive at no step"),
    count(
        "first_right_step",
        &[Need::Steps],
        "number of the first step at which top-1 is a positive; unknown where it never is",
        |value, data, query| {
            let first = first_step(&data.correct_by_step(&value.ranks, query)?)?;
            Some(data.study.steps[first].number as f64)
        },
    ),
    flag("picked", &[], "whether it is bookmarked", |_, data, query| {
        Some(as_number(data.inputs.marks.is_picked(query)))
    }),
    count("judgments", &[], "pairs of it that a person judged", |_, data, query| {
        Some(data.inputs.marks.judgment_count(query) as f64)
    }),
    row("tag", &[], "a tag of any of its pairs: == finds it, != queries without it", Getter::Tags),
];

/// The row of all metrics with these inputs.
const fn metric_row(needs: &'static [Need]) -> Row {
    let get = Getter::Number(|value, data, query| value.spec?.per_query(value.ranks(data, query)?));
    Row { extent: Extent::OfMetric, ..row("", needs, "", get) }
}

/// Metrics of ranks under any truth.
static METRIC: Row = metric_row(&[Need::Ranks]);
/// Metrics that need the truth of a similarity.
static METRIC_OF_PHI: Row = metric_row(&[Need::Phi]);

/// The text of a query; a function item, as [`Getter::Text`] needs.
fn text<'a>(data: &Source<'a>, query: usize) -> Option<&'a str> {
    data.text(query)
}

/// 1 if a condition is met, else 0.
pub(super) fn as_number(is_met: bool) -> f64 {
    f64::from(u8::from(is_met))
}

/// The rank of the first positive; `None` if no positive is ranked, or if the ranking is too short to know it.
pub(super) fn first_rank(ranks: QueryRanks<'_>) -> Option<u32> {
    ranks.first().filter(|_| Reads::First.is_known_in(ranks))
}

impl Row {
    /// Whether an expression may name a model for the value.
    pub fn allows_model(&self) -> bool {
        use Need::{Phi, Ranks, Rich, TopK};
        self.needs.iter().any(|need| matches!(need, Ranks | Phi | Rich | TopK))
    }

    /// Whether an expression may name a truth for the value.
    pub fn allows_truth(&self) -> bool {
        use Need::{Lists, Phi, Ranks, Steps, Truth};
        self.needs.iter().any(|need| matches!(need, Truth | Lists | Ranks | Phi | Steps))
    }
}

impl Value {
    /// The query's ranks of the value's model and truth; `None` if the truth does not cover the query.
    fn ranks<'a>(&self, data: &Source<'a>, query: usize) -> Option<QueryRanks<'a>> {
        data.query_ranks(*self.ranks.first()?, query)
    }

    /// Whether the value is 0 or 1, and so a condition by itself.
    pub fn is_flag(&self) -> bool {
        self.row.extent == Extent::Flag || self.spec.is_some_and(|spec| spec.metric.is_flag())
    }

    /// Whether the value is an integer for every query.
    pub fn is_whole(&self) -> bool {
        self.is_flag() || !matches!(self.row.extent, Extent::OfMetric | Extent::Any)
    }

    /// The lowest and highest number, maybe infinite; `None` if unknown, as for similarities from a file.
    pub fn range(&self) -> Option<[f64; 2]> {
        match self.row.extent {
            Extent::Flag => Some([0.0, 1.0]),
            Extent::From(lowest) => Some([lowest, f64::INFINITY]),
            Extent::UpToDepth => Some([0.0, f64::from(self.k)]),
            Extent::OfMetric => self.spec.map(|spec| spec.metric.unit().range()),
            Extent::Any => None,
        }
    }
}

/// Further names of metrics, with their keys: the value of one query is an AP, its mean over queries is mAP.
const ALIASES: &[(&str, &str)] = &[("ap_at_r", "map_at_r"), ("ap", "map")];

/// The metric with this name or alias, with its depth; `None` if there is none.
fn find_metric(name: &str) -> Option<Spec> {
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
    let key = alias.map(|(_, key)| (*key).to_owned());
    let key = key.or_else(|| spelling::key(name));
    key.as_deref().unwrap_or(name).parse().ok()
}

/// The definition of the value with this name, and the metric if it is one; `None` if no value has the name.
pub(super) fn find_value(name: &str) -> Option<(&'static Row, Option<Spec>)> {
    if let Some(spec) = find_metric(name) {
        let row = if spec.metric.needs_phi() { &METRIC_OF_PHI } else { &METRIC };
        return Some((row, Some(spec)));
    }
    ROWS.iter().find(|row| row.name == name).map(|row| (row, None))
}

/// Every value as written in an expression, and its meaning, for help.
pub fn values() -> Vec<(String, String)> {
    let metric = |metric: &&dyn Metric| {
        let title = metric.title().replace("@K", "@10, or at any other depth,");
        (metric.key().replace("_at_k", "_at_10"), format!("{title} of the query"))
    };
    let others = ROWS.iter();
    let others = others.map(|row| ([row.name, row.arguments].concat(), row.doc.to_owned()));
    METRICS.iter().map(metric).chain(others).collect()
}

/// Every name of a value, also of metrics and their aliases.
fn all_names() -> Vec<&'static str> {
    let metrics = METRICS.iter().map(|metric| metric.key());
    let aliases = ALIASES.iter().map(|(alias, _)| *alias);
    metrics.chain(aliases).chain(ROWS.iter().map(|row| row.name)).collect()
}

/// The name of the value whose name or metric title is most similar to an unknown name; `None` if none is similar.
pub(super) fn suggestion(name: &str) -> Option<&'static str> {
    let titles = METRICS.iter().map(|metric| metric.title());
    let near = nearest(name, all_names().into_iter().chain(titles))?;
    let metric = METRICS.iter().find(|metric| metric.title() == near);
    Some(metric.map_or(near, |metric| metric.key()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_metrics_are_found() {
        let mut all = all_names();
        all.sort_unstable();
        let count = all.len();
        all.dedup();
        assert_eq!(all.len(), count);
        assert_eq!(find_metric("ap_at_r"), find_metric("map_at_r"));
        assert_eq!(find_metric("recall_at_5"), find_metric("r5"));
        assert_eq!(find_metric("ndcg_at_7").unwrap().k, 7);
        assert!(find_metric("ndcg_at_k").is_none() && find_metric("rank").is_none());
        assert_eq!(suggestion("mapr"), Some("map_at_r"));
        assert_eq!(suggestion("rnak"), Some("rank"));
        assert_eq!(suggestion("colour"), None);
        let is_flag = |name| find_metric(name).unwrap().metric.is_flag();
        assert!(is_flag("r5") && !is_flag("ap"));
    }
}
