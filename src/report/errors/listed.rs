//! The queries of one error type.

use serde_json::json;

use crate::analysis::evidence::Evidence;
use crate::analysis::kinds::{Count, Kind};
use crate::analysis::survey::Example;
use crate::data::text::grouped;
use crate::data::words::Contrast;
use crate::report::cell::Cell;
use crate::report::list::List;
use crate::report::{Report, caption_text};
use crate::study::View;

/// Queries, and what they are.
pub struct Listed<'a> {
    /// What they were found in.
    pub evidence: &'a Evidence<'a>,
    /// Of which model under which truth.
    pub view: View,
    /// Their kind.
    pub kind: &'a Kind,
    /// All of them.
    pub examples: &'a [Example],
    /// How many there are, and of how many that could be of the kind.
    pub count: Count,
    /// The most to print.
    pub limit: usize,
}

impl Listed<'_> {
    /// A row for each query.
    pub fn report(&self) -> Report<'_> {
        let study = self.evidence.study;
        let direction = self.view.direction;
        let (queries, items) = (study.gallery.queries(direction), study.gallery.items(direction));
        let item = |of: &&Example| of.item.map(|item| Cell::Id(items[item as usize].to_string()));
        let caption = |of: &Example, which: fn(&Contrast) -> u32| {
            of.contrast.as_ref().map_or_else(String::new, |of| caption_text(study, which(of)))
        };
        let wanted = move |of: &&Example| caption(of, |contrast| contrast.wanted);
        let retrieved = move |of: &&Example| caption(of, |contrast| contrast.retrieved);
        let words = |sign: &str, of: &Example, which: fn(&Contrast) -> &Vec<u32>| {
            let words = of.contrast.as_ref().into_iter().flat_map(which);
            let words = words.map(|&word| format!("{sign}{}", self.evidence.texts.word(word)));
            words.collect::<Vec<String>>()
        };
        let list = List::new("queries", self.title(), self.examples.iter().take(self.limit))
            .column("id", "id", |of| Cell::Id(queries[of.query as usize].to_string()))
            .shown("right", wanted)
            .shown("first", move |of| item(of).unwrap_or(Cell::Empty))
            .shown("its caption", retrieved)
            .shown("difference", move |of| {
                let extra = words("+", of, |contrast| &contrast.extra);
                Cell::List([extra, words("-", of, |contrast| &contrast.missing)].concat())
            })
            .column("rank", "rank", |of| of.rank)
            .column("map_at_r", "AP@R", |of| of.map_at_r.map(Cell::share))
            .data("first", item)
            .data("right_text", wanted)
            .data("first_text", retrieved)
            .data("added", move |of| Cell::List(words("", of, |contrast| &contrast.extra)))
            .data("lacking", move |of| Cell::List(words("", of, |contrast| &contrast.missing)));
        Report::of(vec![list.section()]).with_facts(json!({
            "kind": self.kind.key,
            "meaning": self.kind.meaning,
            "where": self.kind.expression(study, self.view),
            "model": study.models[self.view.model].name,
            "truth": self.evidence.truth_name(self.view.truth),
            "direction": direction.key(),
            "count": self.count.met,
            "of": self.count.of,
        }))
    }

    /// How many of how many, in words.
    pub fn share(&self) -> String {
        let Count { met, of } = self.count;
        format!("{} of {} queries", grouped(met), grouped(of))
    }

    fn title(&self) -> String {
        let study = self.evidence.study;
        format!(
            "{} of {} {} under {}: {}; + words that only the first item's caption has, - only the right one",
            self.kind.name,
            study.models[self.view.model].name,
            self.view.direction,
            self.evidence.truth_name(self.view.truth),
            self.share(),
        )
    }
}
