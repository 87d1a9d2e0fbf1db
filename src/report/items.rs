//! The top items of queries: a row for each pair.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;
use serde_json::{Map, Value, json};

use super::cell::{Cell, row, score};
use super::matches::number;
use super::{Json, Report, Table, caption_text};
use crate::analysis::first_items::{FirstItem, MAX_MISSED, Which};
use crate::data::Direction;
use crate::data::text::{count, grouped, shown};
use crate::filter::{FilterMatches, Marks};
use crate::session::QuerySample;
use crate::study::Study;
use crate::truth::Truth;
use crate::truth::judgment::Pair;

/// A query of `find` and its results.
pub struct Items<'a> {
    /// The gallery and the truths.
    pub study: &'a Study,
    /// The condition on the queries, as it was written.
    pub condition: &'a str,
    /// The model that ranks.
    pub model: &'a str,
    /// The ground truth of the queries.
    pub truth: &'a str,
    /// Kind of listed items.
    pub which: Which,
    /// Depth of the search in each ranking.
    pub depth: u32,
    /// Headings of the columns of each query.
    pub columns: Vec<&'a str>,
    /// A person's marks, if a session is given.
    pub marks: Option<&'a Marks>,
    /// The results, by direction.
    pub directions: Vec<DirectionItems<'a>>,
}

/// Results in one direction.
pub struct DirectionItems<'a> {
    /// Direction of retrieval.
    pub direction: Direction,
    /// The queries.
    pub found: &'a FilterMatches,
    /// How these were drawn, if not all are listed.
    pub drawn: Option<&'a QuerySample>,
    /// Their top items.
    pub items: Found,
}

/// Items of queries, in words and numbers.
#[derive(Debug)]
pub struct Found {
    /// The listed items.
    told: Vec<FirstItem>,
    /// Their queries.
    queries: usize,
    /// Number of all items found, and of their queries.
    all: (usize, usize),
}

impl Found {
    /// Items in any order; lists those of the first `limit` queries.
    pub fn first(mut items: Vec<FirstItem>, limit: Option<usize>) -> Self {
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
        Found { queries: queries.len(), told: items, all }
    }
}

impl Items<'_> {
    /// Numbers of items and queries found, in words, and the number searched.
    pub fn share(&self) -> String {
        let shares: Vec<String> = self.directions.iter().map(|of| self.share_of(of)).collect();
        shares.join("\n")
    }

    fn share_of(&self, of: &DirectionItems<'_>) -> String {
        let direction = format!("{} {}", shown(self.model), of.direction);
        let Found { queries, all: (items, with), .. } = &of.items;
        if let (0, Some(why)) = (items, self.which.is_unknown(self.study)) {
            return format!("{direction}: {why}");
        }
        let several = self.study.truths.len() > 1;
        let words = self.which.noun(*items == 1, several);
        let is_bound = self.which == Which::Missed && *items == MAX_MISSED;
        let bound = ["", " (only these are listed, of the greatest phi)"][usize::from(is_bound)];
        let first = if queries < with {
            format!("; those of the first {} are printed", grouped(*queries))
        } else {
            String::new()
        };
        let (found, with) = (grouped(*items), count(*with, "query"));
        let among = among(of, self.truth) + &self.wider(of);
        format!("{direction}: {found} {words} of {with}{bound}{first}; {among}")
    }

    /// The ground truth that covers the most queries, if the current one covers fewer: items of the others are not
    /// listed.
    fn wider(&self, of: &DirectionItems<'_>) -> String {
        let truths = self.study.truths.iter().rev();
        let judges = truths.filter_map(|truth| Some((truth.judges(of.direction)?, &truth.name)));
        match judges.max_by_key(|(queries, _)| *queries) {
            Some((queries, name)) if queries > of.found.of => {
                format!(" (--truth {}: {})", shown(name), grouped(queries))
            }
            _ => String::new(),
        }
    }

    /// A row for each pair.
    pub fn report(&self) -> Report<'_> {
        Report::new(vec![self.table()], self.table(), Json::tree(|| self.json()))
    }

    /// Text first, as columns of numbers are grouped.
    fn table(&self) -> Table<'_> {
        let mut head = vec!["direction", "query", "item", "standing"];
        head.extend(self.study.truths.iter().map(|truth| truth.name.as_str()));
        head.extend(self.marks.map(|_| "judgment"));
        head.extend(self.tags().map(|_| "tags"));
        let words = head.len();
        head.extend(["rank", "score"]);
        head.extend(self.has_phi().then_some("phi"));
        head.extend(self.is_rated().then_some("rating"));
        head.extend(&self.columns);
        let texts = head.len();
        head.extend(["file_name", "caption", "image_caption"]);
        let rows = self.directions.iter().flat_map(move |of| {
            let row = move |one: &FirstItem| self.row(of, one);
            of.items.told.iter().map(row)
        });
        let mut table = Table::new("", head, words, rows);
        table.is_number[texts..].fill(false);
        table
    }

    /// The tags, if there are any.
    fn tags(&self) -> Option<&BTreeSet<(Pair, String)>> {
        self.marks.map(|marks| &marks.tags).filter(|tags| !tags.is_empty())
    }

    /// Whether items are listed by phi.
    fn has_phi(&self) -> bool {
        self.which == Which::Missed
    }

    fn is_rated(&self) -> bool {
        self.study.truths.iter().any(|truth| self.study.is_rated(truth))
    }

    fn row(&self, of: &DirectionItems<'_>, one: &FirstItem) -> Vec<Cell> {
        let (direction, gallery) = (of.direction, &self.study.gallery);
        let (query, item) = (one.query as usize, one.item as usize);
        let pair = Pair::from_query(direction, query.into(), item.into());
        let mut cells = row![
            direction,
            Cell::Id(gallery.queries(direction)[query].to_string()),
            Cell::Id(gallery.items(direction)[item].to_string()),
            one.badge.in_lists(),
        ];
        let mark = |truth: &Truth| {
            self.study.standing(truth, direction, query.into(), item.into()).key().into()
        };
        cells.extend(self.study.truths.iter().map(mark));
        cells.extend(self.marks.map(|marks| {
            let judgment = marks.judgments.get(pair);
            judgment.map_or(Cell::Empty, |judgment| judgment.key().into())
        }));
        cells.extend(self.tags().map(|tags| {
            let from = tags.range((pair, String::new())..);
            let own = from.take_while(|(of, _)| *of == pair).map(|(_, tag)| shown(tag));
            own.collect::<Vec<_>>().join(", ").into()
        }));
        let rank = match one.rank {
            0 => Cell::Undefined,
            rank => rank.into(),
        };
        cells.extend([rank, score(one.score)]);
        cells.extend(self.has_phi().then(|| score(one.phi)));
        if self.is_rated() {
            cells.push(self.study.rating(direction, query.into(), item.into()).into());
        }
        // Without columns, queries have no values.
        let values = of.found.queries.get(one.at).map(|query| &query.values);
        cells.extend(values.into_iter().flatten().map(|value| number(*value)));
        let name = gallery.file_names.get(pair.image.get());
        cells.push(name.map_or(Cell::Empty, |name| name.shown().into()));
        cells.push(caption_text(self.study, pair.caption.raw()).into());
        let own = self.study.original_items(Direction::I2t, pair.image.get());
        let first = own.iter().next();
        let text = first.map(|caption| caption_text(self.study, caption));
        cells.push(text.map_or(Cell::Empty, Into::into));
        cells
    }

    fn json(&self) -> Value {
        let asked = self.directions.iter().map(|of| {
            let mut told = json!({"matched": of.found.met, "total": of.found.of,
                "unknown": of.found.unknown});
            if let Some(drawn) = of.drawn {
                told["sampled"] = json!(drawn.sentence(of.direction));
            }
            (of.direction.key().to_owned(), told)
        });
        json!({
            "where": shown(self.condition),
            "model": shown(self.model),
            "truth": shown(self.truth),
            "which": self.which.word(),
            "k": self.depth,
            "queries": asked.collect::<Map<_, _>>(),
            "items": self.table().records().collect::<Value>(),
        })
    }
}

/// The searched queries: covered by the truth, meeting the condition, drawn.
fn among(of: &DirectionItems<'_>, truth: &str) -> String {
    let FilterMatches { met, of: total, unknown, .. } = of.found;
    let mut words = format!("{} judged by {}", grouped(*total), shown(truth));
    if met < total {
        words = format!("{} of {words} meet the condition", grouped(*met));
    }
    if *unknown > 0 {
        words = format!("{words}, {} without a value to compare", grouped(*unknown));
    }
    match of.drawn {
        Some(_) => format!("{} sampled, {words}", grouped(of.found.queries.len())),
        None => words,
    }
}
