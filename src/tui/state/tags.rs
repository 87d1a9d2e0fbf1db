//! Tags: words on pairs, such as the error that one shows.

use std::collections::BTreeSet;

use serde_json::Map;

use super::{Model, Refusal};
use crate::data::PerDirection;
use crate::data::text::shown;
use crate::filter::Marks;
use crate::jobs::matches;
use crate::session::{Tag, Timestamp};
use crate::truth::verdict::Pair;

impl Model {
    /// The pairs that a tag would be on: those marked, else the selected one.
    pub(in crate::tui) fn pairs_to_tag(&self) -> Result<Vec<Pair>, Refusal> {
        self.check_writable()?;
        let pairs: Vec<Pair> = self.pairs_to_judge().into_iter().map(|(pair, _)| pair).collect();
        if pairs.is_empty() { Err("no item is selected".into()) } else { Ok(pairs) }
    }

    /// Puts each of the tags, between commas, on the pairs; a tag that I put on all of them is removed.
    pub(in crate::tui) fn toggle_tags(&mut self, pairs: &[Pair], typed: &str) {
        let mut tags = self.session.content().tags.clone();
        let by = self.session.by().to_owned();
        for text in typed.split(',').map(str::trim).filter(|text| !text.is_empty()) {
            let ids = pairs.iter().map(|pair| self.ids_of(*pair));
            let is_mine = |tag: &Tag, [image, caption]: &[_; 2]| {
                tag.by == by && tag.tag == text && tag.is_on(image, caption)
            };
            let (there, new): (Vec<_>, Vec<_>) =
                ids.partition(|ids| tags.iter().any(|tag| is_mine(tag, ids)));
            if new.is_empty() {
                tags.retain(|tag| !there.iter().any(|ids| is_mine(tag, ids)));
            }
            tags.extend(new.into_iter().map(|[image, caption]| Tag {
                image,
                caption,
                tag: text.to_owned(),
                at: Timestamp::now(),
                by: by.clone(),
                other: Map::new(),
            }));
        }
        self.message = self.change(|facts| facts.tags = tags.into());
    }

    /// The tags of a pair in one line that is safe to show, with the names of others who gave them. While one judges
    /// blind, one's own alone.
    pub fn tag_words(&self, pair: Pair) -> Option<String> {
        let [image, caption] = self.ids_of(pair);
        let words = self.session.content().tags.iter().filter_map(|tag| {
            let (is_mine, text) = (tag.by == self.session.by(), shown(&tag.tag));
            let is_told = tag.is_on(&image, &caption) && (is_mine || !self.is_blind());
            is_told.then(|| if is_mine { text } else { format!("{text} ({})", shown(&tag.by)) })
        });
        let words: Vec<String> = words.collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    /// The tags used so far that match the last one typed, best first.
    pub(in crate::tui) fn matching_tags(&self, typed: &str) -> Vec<String> {
        let last = typed.rsplit(',').next().unwrap_or_default().trim();
        let known: BTreeSet<&String> =
            self.session.content().tags.iter().map(|tag| &tag.tag).collect();
        let quality = |tag: &String| Some((matches(tag, last)?, shown(tag)));
        let mut found: Vec<_> = known.into_iter().filter_map(quality).collect();
        found.sort();
        found.into_iter().map(|(_, tag)| tag).collect()
    }

    /// The tags of all annotators, by pair.
    pub(in crate::tui) fn tags(&self) -> BTreeSet<(Pair, String)> {
        self.session.content().tags(&self.study.gallery)
    }

    /// What was judged, picked and tagged.
    pub(super) fn marks(&self) -> Marks {
        Marks {
            verdicts: self.judgements.verdicts.clone(),
            picked: PerDirection::from_fn(|direction| self.picked(direction)),
            tags: self.tags(),
        }
    }
}
