//! All about the selected query and the selected item of its ranking.

use super::define;
use super::sheet::{Sheet, Tone};
use crate::data::Direction;
use crate::data::ratings::BEST;
use crate::truth::Truth;
use crate::truth::standing::Standing;
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::popup::{Hint, Popup};
use crate::tui::signs;
use crate::tui::ui::{Context, Ui, plain};
use crate::tui::widgets::text;

/// The popup that an action opens where queries are listed beside rankings: this one, or the metrics of what
/// is looked at.
pub(in crate::tui) fn opened(model: &Model, ui: &Ui, action: Action) -> Option<Box<dyn Popup>> {
    let sheet = match action {
        Action::Detail => sheet(plain(model, ui)),
        Action::Define => Some(define::sheet(model, ui, model.view, None)),
        _ => None,
    };
    sheet.map(|sheet| Box::new(sheet) as Box<dyn Popup>)
}

/// What is done about the selected item while its details are open.
const OFFERS: &[Hint] = &[
    (Action::OpenPicture, "open picture"),
    (Action::CopyId, "copy id"),
    (Action::CopyCaption, "caption"),
    (Action::CopyPath, "path"),
    (Action::CopyRow, "JSON"),
];

/// `None` without a query.
fn sheet(cx: Context<'_>) -> Option<Sheet> {
    let query = cx.model.selection.query()?;
    let direction = cx.model.view.direction;
    let image = cx.model.selected_image();
    let why = cx.ui.lacking(image);
    let picture = image.filter(|_| cx.ui.picture_way().is_some() && why.is_none());
    let sheet = Sheet::beside(picture, Action::Detail, "detail", cx.ui.size);
    let mut sheet = sheet.with_offers(OFFERS);
    sheet.heading("query");
    about(&mut sheet, cx, direction, query);
    if let Some(note) = cx.model.note_words(direction, query) {
        sheet.paragraph(Tone::Key, 2, &format!("{} {note}", signs::NOTE));
    }
    if let Some(item) = cx.model.item() {
        let badge = cx.model.badge(query, item.item);
        sheet.gap();
        if cx.model.is_blind() {
            sheet.heading("item");
            about(&mut sheet, cx, direction.flipped(), item.item);
            return Some(sheet);
        }
        sheet.line(vec![
            (
                Tone::Title,
                format!(
                    "item at rank {}, score {}  ",
                    item.rank,
                    signs::score(item.score)
                ),
            ),
            (
                Tone::Badge(badge),
                format!("{} {}", signs::badge(badge), badge.words()),
            ),
        ]);
        about(&mut sheet, cx, direction.flipped(), item.item);
        if let Some(why) = why {
            sheet.paragraph(Tone::Dim, 2, &format!("picture: {why}"));
        }
        sheet.gap();
        sheet.heading("this pair in each truth");
        for truth in &cx.model.study.truths {
            let study = &cx.model.study;
            let standing = study.standing(truth, direction, query.into(), item.item.into());
            sheet.line(vec![
                (Tone::Base, format!("  {} ", signs::standing(standing))),
                (Tone::Base, text::pad(&truth.name, 12)),
                (Tone::Dim, words(cx, truth, standing, (query, item.item))),
            ]);
        }
    }
    Some(sheet)
}

/// How a pair stands in a truth, with its rating where the truth is made of ratings.
fn words(
    cx: Context<'_>,
    truth: &Truth,
    standing: Standing,
    (query, item): (usize, usize),
) -> String {
    let words = signs::standing_words(standing);
    if !cx.model.study.is_rated(truth) {
        return words.into();
    }
    match cx
        .model
        .study
        .rating(cx.model.view.direction, query.into(), item.into())
    {
        Some(rating) => format!("{words}, rated {rating:.2} of {BEST}"),
        None => format!("{words}, not rated"),
    }
}

/// An image with its captions (`I2t`: it would be the query), or a caption with its image.
fn about(sheet: &mut Sheet, cx: Context<'_>, as_query: Direction, index: usize) {
    let gallery = &cx.model.study.gallery;
    match as_query {
        Direction::I2t => {
            sheet.paragraph(Tone::Base, 2, &gallery.image(index));
            sheet.paragraph(Tone::Dim, 2, &format!("image {}", gallery.images[index]));
            for caption in cx.model.study.own(as_query, index) {
                let text = format!("- {}", gallery.caption(caption as usize));
                let mut added = cx.model.study.added_letters(caption as usize);
                // That of the dash.
                added.insert(0, false);
                sheet.rewritten(4, &text, &added);
            }
        }
        Direction::T2i => {
            let study = &cx.model.study;
            sheet.rewritten(2, &gallery.caption(index), &study.added_letters(index));
            if let (Some(name), Some(original)) = (study.texts_name(), study.original_text(index)) {
                sheet.paragraph(Tone::Dim, 2, &format!("{name} text; original: {original}"));
            }
            sheet.paragraph(Tone::Dim, 2, &study.origin(index));
        }
    }
}
