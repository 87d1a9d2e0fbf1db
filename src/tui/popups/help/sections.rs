//! What the help tells beside the actions: files, settings, metrics, and what the signs on the screens mean.

use serde::Deserialize;

use super::{Entry, Section};
use crate::figure;
use crate::jobs::ListedRows;
use crate::metric::METRICS;
use crate::metric::rsum::Sum;
use crate::truth::response::Response;
use crate::truth::standing::Badge;
use crate::truth::verdict::Verdict;
use crate::tui::action::Action;
use crate::tui::signs;
use crate::tui::ui::Ui;

/// Sections as the file has them.
#[derive(Deserialize)]
struct Written {
    section: Vec<WrittenSection>,
}

#[derive(Deserialize)]
struct WrittenSection {
    heading: String,
    rows: Vec<[String; 3]>,
}

const WRITTEN: &str = include_str!("sections.toml");

/// All of it under headings.
pub(super) fn sections(ui: &Ui) -> Vec<Section> {
    let written: Written = toml::from_str(WRITTEN).expect("a test reads it");
    let section = |WrittenSection { heading, rows }| {
        let row = |row: [String; 3]| {
            let [sign, words, also] = row.map(|text| filled(text, ui));
            Entry::new(sign, words, also)
        };
        (heading, rows.into_iter().map(row).collect())
    };
    let mut sections: Vec<Section> = written.section.into_iter().map(section).collect();
    let badges = Badge::ALL.map(|badge| {
        let sign = format!("{} {}", signs::badge(badge), badge.words());
        Entry { badge: Some(badge), ..Entry::new(sign, signs::meaning(badge), "") }
    });
    sections.extend([
        ("signs of a retrieved item, over all ground truths".into(), badges.into()),
        ("your verdicts, beside the sign of the item".into(), verdicts()),
        ("metrics".into(), metrics(ui)),
    ]);
    sections
}

/// A text with keys in place of the names of actions, and formats in place of their kinds.
fn filled(mut text: String, ui: &Ui) -> String {
    let figures: Vec<&str> = figure::FORMATS.iter().map(|format| format.key).collect();
    let rows: Vec<&str> = ListedRows::formats().map(|(key, _)| key).collect();
    for (name, formats) in [("{figures}", figures), ("{rows}", rows)] {
        text = text.replace(name, &formats.join(", "));
    }
    for action in Action::ALL {
        text = text.replace(&format!("{{{}}}", action.name()), &ui.keymap.hint(*action));
    }
    text
}

/// Every metric, and the keys that show and define it.
fn metrics(ui: &Ui) -> Vec<Entry> {
    let [shows, defines] = [Action::Metrics, Action::Define].map(|of| ui.keymap.hint(of));
    let told = |title: &str, key: &str| {
        Entry::new(title, format!("{key}: {shows} shows it, {defines} there defines it"), "")
    };
    let metrics = METRICS
        .iter()
        .map(|&metric| Entry { metric: Some(metric), ..told(metric.title(), metric.key()) });
    metrics.chain(Sum::ALL.map(|sum| told(sum.title(), sum.key()))).collect()
}

fn verdicts() -> Vec<Entry> {
    let verdicts = Verdict::ALL.map(|verdict| {
        let sign = format!("{} {}", signs::verdict(verdict), verdict.key());
        let counts = match verdict {
            Verdict::Partial => "counts as positive in every ground truth, as half in nDCG",
            _ if verdict.is_positive() => "counts as positive in every ground truth",
            _ => "counts as not relevant in every ground truth",
        };
        Entry::new(sign, counts, "")
    });
    let sign = format!("{} {}", signs::response(Response::CantTell), Response::CantTell);
    let cant_tell = Entry::new(sign, "counts as nothing, and is not asked again", "");
    verdicts.into_iter().chain([cant_tell]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::standing::Standing;
    use crate::tui::keymap::Keymap;
    use crate::tui::theme::Theme;

    #[test]
    fn every_sign_is_told_and_every_name_is_that_of_an_action() {
        let (name, theme) = Theme::bundled(0);
        let ui = Ui::new(Keymap::load(None).unwrap(), (name.into(), theme), (80, 24));
        let sections = sections(&ui);
        let entries: Vec<&Entry> = sections.iter().flat_map(|(_, entries)| entries).collect();
        let standings =
            [Standing::Positive, Standing::NotRelevant, Standing::NotListed, Standing::NotJudged];
        let others = [signs::NOTE, signs::UNKNOWN, signs::MARKED, signs::ONLY];
        for sign in standings.map(signs::standing).into_iter().chain(others) {
            assert!(entries.iter().any(|entry| entry.sign == sign), "{sign}");
        }
        assert!(!entries.iter().any(|entry| entry.words.contains(['{', '}'])));
    }
}
