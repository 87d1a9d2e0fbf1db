//! Selection of the queries of a figure, in exact sentences.

use super::scene::Wanted;
use crate::data::text::{self, grouped};
use crate::session::{Pick, QuerySample};

/// Selection of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Chosen {
    /// Its id was given.
    Named,
    /// A person picked it.
    Picked,
    /// Sampled from those that meet a condition.
    Sampled(Box<QuerySample>),
}

impl Chosen {
    /// Selection of a session's pick.
    pub fn of_pick(pick: &Pick) -> Self {
        match &pick.sampled {
            Some(sample) => Chosen::Sampled(Box::new(sample.clone())),
            None => Chosen::Picked,
        }
    }

    /// Says how these queries were selected.
    fn sentence(&self, queries: &[&Wanted]) -> String {
        let count = queries.len();
        let counted = text::count(count, "query");
        match self {
            Chosen::Named => format!("{counted} chosen by hand."),
            // The person's name is in the session, not in a paper.
            Chosen::Picked => format!("{counted} picked by hand."),
            Chosen::Sampled(sample) => {
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
pub(super) fn statements(wanted: &[Wanted]) -> Vec<String> {
    let mut ways: Vec<(&Chosen, Vec<&Wanted>)> = Vec::new();
    for one in wanted {
        match ways.iter_mut().find(|(way, _)| *way == &one.chosen) {
            Some((_, of)) => of.push(one),
            None => ways.push((&one.chosen, vec![one])),
        }
    }
    ways.iter().map(|(way, of)| way.sentence(of)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Direction;
    use crate::data::index::{ModelIx, TruthIx};

    fn wanted(query: usize, chosen: Chosen) -> Wanted {
        Wanted {
            direction: Direction::T2i,
            query,
            models: vec![ModelIx::default()],
            truth: TruthIx::default(),
            depth: 5,
            note: String::new(),
            heading: String::new(),
            chosen,
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
        let told = statements(&[
            wanted(0, Chosen::Named),
            wanted(1, Chosen::Picked),
            wanted(2, Chosen::Sampled(drawn.clone())),
            wanted(3, Chosen::Picked),
            wanted(4, Chosen::Sampled(drawn)),
        ]);
        assert_eq!(told[..2], ["1 query chosen by hand.", "2 queries picked by hand."]);
        assert!(
            told[2].ends_with("(model a, ground truth t). 2 of these 3 are shown here."),
            "{told:?}"
        );
        assert_eq!(told.len(), 3);
    }
}
