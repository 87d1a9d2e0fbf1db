//! Why models fail, in the background: first items, the queries of each kind of failure, hubs and words.

use std::sync::Arc;

use super::pool::Pool;
use super::worker::{Job, Worker};
use super::{Engine, Event, Notify};
use crate::analysis::evidence::Evidence;
use crate::analysis::kinds::OfKind;
use crate::analysis::survey::{self, Detail};
use crate::data::Direction;
use crate::data::words::Texts;
use crate::filter::{Counts, of_model};
use crate::rank::hubs::{DEPTHS, OfModel};
use crate::rank::pass::Watch;
use crate::study::{Study, View};
use crate::truth::verdict::Verdicts;

/// What is to be found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// What a model retrieves first.
    Heads(usize, Direction),
    /// The queries of each kind of failure.
    Lists(View),
    /// Hubs and words.
    Detail(View),
}

/// Causes, and all that is needed to find them out.
#[derive(Debug)]
pub struct Inquiry {
    /// Number of the change of ranks that it comes after.
    pub revision: u64,
    /// What is to be found out, in this order, all about ranks in one direction.
    pub causes: Vec<Cause>,
    /// All ranks of the direction, verdicts included.
    pub counts: Counts<Arc<Study>>,
    /// The verdicts.
    pub verdicts: Verdicts,
    /// First items that are known.
    pub heads: Vec<Arc<OfModel>>,
    /// The captions as words, where these are known.
    pub texts: Option<Arc<Texts>>,
}

/// The queries of each kind, in the order of [`crate::analysis::kinds::KINDS`]; `None` where the study
/// lacks what a kind is about.
pub type Lists = Vec<Option<OfKind>>;

/// What was found out.
#[derive(Debug, Clone)]
pub enum Found {
    /// The captions as words.
    Texts(Arc<Texts>),
    /// What a model retrieves first.
    Heads(Arc<OfModel>),
    /// The queries of each kind of failure.
    Lists(View, Arc<Lists>),
    /// Hubs and words.
    Detail(View, Arc<Detail>),
}

static POOL: Pool = Pool::new();

/// Finds causes; the newest wish wins. What is under way for another one ends after its present part.
pub(super) fn worker(study: Arc<Study>, notify: &Notify) -> Worker<Inquiry> {
    let of_worker = notify.clone();
    let explain = move |inquiry: Inquiry, job: &Job<Inquiry>| {
        let Inquiry {
            revision, causes, ..
        } = &inquiry;
        let (revision, causes) = (*revision, causes.clone());
        let tell = |found| of_worker(Event::Explained(revision, found));
        let mut known = Known {
            study: &study,
            inquiry,
            watch: &job.watch,
        };
        for cause in causes {
            if job.is_over() || known.find(cause, &tell).is_none() {
                break;
            }
        }
    };
    Worker::start("explaining", notify.clone(), explain)
}

impl Engine {
    /// Asks why models fail.
    pub fn explain(&self, inquiry: Inquiry) {
        self.explaining.request_after_part(inquiry);
    }
}

/// What is known while causes are found one after the other.
struct Known<'a> {
    study: &'a Study,
    inquiry: Inquiry,
    watch: &'a Watch,
}

impl Known<'_> {
    /// Finds a cause and tells it, with what had to be found before; `None` where it was cancelled, or
    /// where the model cannot be ranked, which its count tells.
    fn find(&mut self, cause: Cause, tell: &dyn Fn(Found)) -> Option<()> {
        match cause {
            Cause::Heads(model, direction) => {
                self.texts(tell);
                self.heads(model, direction, tell)?;
            }
            Cause::Lists(view) => {
                self.heads(view.model, view.direction, tell)?;
                let evidence = self.evidence(view, tell);
                let lists = POOL.run(|| survey::lists(&evidence, view));
                tell(Found::Lists(view, Arc::new(lists)));
            }
            Cause::Detail(view) => {
                self.heads(view.model, view.direction, tell)?;
                let evidence = self.evidence(view, tell);
                let detail = survey::detail(&evidence, view);
                tell(Found::Detail(view, Arc::new(detail)));
            }
        }
        Some(())
    }

    fn texts(&mut self, tell: &dyn Fn(Found)) -> Arc<Texts> {
        let found = || {
            let texts = Arc::new(Texts::of(&self.study.gallery));
            tell(Found::Texts(texts.clone()));
            texts
        };
        self.inquiry.texts.get_or_insert_with(found).clone()
    }

    fn heads(&mut self, model: usize, direction: Direction, tell: &dyn Fn(Found)) -> Option<()> {
        let is_it = |of: &Arc<OfModel>| (of.model, of.retrieved.direction) == (model, direction);
        if self.inquiry.heads.iter().any(is_it) {
            return Some(());
        }
        let find = || of_model(self.study, model, direction, &DEPTHS, self.watch);
        let found = Arc::new(POOL.run(find).ok()??);
        tell(Found::Heads(found.clone()));
        self.inquiry.heads.push(found);
        Some(())
    }

    fn evidence(&mut self, view: View, tell: &dyn Fn(Found)) -> Evidence<'_> {
        let texts = self.texts(tell);
        let heads = self.inquiry.heads.iter();
        let heads = heads.filter(|of| of.retrieved.direction == view.direction);
        let known = (heads.cloned().collect(), texts);
        let counts = self.inquiry.counts.of_study(self.study);
        Evidence::new(
            self.study,
            view.direction,
            known,
            (counts, &self.inquiry.verdicts),
        )
    }
}
