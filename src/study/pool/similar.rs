//! Pools of what is similar to each query, by the scores of a model.

use super::Study;
use crate::data::candidate_mask::CandidateMask;
use crate::data::index::ModelIx;
use crate::data::sets::Sets;
use crate::data::text::grouped;
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};

/// For each query the items that a model scores highest, and the query's original positives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Similar {
    /// How many items.
    pub items: u32,
    /// The model.
    pub model: ModelIx,
}

/// The most items around a query: of 25,000 captions these are 100 MB.
pub const MOST: u32 = 1_000;

/// How names of such pools begin.
const NAME: &str = "similar";

impl Similar {
    /// Reads `similar100`, by the first model, or `similar100:NAME`; `similar:100` is the same. `None` where
    /// it is no such name, or no model has that name.
    pub(super) fn parse(name: &str, study: &Study) -> Option<Self> {
        let rest = name.strip_prefix(NAME)?;
        let rest = rest.strip_prefix(':').unwrap_or(rest);
        let (items, model) = match rest.split_once(':') {
            None => (rest, (!study.models.is_empty()).then(ModelIx::default)),
            Some((items, name)) => {
                (items, ModelIx::find(&study.models, |model| model.name == name))
            }
        };
        Some(Similar { items: items.parse().ok()?, model: model? })
    }

    /// Its name, with that of the model.
    pub(super) fn name(self, study: &Study) -> String {
        let model = study.models.get(self.model.get());
        let model = model.map_or("", |model| &model.name);
        format!("{NAME}{}:{model}", self.items)
    }

    /// # Errors
    /// More items than are held, or none.
    pub(super) fn check(self) -> Result<()> {
        if self.items == 0 || self.items > MOST {
            let found =
                format!("a pool of {} items around each query", grouped(self.items as usize));
            return Err(
                Error::new("--pool", found).expected(format!("1 to {}", grouped(MOST as usize)))
            );
        }
        Ok(())
    }

    /// The candidates of each query.
    pub(super) fn mask(self, study: &Study) -> Result<CandidateMask> {
        self.check()?;
        // Without an original truth no query would have its own item among its candidates.
        study.owners()?;
        let around = |direction| self.around(study, direction);
        Ok(CandidateMask::around_each(PerDirection {
            i2t: around(Direction::I2t)?,
            t2i: around(Direction::T2i)?,
        }))
    }

    fn around(self, study: &Study, direction: Direction) -> Result<Sets> {
        let queries = study.gallery.queries(direction).len();
        let scores = &study.models[self.model].scores;
        let nearest = scores.nearest(direction, queries, self.items as usize)?;
        let mut sets = Sets::with_capacity(queries);
        for (query, mut items) in nearest.into_iter().enumerate() {
            items.extend(study.own(direction, query).iter());
            sets.push_any(&mut items);
        }
        Ok(sets)
    }
}
