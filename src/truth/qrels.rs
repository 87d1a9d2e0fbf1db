//! TREC qrels: `qid 0 docno rel`, a line a judged pair.
//!
//! A pair is positive where rel is above 0, or reaches a threshold that is asked for; where any rel is above
//! 1, they are kept as grades. A query with any line is judged, also where none of its
//! items is right, as `trec_eval` has it. Pairs of rel 0 are kept as judged not relevant, those of rel -1 as pooled
//! and not judged; what is below stands for no judgement at all.

use rustc_hash::{FxHashMap, FxHashSet};

use super::id_map::name_and_direction;
use super::pairs::Pairs;
use super::{Format, Listed, Parts};
use crate::data::id::Id;
use crate::data::json::Shape;
use crate::data::source::Source;
use crate::error::{Error, Result};

/// Qrels, one direction per file.
pub struct Qrels;

impl Format for Qrels {
    fn key(&self) -> &'static str {
        "qrels"
    }

    fn doc(&self) -> &'static str {
        "TREC qrels, qid 0 docno rel, one direction per file: NAME_i2t.qrels, NAME_t2i.qrels"
    }

    fn accepts(&self, source: &Source, shape: Option<Shape>) -> bool {
        if shape.is_some() {
            return false;
        }
        let lines = source.bytes().split(|&b| b == b'\n').map(str::from_utf8);
        let first = lines.take(100).find(|line| match line {
            Ok(line) => !line.trim().is_empty(),
            Err(_) => true,
        });
        matches!(first, Some(Ok(line)) if judged(line).is_some())
    }

    fn ending(&self) -> Option<&'static str> {
        Some("qrels")
    }

    fn read(&self, source: &Source) -> Result<Parts> {
        let (name, direction) = name_and_direction(&source.stem());
        let listed = Listed {
            name,
            direction,
            pairs: pairs(source)?,
            file: source.display(),
        };
        Ok(Parts {
            truths: vec![listed],
            ..Parts::default()
        })
    }
}

/// What stands for an item where a query is judged and has none: see [`super::output`].
pub(super) const NO_ITEM: &str = "-";

/// The greatest grade that is told from others.
const GREATEST: i64 = 1 << 30;

/// Query, item and relevance of a line.
fn judged(line: &str) -> Option<(&str, &str, i64)> {
    let mut fields = line.split_ascii_whitespace();
    let query = fields.next()?;
    let round = fields.next()?;
    let item = fields.next()?;
    let relevance = fields.next()?.parse().ok()?;
    let is_round = round == "Q0" || round.parse::<i64>().is_ok();
    (is_round && fields.next().is_none()).then_some((query, item, relevance))
}

fn pairs(source: &Source) -> Result<Pairs> {
    let mut places: FxHashMap<&str, usize> = FxHashMap::default();
    let mut queries: Vec<(&str, Vec<(&str, u32)>)> = Vec::new();
    let mut zeros: Vec<(usize, &str)> = Vec::new();
    let mut pooled: Vec<(usize, &str)> = Vec::new();
    let mut seen = FxHashSet::default();
    for (at, line) in (1..).zip(source.bytes().split(|&b| b == b'\n')) {
        let wrong = || {
            Error::new(source.display(), format!("line {at} is none of qrels"))
                .expected("four fields: qid 0 docno rel")
        };
        let line = str::from_utf8(line).map_err(|_| wrong())?;
        if line.trim().is_empty() {
            continue;
        }
        let (query, item, relevance) = judged(line).ok_or_else(wrong)?;
        let grade = u32::try_from(relevance.clamp(0, GREATEST)).map_err(|_| wrong())?;
        if !seen.insert((query, item)) {
            let found = format!("line {at} judges item {item} for query {query} again");
            return Err(Error::new(source.display(), found).expected("every pair once"));
        }
        let place = *places.entry(query).or_insert_with(|| {
            queries.push((query, Vec::new()));
            queries.len() - 1
        });
        match relevance {
            1.. => queries[place].1.push((item, grade)),
            0 => zeros.push((place, item)),
            -1 => pooled.push((place, item)),
            _ => {}
        }
    }
    let [nonrelevant, pooled] = [zeros, pooled].map(|pairs| by_query(&queries, pairs));
    let is_graded = queries
        .iter()
        .any(|(_, items)| items.iter().any(|(_, grade)| *grade > 1));
    let parsed = queries.into_iter().map(|(query, items)| {
        let items = items
            .into_iter()
            .map(|(item, grade)| (Id::parse(item), grade));
        (Id::parse(query), items)
    });
    let pairs: Pairs = if is_graded {
        Pairs::with_grades(parsed.map(|(query, items)| (query, items.collect())), 1)
    } else {
        parsed
            .map(|(query, items)| (query, items.map(|(item, _)| item)))
            .collect()
    };
    Ok(pairs.beside(nonrelevant).with_pooled(pooled))
}

/// Pairs that are no positives, by query; [`NO_ITEM`] is none.
fn by_query<T>(queries: &[(&str, T)], mut pairs: Vec<(usize, &str)>) -> Pairs {
    pairs.retain(|(_, item)| *item != NO_ITEM);
    pairs.sort_by_key(|(place, _)| *place);
    let of_query = pairs.chunk_by(|one, other| one.0 == other.0);
    let list = |of: &[(usize, &str)]| {
        let items: Vec<Id> = of.iter().map(|(_, item)| Id::parse(item)).collect();
        (Id::parse(queries[of[0].0].0), items)
    };
    of_query.map(list).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Direction;

    fn source(text: &str) -> Source {
        Source::in_memory("mine_t2i.qrels", text.as_bytes().to_vec())
    }

    #[test]
    fn positives_are_above_zero_and_queries_without_any_are_judged() {
        let file = source("\n7 0 3 1\r\n9 0 x.jpg 0\n7 0 4 2\n7 0 5 0\n7 0 6 -1\n7 0 8 -2\n");
        assert!(Qrels.accepts(&file, None));
        let parts = Qrels.read(&file).unwrap();
        let [listed] = &parts.truths[..] else {
            panic!()
        };
        assert_eq!(
            (&listed.name[..], listed.direction),
            ("mine", Some(Direction::T2i))
        );
        let text = serde_json::to_string(&listed.pairs).unwrap();
        assert_eq!(text, r#"{"7":[3,4],"9":[]}"#);
        assert_eq!(listed.pairs.grades(0), Some(&[1, 2][..]));
        let nonrelevant = serde_json::to_string(listed.pairs.nonrelevant().unwrap()).unwrap();
        assert_eq!(nonrelevant, r#"{"7":[5],"9":["x.jpg"]}"#);
        let pooled = serde_json::to_string(listed.pairs.pooled().unwrap()).unwrap();
        assert_eq!(pooled, r#"{"7":[6]}"#);
        let plain = Qrels.read(&source("7 0 3 1\n7 0 4 0\n")).unwrap();
        assert_eq!(plain.truths[0].pairs.greatest(), None);
    }

    #[test]
    fn what_is_none_of_qrels_is_told_with_its_line() {
        for other in ["", "1 Q0 5 1 0.5 tag", "a dog runs 4", "1 0 5 x"] {
            assert!(!Qrels.accepts(&source(other), None), "{other}");
        }
        for (text, told) in [
            ("1 0 5 1\n1 0 6\n", "line 2 is none"),
            ("1 0 5 1\n1 0 5 0", "line 2 judges item 5"),
        ] {
            let error = Qrels.read(&source(text)).err().unwrap().to_string();
            assert!(error.contains(told), "{error}");
        }
    }
}
