//! Maps indices between two studies over the same gallery.

use super::{Mix, Pool, Study, StudySettings, View};
use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::data::text::grouped;
use crate::error::{Error, Result};

/// Maps indices of models, truths and pools of one study to those of another one over the same gallery, by name.
#[derive(Debug, Clone, Copy)]
pub struct IndexRemap<'a> {
    from: &'a Study,
    /// The other study, whose indices are returned.
    to: &'a Study,
}

impl<'a> IndexRemap<'a> {
    /// From one study to another, both with the settings of their files.
    ///
    /// # Errors
    /// Different galleries.
    pub fn new(from: &'a Study, to: &'a Study) -> Result<Self> {
        let ids = |study: &Study| {
            let gallery = &study.gallery;
            [&gallery.images, &gallery.captions].map(|ids| (ids.len(), ids.fingerprint()))
        };
        let [before, now] = [from, to].map(ids);
        if before == now {
            return Ok(IndexRemap { from, to });
        }
        let size = |[images, captions]: [(usize, u64); 2]| {
            format!("{} images x {} captions", grouped(images.0), grouped(captions.0))
        };
        let found = match (size(before), size(now)) {
            (before, now) if before != now => format!("another gallery: {now}, open is {before}"),
            (_, now) => format!("another gallery: {now} as before, with other ids"),
        };
        let error = Error::new("reloaded files", found);
        Err(error.expected("the gallery that is open").fix("start again to open another gallery"))
    }

    /// Whether both studies have the same models, truths and pools, so that all indices are equal.
    pub fn is_same(self) -> bool {
        let names = |study: &'a Study| {
            let models = study.models.iter().map(|model| &*model.name);
            let truths = study.truths.iter().map(|truth| &*truth.name);
            let pools = study.pools.iter().map(|pool| &*pool.name);
            let [models, truths, pools] = [models.collect(), truths.collect(), pools.collect()];
            [models, truths, pools] as [Vec<&str>; 3]
        };
        names(self.from) == names(self.to)
    }

    /// Index of a model in the other study; `None` if it has none of this name.
    fn model(self, model: ModelIx) -> Option<ModelIx> {
        let name = &self.from.models.get(model.get())?.name;
        ModelIx::find(&self.to.models, |one| one.name == *name)
    }

    /// Index of a truth in the other study; `None` if it has none of this name.
    fn truth(self, truth: TruthIx) -> Option<TruthIx> {
        let name = &self.from.truths[truth].name;
        TruthIx::find(&self.to.truths, |one| one.name == *name)
    }

    /// The view in the other study, with the default for a model or truth that it lacks, and the other direction if the
    /// truth lacks this one. The model index after all models is the mixture in both studies.
    pub fn view(self, view: View) -> View {
        let is_mixture = view.model.get() == self.from.models.len();
        let mixture = is_mixture.then(|| ModelIx::new(self.to.models.len()));
        let truth = self.truth(view.truth).or_else(|| self.to.richest());
        let truth = truth.unwrap_or_default();
        let has_lists = |direction: &Direction| {
            let truth = self.to.truths.get(truth.get());
            truth.is_some_and(|truth| truth.relevance[*direction].is_some())
        };
        let mut both = [view.direction, view.direction.flipped()].into_iter();
        View {
            model: mixture.or_else(|| self.model(view.model)).unwrap_or_default(),
            truth,
            direction: both.find(has_lists).unwrap_or(view.direction),
        }
    }

    /// The settings in the other study, without pools and mixtures that it lacks.
    pub fn settings(self, settings: StudySettings) -> StudySettings {
        let pool = match settings.pool {
            Pool::Named(at) => {
                let name = &self.from.pools[at].name;
                let at = self.to.pools.iter().position(|pool| pool.name == *name);
                at.map_or(Pool::All, Pool::Named)
            }
            pool => pool,
        };
        let mix = settings.mix.and_then(|mix| {
            let [one, other] = mix.models.map(|model| self.model(model));
            let models = [one?, other?];
            Some(Mix { models, ..mix })
        });
        StudySettings { mix, pool, ..settings }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::id::{Id, IdList};
    use crate::data::scores::Scaling;
    use crate::study::demo;

    #[test]
    fn models_and_truths_are_found_by_name() {
        let from = demo::open().unwrap();
        let mut to = from.clone();
        assert!(IndexRemap::new(&from, &to).unwrap().is_same());
        to.models.swap(0, 2);
        to.truths.remove(0);
        let remap = IndexRemap::new(&from, &to).unwrap();
        assert!(!remap.is_same());
        let view = |model, truth| View {
            model: ModelIx::new(model),
            truth: TruthIx::new(truth),
            direction: Direction::T2i,
        };
        assert_eq!(remap.view(view(0, 1)), view(2, 0));
        assert_eq!(remap.view(view(3, 2)), view(3, 1), "the mixture");
        assert_eq!(remap.view(view(1, 0)), view(1, 0), "the richest instead");
        let mix = |models: [usize; 2]| {
            let models = models.map(ModelIx::new);
            let scaling = Scaling::default();
            StudySettings {
                mix: Some(Mix { models, percent: 30, scaling }),
                ..StudySettings::default()
            }
        };
        assert_eq!(remap.settings(mix([0, 1])), mix([2, 1]));
        to.models.pop();
        let fewer = IndexRemap::new(&from, &to).unwrap();
        assert_eq!(fewer.settings(mix([0, 1])), StudySettings::default());
    }

    #[test]
    fn another_gallery_is_refused_with_both_sizes() {
        let from = demo::open().unwrap();
        let mut to = from.clone();
        to.gallery.images = IdList::for_len(60);
        let error = IndexRemap::new(&from, &to).unwrap_err().to_string();
        assert!(error.contains("with other ids"), "{error}");
        to.gallery.images = IdList::new(vec![Id::Number(1)]).unwrap();
        let error = IndexRemap::new(&from, &to).unwrap_err().to_string();
        assert!(error.contains("1 images x 300 captions, open is 60 images"), "{error}");
    }
}
