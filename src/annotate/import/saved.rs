//! A session of the explorer: its verdicts, and what could not be told.

use serde_json::Value;

use super::{Content, Found, Imported, Layout, imported};
use crate::data::source::Source;
use crate::error::Result;
use crate::session::agreement::read_people;
use crate::truth::response::Response;

/// A session.
pub(super) struct Saved;

impl Layout for Saved {
    fn key(&self) -> &'static str {
        "session"
    }

    fn unit(&self) -> &'static str {
        "verdict"
    }

    fn accepts(&self, content: &Content) -> bool {
        matches!(content, Content::Json(Value::Object(file)) if file.contains_key("verdicts"))
    }

    fn read(&self, _: &Content, source: &Source) -> Result<Vec<Found>> {
        let (session, doubts) = read_people(source.path())?;
        let verdicts = session.judgements().iter().map(|one| Imported {
            annotator: one.by.clone(),
            at: one.at,
            ..imported(one.image.clone(), one.caption.clone(), Response::Verdict(one.verdict))
        });
        let cant_tell = session.cant_tell().iter().map(|one| Imported {
            annotator: one.by.clone(),
            at: one.at,
            ..imported(one.image.clone(), one.caption.clone(), Response::CantTell)
        });
        let answers = (1..).zip(verdicts.chain(cant_tell).map(Ok));
        let doubts = doubts.into_iter().map(|line| (0, Err(line)));
        Ok(answers.chain(doubts).collect())
    }
}
