//! Keys and signs, made from the tables that the program itself uses.

use super::sheet::{Sheet, Tone};
use crate::truth::standing::{Badge, Standing};
use crate::truth::verdict::Verdict;
use crate::tui::action::{Action, Group};
use crate::tui::signs;
use crate::tui::ui::Ui;
use crate::tui::widgets::text;

pub(in crate::tui) fn sheet(ui: &Ui) -> Sheet {
    let mut sheet = Sheet::new(Action::Help, "help", ui.size);
    for group in Group::ALL {
        sheet.gap();
        sheet.heading(group.title());
        for &action in Action::ALL.iter().filter(|action| action.group() == group) {
            let keys = ui.keymap.keys(action).iter().map(ToString::to_string);
            let keys = text::pad(&keys.collect::<Vec<_>>().join(" "), 26);
            sheet.line(vec![
                (Tone::Key, format!("  {keys} ")),
                (Tone::Base, action.doc().into()),
            ]);
        }
    }
    signs(&mut sheet);
    sheet
}

fn signs(sheet: &mut Sheet) {
    sheet.gap();
    sheet.heading("signs of a retrieved item, over all truths");
    for badge in Badge::ALL {
        let tone = Tone::Badge(badge);
        sheet.line(vec![
            (
                tone,
                format!("  {} {}", signs::badge(badge), text::pad(badge.words(), 20)),
            ),
            (Tone::Base, signs::meaning(badge).into()),
        ]);
    }
    sheet.gap();
    sheet.heading("marks in the column of one truth");
    for (standing, meaning) in [
        (Standing::Positive, "listed as positive"),
        (
            Standing::NotRelevant,
            "judged not relevant: somebody said no",
        ),
        (
            Standing::NotListed,
            "the query is judged, the item not listed: nobody said no",
        ),
        (Standing::NotJudged, "the truth does not judge this query"),
    ] {
        sheet.line(vec![
            (Tone::Base, format!("  {}   ", signs::standing(standing))),
            (Tone::Base, meaning.into()),
        ]);
    }
    sheet.gap();
    sheet.heading("beside an item under several models");
    for (sign, meaning) in [
        (
            "▲3 ▼12 =",
            "its rank against the first model: higher, lower, the same",
        ),
        ("new", "the first model does not rank it"),
        (signs::ONLY, "among the first 10 of this model alone"),
    ] {
        sheet.line(vec![
            (Tone::Key, format!("  {} ", text::pad(sign, 8))),
            (Tone::Base, meaning.into()),
        ]);
    }
    sheet.gap();
    sheet.heading("your verdicts, beside the sign of the item");
    for verdict in Verdict::ALL {
        let counts = match verdict {
            Verdict::Partial => "counts as positive in every ground truth, as half in nDCG",
            _ if verdict.is_positive() => "counts as positive in every ground truth",
            _ => "counts as not relevant in every ground truth",
        };
        sheet.line(vec![
            (
                Tone::Key,
                format!(
                    "  {} {}",
                    signs::verdict(verdict),
                    text::pad(verdict.key(), 20)
                ),
            ),
            (Tone::Base, counts.into()),
        ]);
    }
    sheet.gap();
    sheet.paragraph(
        Tone::Dim,
        0,
        "Text typed into the search finds whole words first, then parts of \
        words, then scattered letters; a leading ' asks for the text as it stands.",
    );
}
