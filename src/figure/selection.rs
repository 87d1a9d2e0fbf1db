//! Sentences that say how the queries of a figure were selected.

use super::scene::FigureQuery;
use crate::data::text::{self, grouped};
use crate::session::{Pick, QuerySample};

/// How a query was selected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuerySelection {
    /// Its id was given.
    Named,
    /// A person picked it.
    Picked,
    /// Sampled from those that meet a condition.
    Sampled(Box<QuerySample>),
}

impl QuerySelection {
    /// How a session's pick was selected.
    pub fn from_pick(pick: &Pick) -> Self {
        match &pick.sampled {
            Some(sample) => QuerySelection::Sampled(Box::new(sample.clone())),
            None => QuerySelection::Picked,
        }
    }

    /// The sentence that says how many queries there are, and that they were selected in this way.
    fn sentence(&self, queries: &[&FigureQuery]) -> String {
        let count = queries.len();
        let counted = text::count(count, "query");
        match self {
            QuerySelection::Named => format!("{counted} chosen by hand."),
            // The person's name is in the session, not in a paper.
            QuerySelection::Picked => format!("{counted} picked by hand."),
            QuerySelection::Sampled(sample) => {
                let sentence = sample.sentence(queries[0].direction);
                let all = grouped(sample.sampled);
                match count {
                    _ if count == sample.sampled => sentence,
                    1 => format!("{sentence} 1 of these {all} is shown here."),
                    _ => format!("{sentence} {} of these {all} are shown here.", grouped(count)),
                }
            }
        }
    }
}

/// A sentence for each kind of selection.
pub(super) fn selection_sentences(queries: &[FigureQuery]) -> Vec<String> {
    let mut groups: Vec<(&QuerySelection, Vec<&FigureQuery>)> = Vec::new();
    for query in queries {
        match groups.iter_mut().find(|(selection, _)| *selection == &query.selection) {
            Some((_, group)) => group.push(query),
            None => groups.push((&query.selection, vec![query])),
        }
    }
    groups.iter().map(|(selection, group)| selection.sentence(group)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Direction;
    use crate::data::index::{ModelIx, TruthIx};

    fn wanted(query: usize, selection: QuerySelection) -> FigureQuery {
        FigureQuery {
            direction: Direction::T2i,
            query,
            models: vec![ModelIx::default()],
            truth: TruthIx::default(),
            depth: 5,
            note: String::new(),
            heading: String::new(),
            selection,
        }
    }

    #[test]
    fn each_way_is_told_once_with_its_queries() {
        let drawn = QuerySample {
            condition: "r1 == 0".into(),
            model: "a".into(),
            truth: "t".into(),
            pool: None,
            matched: 10,
            total: 20,
            sampled: 3,
            diverse: false,
            seed: 1,
            other: serde_json::Map::new(),
        };
        let drawn = Box::new(drawn);
        let told = selection_sentences(&[
            wanted(0, QuerySelection::Named),
            wanted(1, QuerySelection::Picked),
            wanted(2, QuerySelection::Sampled(drawn.clone())),
            wanted(3, QuerySelection::Picked),
            wanted(4, QuerySelection::Sampled(drawn)),
        ]);
        assert_eq!(told[..2], ["1 query chosen by hand.", "2 queries picked by hand."]);
        assert!(
            told[2].ends_with("(model a, ground truth t). 2 of these 3 are shown here."),
            "{told:?}"
        );
        assert_eq!(told.len(), 3);
    }
}
