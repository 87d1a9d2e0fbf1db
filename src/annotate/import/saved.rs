//! A session of the explorer: its verdicts, and what could not be told.

use serde_json::Value;

use super::{Content, Found, Imported, Layout, imported};
use crate::data::source::Source;
use crate::error::Result;
use crate::session::agreement::read_people;

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
        let judgments = session.judgments().iter().map(|one| Imported {
            annotator: one.by.clone(),
            at: one.at,
            ..imported(one.image.clone(), one.caption.clone(), one.response())
        });
        let answers = (1..).zip(judgments.map(Ok));
        let doubts = doubts.into_iter().map(|line| (0, Err(line)));
        Ok(answers.chain(doubts).collect())
    }
}
