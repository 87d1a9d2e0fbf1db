//! The top items of queries: a row for each pair of query and item.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;
use serde_json::{Map, Value, json};

use super::cell::{Cell, row, score};
use super::matches::{number, wider_truth};
use super::{Json, Report, Table, caption_text};
use crate::analysis::listed_items::{ListedItem, MAX_MISSED, Which};
use crate::data::Direction;
use crate::data::text::{count, grouped, shown};
use crate::filter::{FilterMatches, Marks};
use crate::session::QuerySample;
use crate::study::Study;
use crate::truth::Truth;
use crate::truth::judgment::Pair;

/// The result of `find` for items of queries.
pub struct Items<'a> {
    /// Study with gallery and truths.
    pub study: &'a Study,
    /// The condition on the queries, as it was written.
    pub condition: &'a str,
    /// Name of the model that ranks.
    pub model: &'a str,
    /// Name of the ground truth of the condition.
    pub truth: &'a str,
    /// Which items are listed.
    pub which: Which,
    /// Depth of the search in each ranking.
    pub depth: u32,
    /// Headings of the requested columns of queries.
    pub columns: Vec<&'a str>,
    /// A person's marks, if a session is given.
    pub marks: Option<&'a Marks>,
    /// The results in each direction.
    pub directions: Vec<DirectionItems<'a>>,
}

/// The results in one direction.
pub struct DirectionItems<'a> {
    /// Direction of retrieval.
    pub direction: Direction,
    /// The matching queries.
    pub found: &'a FilterMatches,
    /// How the queries were sampled, if not all are searched.
    pub sample: Option<&'a QuerySample>,
    /// Their top items.
    pub items: ListedItems,
}

/// Listed items, and the number of all items found.
#[derive(Debug)]
pub struct ListedItems {
    /// The listed items.
    items: Vec<ListedItem>,
    /// Number of their queries.
    queries: usize,
    /// Number of all items found, and number of their queries.
    all: (usize, usize),
}

impl ListedItems {
    /// Lists the items of the first `limit` queries, or of all if it is `None`, in the order of `items`.
    pub fn new(mut items: Vec<ListedItem>, limit: Option<usize>) -> Self {
        let mut queries = FxHashSet::default();
        queries.extend(items.iter().map(|one| one.at));
        let all = (items.len(), queries.len());
        let limit = limit.unwrap_or(usize::MAX);
        queries.clear();
        items.retain(|one| {
            if queries.len() < limit {
                queries.insert(one.at);
            }
            queries.contains(&one.at)
        });
        ListedItems { queries: queries.len(), items, all }
    }
}

impl Items<'_> {
    /// How many items of how many queries were found, and how many queries were searched: a line for each direction.
    pub fn counts_text(&self) -> String {
        self.directions.iter().map(|one| self.direction_counts(one)).collect::<Vec<_>>().join("\n")
    }

    /// The line of [`Items::counts_text`] on one direction.
    fn direction_counts(&self, results: &DirectionItems<'_>) -> String {
        let direction = format!("{} {}", shown(self.model), results.direction);
        let ListedItems { queries, all: (items, with_items), .. } = &results.items;
        if let (0, Some(why)) = (items, self.which.unknown_reason(self.study)) {
            return format!("{direction}: {why}");
        }
        let words = self.which.noun(*items == 1, self.study.truths.len() > 1);
        let is_bounded = self.which == Which::Missed && *items == MAX_MISSED;
        let bound = ["", " (only these are listed, of the greatest phi)"][usize::from(is_bounded)];
        let first = if queries < with_items {
            format!("; those of the first {} are printed", grouped(*queries))
        } else {
            String::new()
        };
        let (found, with_items) = (grouped(*items), count(*with_items, "query"));
        let wider = wider_truth(self.study, results.direction, results.found.searched);
        let wider = wider.map_or_else(String::new, |wider| format!(" ({wider})"));
        let searched = searched_queries(results, self.truth) + &wider;
        format!("{direction}: {found} {words} of {with_items}{bound}{first}; {searched}")
    }

    /// A row for each pair of query and item.
    pub fn report(&self) -> Report<'_> {
        Report::new(vec![self.table()], self.table(), Json::tree(|| self.json()))
    }

    /// The table of pairs: columns of text, of numbers, and of texts that may be long.
    fn table(&self) -> Table<'_> {
        let mut head = vec!["direction", "query", "item", "standing"];
        head.extend(self.study.truths.iter().map(|truth| truth.name.as_str()));
        head.extend(self.marks.map(|_| "judgment"));
        head.extend(self.tags().map(|_| "tags"));
        let text_columns = head.len();
        head.extend(["rank", "score"]);
        head.extend(self.has_phi().then_some("phi"));
        head.extend(self.has_ratings().then_some("rating"));
        head.extend(&self.columns);
        let first_long_text = head.len();
        head.extend(["file_name", "caption", "image_caption"]);
        let rows = self.directions.iter().flat_map(move |results| {
            let row = move |one: &ListedItem| self.row(results, one);
            results.items.items.iter().map(row)
        });
        let mut table = Table::new("", head, text_columns, rows);
        table.is_number[first_long_text..].fill(false);
        table.make_optional(["file_name", "rating"]);
        table.make_optional(self.study.truths.iter().map(|truth| truth.name.as_str()));
        table.make_optional(["direction", "score"]);
        table
    }

    /// The tags of pairs, if there are any.
    fn tags(&self) -> Option<&BTreeSet<(Pair, String)>> {
        self.marks.map(|marks| &marks.tags).filter(|tags| !tags.is_empty())
    }

    /// Whether items are listed by phi.
    fn has_phi(&self) -> bool {
        self.which == Which::Missed
    }

    /// Whether a ground truth has ratings of pairs, a column of their own.
    fn has_ratings(&self) -> bool {
        self.study.truths.iter().any(|truth| self.study.is_rated(truth))
    }

    /// The cells of a pair, in the order of the head of [`Items::table`].
    fn row(&self, results: &DirectionItems<'_>, one: &ListedItem) -> Vec<Cell> {
        let (direction, gallery) = (results.direction, &self.study.gallery);
        let (query, item) = (one.query as usize, one.item as usize);
        let pair = Pair::from_query(direction, query.into(), item.into());
        let mut cells = row![
            direction,
            Cell::Id(gallery.queries(direction)[query].to_string()),
            Cell::Id(gallery.items(direction)[item].to_string()),
            one.badge.key(),
        ];
        let standing = |truth: &Truth| {
            self.study.standing(truth, direction, query.into(), item.into()).key().into()
        };
        cells.extend(self.study.truths.iter().map(standing));
        cells.extend(self.marks.map(|marks| {
            let judgment = marks.judgments.get(pair);
            judgment.map_or(Cell::Empty, |judgment| judgment.key().into())
        }));
        cells.extend(self.tags().map(|tags| {
            let from = tags.range((pair, String::new())..);
            let own_tags =
                from.take_while(|(tagged, _)| *tagged == pair).map(|(_, tag)| shown(tag));
            own_tags.collect::<Vec<_>>().join(", ").into()
        }));
        let rank = match one.rank {
            0 => Cell::Undefined,
            rank => rank.into(),
        };
        cells.extend([rank, score(one.score)]);
        cells.extend(self.has_phi().then(|| score(one.phi)));
        if self.has_ratings() {
            cells.push(self.study.rating(direction, query.into(), item.into()).into());
        }
        // Without columns, queries have no values.
        let values = results.found.queries.get(one.at).map(|query| &query.values);
        cells.extend(values.into_iter().flatten().map(|value| number(*value)));
        let name = gallery.file_names.get(pair.image.get());
        cells.push(name.map_or(Cell::Empty, |name| name.shown().into()));
        cells.push(caption_text(self.study, pair.caption.raw()).into());
        let first = self.study.original_items(Direction::I2t, pair.image.get()).iter().next();
        let text = first.map(|caption| caption_text(self.study, caption));
        cells.push(text.map_or(Cell::Empty, Into::into));
        cells
    }

    /// The JSON: the condition, the counts of queries by direction, and a record for each pair.
    fn json(&self) -> Value {
        let queries = self.directions.iter().map(|results| {
            let mut counts = json!({"matched": results.found.met, "total": results.found.searched,
                "unknown": results.found.unknown});
            if let Some(sample) = results.sample {
                counts["sampled"] = json!(sample.sentence(results.direction));
            }
            (results.direction.key().to_owned(), counts)
        });
        json!({
            "where": shown(self.condition),
            "model": shown(self.model),
            "truth": shown(self.truth),
            "which": self.which.key(),
            "k": self.depth,
            "queries": queries.collect::<Map<_, _>>(),
            "items": self.table().records().collect::<Value>(),
        })
    }
}

/// Says how many queries the truth covers, how many meet the condition, and how many were sampled.
fn searched_queries(results: &DirectionItems<'_>, truth: &str) -> String {
    let FilterMatches { met, searched, unknown, .. } = results.found;
    let mut words = format!("{} covered by {}", grouped(*searched), shown(truth));
    if met < searched {
        words = format!("{} of {words} meet the condition", grouped(*met));
    }
    if *unknown > 0 {
        words = format!("{words}, {} without a value to compare", grouped(*unknown));
    }
    match results.sample {
        Some(_) => format!("{} sampled, {words}", grouped(results.found.queries.len())),
        None => words,
    }
}
