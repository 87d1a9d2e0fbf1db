//! The answers of a session as a list, newest first, and the way to the pair of one.

use super::Model;
use super::selection::{Pane, Sought};
use crate::data::id::Id;
use crate::session::Timestamp;
use crate::truth::response::Response;
use crate::truth::verdict::Pair;

/// What somebody said of a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// Id of the image.
    pub image: Id,
    /// Id of the caption.
    pub caption: Id,
    /// Both in the gallery, if they are there.
    pub pair: Option<Pair>,
    /// What was said; `None` once it was deleted.
    pub response: Option<Response>,
    /// When.
    pub at: Timestamp,
}

impl Model {
    /// One's own answers in the session, newest first: those of others are to lead nobody.
    pub fn answered(&self) -> Vec<Answered> {
        let session = &self.session;
        let is_mine = |by: &str| by == session.by();
        let answered = |image: &Id, caption: &Id, response, at| Answered {
            image: image.clone(),
            caption: caption.clone(),
            pair: Pair::find(&self.base.gallery, image, caption),
            response: Some(response),
            at,
        };
        let verdicts = session.content().judgements().iter();
        let verdicts = verdicts.filter(|one| is_mine(&one.by)).map(|one| {
            let response = Response::Verdict(one.verdict);
            answered(&one.image, &one.caption, response, one.at)
        });
        let untold = session.content().cant_tell().iter();
        let untold = untold
            .filter(|one| is_mine(&one.by))
            .map(|one| answered(&one.image, &one.caption, Response::CantTell, one.at));
        let mut all: Vec<Answered> = verdicts.chain(untold).collect();
        // Of the same second, what stands later is newer.
        all.reverse();
        all.sort_by_key(|one| std::cmp::Reverse(one.at));
        all
    }

    /// Looks at a pair in the present direction, ending a search or a filter that hides its query; whether its query
    /// is listed then, which is said where it is not.
    pub(in crate::tui) fn go_to_pair(&mut self, pair: Pair) -> bool {
        let (query, item) = pair.asked(self.view.direction);
        let truth = &self.truth().relevance[self.view.direction];
        let is_judged = truth.as_ref().is_some_and(|of| of.place(query.get()).is_some());
        if !is_judged {
            let name = &self.truth().name;
            self.message = Some(format!("{name} does not judge its query"));
            return false;
        }
        self.look_for(self.view, query.get());
        self.selection.pane = Pane::Ranking;
        self.seek(Sought::Item(item));
        true
    }
}
