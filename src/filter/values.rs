//! The values of expressions: one row of [`ROWS`] each, and every metric.

use super::counts::RanksOf;
use super::source::{Source, extra};
use crate::data::id::Id;
use crate::data::index::{ModelIx, TruthIx};
use crate::data::near::nearest;
use crate::data::words::has_words;
use crate::metric::depth::Reads;
use crate::metric::{METRICS, Metric, Spec, spelling};
use crate::phrase::PhraseType;
use crate::rank::QueryRanks;
use crate::study::Study;
use crate::study::series::{Kind, first_step};

/// A value of a query. To add one, add a row to [`ROWS`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub name: &'static str,
    /// Its arguments for help, if it has a depth k or texts.
    pub arguments: &'static str,
    pub doc: &'static str,
    /// Valid texts of its arguments; any text if there are none.
    pub names: Option<fn(&Study) -> Vec<&str>>,
    pub extent: Extent,
    /// Its inputs. It may be of a named model or truth if these are included.
    pub needs: &'static [Need],
    pub of: Getter,
}

/// Range of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Extent {
    /// 0 or 1: a condition by itself.
    Flag,
    /// Integers from this one on.
    From(f64),
    /// Integers up to its depth.
    UpToDepth,
    /// Range of a metric.
    OfMetric,
    /// Any, or none.
    Any,
}

/// Input of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    /// A truth, whether it has lists in the direction or not.
    Truth,
    /// Lists of a truth in the direction.
    Lists,
    /// The ranks of a view.
    Ranks,
    /// The ranks of a view under the truth of a similarity.
    Phi,
    /// The ranks of a model under the original truth, then those under each rich one.
    Rich,
    /// The ranks of each step of a training.
    Steps,
    /// The first items of a model.
    TopK,
    /// Captions, also of query images.
    Captions,
    /// Captions as words.
    Words,
    /// Annotated phrases.
    Phrases,
    /// Object categories of images.
    Categories,
    /// Columns of tables.
    Columns,
}

/// Computes a value for a query; `None` if unknown.
#[derive(Debug, Clone, Copy)]
pub(super) enum Getter {
    Number(fn(&Value, &Source<'_>, usize) -> Option<f64>),
    Text(for<'a> fn(&Source<'a>, usize) -> Option<&'a str>),
    Id(for<'a> fn(&Value, &Source<'a>, usize) -> Option<&'a Id>),
    Tags,
    Series(Kind),
}

/// A value with resolved names.
#[derive(Debug, Clone)]
pub(super) struct Value {
    pub row: &'static Row,
    /// The metric, if it is one.
    pub spec: Option<Spec>,
    pub k: u32,
    /// Its texts, with the index of each among its names.
    pub texts: Vec<(String, usize)>,
    pub model: ModelIx,
    pub truth: TruthIx,
    /// Ranks that its row needs.
    pub ranks: Vec<RanksOf>,
}

type NumberOf = fn(&Value, &Source<'_>, usize) -> Option<f64>;

const fn row(name: &'static str, needs: &'static [Need], doc: &'static str, of: Getter) -> Row {
    Row { name, arguments: "", names: None, doc, extent: Extent::Any, needs, of }
}

const fn count(
    name: &'static str,
    needs: &'static [Need],
    doc: &'static str,
    number: NumberOf,
) -> Row {
    Row { extent: Extent::From(0.0), ..row(name, needs, doc, Getter::Number(number)) }
}

const fn flag(
    name: &'static str,
    needs: &'static [Need],
    doc: &'static str,
    number: NumberOf,
) -> Row {
    Row { extent: Extent::Flag, ..count(name, needs, doc, number) }
}

/// A flag for queries with this kind of learning over the training steps.
const fn series(name: &'static str, kind: Kind, doc: &'static str) -> Row {
    Row { extent: Extent::Flag, ..row(name, &[Need::Steps], doc, Getter::Series(kind)) }
}

const fn with_texts(arguments: &'static str, names: fn(&Study) -> Vec<&str>, row: Row) -> Row {
    Row { arguments, names: Some(names), ..row }
}

const fn with_depth(row: Row) -> Row {
    Row { arguments: "(model, k)", extent: Extent::UpToDepth, ..row }
}

/// Every value but metrics.
pub(super) const ROWS: &[Row] = &[
    Row {
        extent: Extent::From(1.0),
        ..count("rank", &[Need::Ranks], "rank of the first positive", |of, source, query| {
            first(of.ranks(source, query)?).map(f64::from)
        })
    },
    with_depth(count(
        "positives_in_top",
        &[Need::Ranks],
        "positives among the first k items",
        |of, source, query| {
            let ranks = of.ranks(source, query)?;
            ranks.is_known_to(of.k).then(|| ranks.ranks.count_to(of.k) as f64)
        },
    )),
    with_depth(count(
        "extra_in_top",
        &[Need::Rich],
        "positives of rich ground truths only, not in the original one, among the first k items",
        extra,
    )),
    count(
        "r",
        &[Need::Lists],
        "R, the number of positives that the ground truth lists",
        |of, source, query| {
            let relevance = source.relevance(of.truth)?;
            Some(f64::from(source.counts.marks.listed(relevance, relevance.place(query)?)))
        },
    ),
    flag(
        "judged",
        &[Need::Truth],
        "whether the ground truth judges the query",
        |of, source, query| Some(as_number(source.relevance(of.truth)?.place(query).is_some())),
    ),
    count("words", &[Need::Captions], "words of the text", |_, source, query| {
        Some(source.text(query)?.split_whitespace().count() as f64)
    }),
    with_texts(
        "(\"two\", ..)",
        |_| Vec::new(),
        flag(
            "has_word",
            &[Need::Captions],
            "whether the text has a word or phrase, or one of several",
            |of, source, query| {
                let text = source.text(query)?;
                Some(as_number(of.texts.iter().any(|(words, _)| has_words(text, words))))
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
        Getter::Id(|_, source, query| Some(&source.study.gallery.queries(source.direction)[query])),
    ),
    row(
        "first_item",
        &[Need::TopK],
        "the first item's id",
        Getter::Id(|of, source, query| {
            let first = source.first_item(of.model, query)?;
            Some(&source.study.gallery.items(source.direction)[first as usize])
        }),
    ),
    flag(
        "hub",
        &[Need::TopK],
        "whether top-1 is a hub: top-1 for three queries or more, and for more than the mean \
         item by two standard deviations",
        |of, source, query| {
            let first = source.first_item(of.model, query)?;
            Some(as_number(source.counts.top_k(of.model)?.hubness.is_hub(first)))
        },
    ),
    flag(
        "near_duplicate",
        &[Need::Captions, Need::Words, Need::Lists, Need::TopK],
        "whether the captions of top-1 and of any positive are equal but for case, punctuation and articles",
        |of, source, query| Some(as_number(source.near_duplicate(of.model, of.truth, query)?)),
    ),
    with_texts(
        "(\"dog\", ..)",
        Study::category_names,
        flag(
            "category",
            &[Need::Categories],
            "whether the image has an object of a category, or of one of several (instances file)",
            |of, source, query| Source::has_any(of, |place| source.has_category(query, place)),
        ),
    ),
    with_texts(
        "(\"people\", ..)",
        |_| PhraseType::VISUAL.map(PhraseType::name).to_vec(),
        flag(
            "phrase_type",
            &[Need::Phrases],
            "whether a phrase of the caption, or of any of the image's, is of a type (with --entities)",
            |of, source, query| Source::has_any(of, |place| source.has_phrase_type(query, place)),
        ),
    ),
    with_texts(
        "(\"NAME\")",
        Study::column_names,
        row(
            "column",
            &[Need::Columns],
            "what a table says of the query in a column, a number or a text (--table)",
            Getter::Id(|of, source, query| {
                source.study.columns[of.texts[0].1].value(source.study, source.direction, query)
            }),
        ),
    ),
    flag(
        "unrelated",
        &[Need::Phrases],
        "whether UNRELATED_CAPTIONS lists the caption, or any of the image's (with --entities)",
        |_, source, query| {
            Some(as_number(source.any_sentence(query, |sentence| sentence.is_unrelated)?))
        },
    ),
    row(
        "phi",
        &[Need::Phi],
        "similarity phi of the first item with the query (--phi)",
        Getter::Number(|of, source, query| of.ranks(source, query)?.similarity?.first()),
    ),
    Row {
        extent: Extent::Any,
        ..with_depth(count(
            "missed_phi",
            &[Need::Phi],
            "greatest phi of the items that are not among the first k",
            |of, source, query| {
                let ranks = of.ranks(source, query)?;
                let is_known = Reads::Items(of.k).known_in(ranks);
                ranks.similarity.filter(|_| is_known)?.missed(of.k)
            },
        ))
    },
    series(
        "learned",
        Kind::Learned,
        "whether top-1 is a positive at the last step, and first so before the last quarter of the steps (--series)",
    ),
    series(
        "late",
        Kind::Late,
        "whether top-1 is a positive at the last step, and first so in the last quarter of the steps",
    ),
    series(
        "forgotten",
        Kind::Forgotten,
        "whether top-1 is a positive at an earlier step, and not at the last",
    ),
    series("never", Kind::Never, "whether top-1 is a positive at no step"),
    count(
        "first_right_step",
        &[Need::Steps],
        "number of the first step at which top-1 is a positive; unknown where it never is",
        |of, source, query| {
            let first = first_step(&source.correct(&of.ranks, query)?)?;
            Some(source.study.steps[first].number as f64)
        },
    ),
    flag("picked", &[], "whether it is bookmarked", |_, source, query| {
        Some(as_number(source.counts.marks.is_picked(query)))
    }),
    count("judgments", &[], "pairs of it that a person judged", |_, source, query| {
        Some(source.counts.marks.judgment_count(query) as f64)
    }),
    row("tag", &[], "a tag of any of its pairs: == finds it, != queries without it", Getter::Tags),
];

const fn of_metric(needs: &'static [Need]) -> Row {
    let of = Getter::Number(|of, source, query| of.spec?.per_query(of.ranks(source, query)?));
    Row { extent: Extent::OfMetric, ..row("", needs, "", of) }
}

static METRIC: Row = of_metric(&[Need::Ranks]);
static METRIC_OF_PHI: Row = of_metric(&[Need::Phi]);

fn text<'a>(source: &Source<'a>, query: usize) -> Option<&'a str> {
    source.text(query)
}

pub(super) fn as_number(is_met: bool) -> f64 {
    f64::from(u8::from(is_met))
}

/// The rank of the first positive, if the ranking is long enough.
pub(super) fn first(query: QueryRanks<'_>) -> Option<u32> {
    query.first().filter(|_| Reads::First.known_in(query))
}

impl Row {
    /// Whether it may be of a named model.
    pub fn takes_model(&self) -> bool {
        use Need::{Phi, Ranks, Rich, TopK};
        self.needs.iter().any(|need| matches!(need, Ranks | Phi | Rich | TopK))
    }

    /// Whether it may be of a named truth.
    pub fn takes_truth(&self) -> bool {
        use Need::{Lists, Phi, Ranks, Steps, Truth};
        self.needs.iter().any(|need| matches!(need, Truth | Lists | Ranks | Phi | Steps))
    }
}

impl Value {
    /// The ranks of its view.
    fn ranks<'a>(&self, source: &Source<'a>, query: usize) -> Option<QueryRanks<'a>> {
        source.query(*self.ranks.first()?, query)
    }

    /// Whether it is 0 or 1, and so a condition by itself.
    pub fn is_flag(&self) -> bool {
        self.row.extent == Extent::Flag || self.spec.is_some_and(|spec| spec.metric.is_flag())
    }

    /// Whether it is an integer for every query.
    pub fn is_whole(&self) -> bool {
        self.is_flag() || !matches!(self.row.extent, Extent::OfMetric | Extent::Any)
    }

    /// The lowest and the highest number, or infinity; `None` if unknown, as for similarities from a file.
    pub fn range(&self) -> Option<[f64; 2]> {
        match self.row.extent {
            Extent::Flag => Some([0.0, 1.0]),
            Extent::From(least) => Some([least, f64::INFINITY]),
            Extent::UpToDepth => Some([0.0, f64::from(self.k)]),
            Extent::OfMetric => self.spec.map(|spec| spec.metric.unit().range()),
            Extent::Any => None,
        }
    }
}

/// Further names of metrics: a query's part of the mean.
const ALIASES: &[(&str, &str)] = &[("ap_at_r", "map_at_r"), ("ap", "map")];

/// The metric of this name, with its depth.
fn metric(name: &str) -> Option<Spec> {
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
    let key = alias.map(|(_, key)| (*key).to_owned());
    let key = key.or_else(|| spelling::key(name));
    key.as_deref().unwrap_or(name).parse().ok()
}

/// The value of this name, with its metric if it is one.
pub(super) fn named(name: &str) -> Option<(&'static Row, Option<Spec>)> {
    if let Some(spec) = metric(name) {
        let row = if spec.metric.takes_phi() { &METRIC_OF_PHI } else { &METRIC };
        return Some((row, Some(spec)));
    }
    ROWS.iter().find(|row| row.name == name).map(|row| (row, None))
}

/// Every value with its meaning, for help.
pub fn values() -> Vec<(String, String)> {
    let metric = |metric: &&dyn Metric| {
        let title = metric.title().replace("@K", "@10, or at any other depth,");
        (metric.key().replace("_at_k", "_at_10"), format!("{title} of the query"))
    };
    let others = ROWS.iter();
    let others = others.map(|row| ([row.name, row.arguments].concat(), row.doc.to_owned()));
    METRICS.iter().map(metric).chain(others).collect()
}

/// Every name of a value, for messages.
fn names() -> Vec<&'static str> {
    let metrics = METRICS.iter().map(|metric| metric.key());
    let aliases = ALIASES.iter().map(|(alias, _)| *alias);
    metrics.chain(aliases).chain(ROWS.iter().map(|row| row.name)).collect()
}

/// The name nearest to an unknown one; metrics are also known by title.
pub(super) fn suggestion(name: &str) -> Option<&'static str> {
    let titles = METRICS.iter().map(|metric| metric.title());
    // "verdicts" was the former name of "judgments".
    let name = name.replace("verdict", "judgment");
    let near = nearest(&name, names().into_iter().chain(titles))?;
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
        assert_eq!(suggestion("mapr"), Some("map_at_r"));
        assert_eq!(suggestion("rnak"), Some("rank"));
        assert_eq!(suggestion("verdicts"), Some("judgments"));
        assert_eq!(suggestion("colour"), None);
        let is_flag = |name| metric(name).unwrap().metric.is_flag();
        assert!(is_flag("r5") && !is_flag("ap"));
    }
}
