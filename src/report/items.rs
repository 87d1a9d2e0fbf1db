//! The first items of queries: a row for each pair.

use serde_json::{Map, Value, json};

use super::cell::{Cell, row};
use super::found::number;
use super::{Json, Report, Table, caption_text};
use crate::analysis::first_items::{FirstItem, Which};
use crate::data::Direction;
use crate::data::text::{grouped, shown};
use crate::filter::FilterMatches;
use crate::session::QuerySample;
use crate::study::Study;
use crate::truth::Truth;
use crate::truth::verdict::{Pair, Verdicts};

/// What was asked, and what was found.
pub struct Items<'a> {
    /// The gallery and the truths.
    pub study: &'a Study,
    /// The condition on the queries, as it was written.
    pub condition: &'a str,
    /// The model that ranks.
    pub model: &'a str,
    /// The truth whose queries they are.
    pub truth: &'a str,
    /// Which of the first items are told.
    pub which: Which,
    /// How many of each query were looked at.
    pub depth: u32,
    /// The heads of the columns of each query.
    pub columns: Vec<&'a str>,
    /// A person's verdicts, where a session is named.
    pub verdicts: Option<&'a Verdicts>,
    /// What was found, for each direction.
    pub directions: Vec<OfDirection<'a>>,
}

/// What was found in one direction.
pub struct OfDirection<'a> {
    /// Direction of retrieval.
    pub direction: Direction,
    /// The queries.
    pub found: &'a FilterMatches,
    /// How these were drawn, where not all are told.
    pub drawn: Option<&'a QuerySample>,
    /// Their first items.
    pub items: Vec<FirstItem>,
}

impl Items<'_> {
    /// How many pairs of how many queries, in words.
    pub fn share(&self) -> String {
        let share = |of: &OfDirection<'_>| {
            let (items, met) = (grouped(of.items.len()), grouped(of.found.met));
            let plural = if of.items.len() == 1 { "item" } else { "items" };
            let total = grouped(of.found.of);
            format!(
                "{}: {items} {plural} of {met} of {total} queries",
                of.direction
            )
        };
        let shares: Vec<String> = self.directions.iter().map(share).collect();
        shares.join("; ")
    }

    /// A row for each pair.
    pub fn report(&self) -> Report<'_> {
        Report::new(vec![self.table()], self.table(), Json::tree(|| self.json()))
    }

    /// Words first, as columns of numbers stand together.
    fn table(&self) -> Table<'_> {
        let mut head = vec!["direction", "query", "item", "standing"];
        head.extend(self.study.truths.iter().map(|truth| truth.name.as_str()));
        head.extend(self.verdicts.map(|_| "verdict"));
        let words = head.len();
        head.extend(["rank", "score"]);
        head.extend(self.has_phi().then_some("phi"));
        head.extend(self.is_rated().then_some("rating"));
        head.extend(&self.columns);
        let numbers = words..head.len();
        head.extend(["file_name", "caption"]);
        let rows = self.directions.iter().flat_map(move |of| {
            let row = move |one: &FirstItem| self.row(of, one);
            of.items.iter().map(row)
        });
        Table {
            numbers,
            ..Table::new("", head, words, rows)
        }
    }

    /// Whether items are listed for their phi.
    fn has_phi(&self) -> bool {
        self.which == Which::Missed
    }

    fn is_rated(&self) -> bool {
        self.study
            .truths
            .iter()
            .any(|truth| self.study.is_rated(truth))
    }

    fn row(&self, of: &OfDirection<'_>, one: &FirstItem) -> Vec<Cell> {
        let (direction, gallery) = (of.direction, &self.study.gallery);
        let (query, item) = (one.query as usize, one.item as usize);
        let pair = Pair::of(direction, query.into(), item.into());
        let mut cells = row![
            direction,
            Cell::Id(gallery.queries(direction)[query].to_string()),
            Cell::Id(gallery.items(direction)[item].to_string()),
            one.badge.in_lists(),
        ];
        let mark = |truth: &Truth| {
            self.study
                .standing(truth, direction, query.into(), item.into())
                .key()
                .into()
        };
        cells.extend(self.study.truths.iter().map(mark));
        cells.extend(self.verdicts.map(|verdicts| {
            let verdict = verdicts.get(pair);
            verdict.map_or(Cell::Empty, |verdict| verdict.key().into())
        }));
        let rank = match one.rank {
            0 => Cell::Undefined,
            rank => rank.into(),
        };
        cells.extend([rank, score(one.score)]);
        cells.extend(self.has_phi().then(|| score(one.phi)));
        if self.is_rated() {
            cells.push(
                self.study
                    .rating(direction, query.into(), item.into())
                    .into(),
            );
        }
        let values = &of.found.queries[one.at].values;
        cells.extend(values.iter().map(|value| number(*value)));
        let name = gallery.file_names.get(pair.image.get());
        cells.push(name.map_or(Cell::Empty, |name| name.shown().into()));
        cells.push(caption_text(self.study, pair.caption.raw()).into());
        cells
    }

    fn json(&self) -> Value {
        let asked = self.directions.iter().map(|of| {
            let mut told = json!({"matched": of.found.met, "total": of.found.of});
            if let Some(drawn) = of.drawn {
                told["sampled"] = json!(drawn.sentence(of.direction));
            }
            (of.direction.key().to_owned(), told)
        });
        let which = Which::ALL
            .into_iter()
            .find(|(_, which)| *which == self.which);
        json!({
            "where": shown(self.condition),
            "model": shown(self.model),
            "truth": shown(self.truth),
            "which": which.map(|(word, _)| word),
            "k": self.depth,
            "queries": asked.collect::<Map<_, _>>(),
            "items": self.table().records().collect::<Value>(),
        })
    }
}

/// JSON knows no infinities.
fn score(score: f64) -> Cell {
    if score.is_finite() {
        Cell::Number(score, 4)
    } else {
        Cell::Undefined
    }
}
