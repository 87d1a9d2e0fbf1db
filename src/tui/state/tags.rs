//! Tags: words on pairs, such as an error type.

use std::collections::BTreeSet;

use serde_json::Map;

use super::{Model, Refusal};
use crate::data::PerDirection;
use crate::data::text::shown;
use crate::filter::Marks;
use crate::jobs::match_quality;
use crate::session::{Tag, Timestamp};
use crate::truth::judgment::Pair;

impl Model {
    /// The selected pair, to be tagged; refused if no item is selected, or in a read-only session.
    pub(in crate::tui) fn pair_to_tag(&self) -> Result<Pair, Refusal> {
        self.check_writable()?;
        self.selected_pair().ok_or("no item is selected".into())
    }

    /// Adds each of the comma-separated tags to a pair, or removes it if this annotator has added it already.
    pub(in crate::tui) fn toggle_tags(&mut self, pair: Pair, typed: &str) {
        let mut tags = self.session.content().tags.clone();
        let by = self.session.annotator().to_owned();
        let [image, caption] = self.pair_ids(pair);
        for text in typed.split(',').map(str::trim).filter(|text| !text.is_empty()) {
            let equals = |tag: &Tag| tag.by == by && tag.tag == text && tag.is_on(&image, &caption);
            let count = tags.len();
            tags.retain(|tag| !equals(tag));
            if tags.len() == count {
                tags.push(Tag {
                    image: image.clone(),
                    caption: caption.clone(),
                    tag: text.to_owned(),
                    at: Timestamp::now(),
                    by: by.clone(),
                    other: Map::new(),
                });
            }
        }
        self.message = self.change(|facts| facts.tags = tags.into());
    }

    /// The tags of a pair in one line that is safe to show, with the names of other annotators. While judging blind,
    /// only the annotator's own. `None` if there are none.
    pub fn format_tags(&self, pair: Pair) -> Option<String> {
        let [image, caption] = self.pair_ids(pair);
        let words = self.session.content().tags.iter().filter_map(|tag| {
            let (is_mine, text) = (tag.by == self.session.annotator(), shown(&tag.tag));
            let is_shown = tag.is_on(&image, &caption) && (is_mine || !self.is_blind());
            is_shown.then(|| if is_mine { text } else { format!("{text} ({})", shown(&tag.by)) })
        });
        let words: Vec<String> = words.collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    /// Known tags that match the last one typed, best first.
    pub(in crate::tui) fn matching_tags(&self, typed: &str) -> Vec<String> {
        let last = typed.rsplit(',').next().unwrap_or_default().trim();
        let known: BTreeSet<&String> =
            self.session.content().tags.iter().map(|tag| &tag.tag).collect();
        let quality = |tag: &String| Some((match_quality(tag, last)?, shown(tag)));
        let mut found: Vec<_> = known.into_iter().filter_map(quality).collect();
        found.sort();
        found.into_iter().map(|(_, tag)| tag).collect()
    }

    /// The tags of all annotators, by pair.
    pub(in crate::tui) fn tags(&self) -> BTreeSet<(Pair, String)> {
        self.session.content().tags(&self.study.gallery)
    }

    /// All judgments, picks and tags that conditions can use.
    pub(super) fn marks(&self) -> Marks {
        Marks {
            judgments: self.judgments.decided.clone(),
            picked: PerDirection::from_fn(|direction| self.picked_queries(direction)),
            tags: self.tags(),
        }
    }
}
