//! All about the selected query and the selected item of its ranking.

use super::{Sheet, Tone};
use crate::data::Direction;
use crate::data::ratings::BEST;
use crate::truth::Truth;
use crate::truth::standing::{Badge, Standing};
use crate::tui::action::Action;
use crate::tui::app::App;
use crate::tui::signs;
use crate::tui::widgets::text;

/// `None` without a query.
pub(super) fn sheet(app: &App) -> Option<Sheet> {
    let query = app.browse.query()?;
    let direction = app.view.direction;
    let picture = app.selected_image().filter(|_| app.picture_way().is_some());
    let mut sheet = Sheet::beside(picture, Action::Detail, "detail", app.size, sheet);
    sheet.heading("query");
    about(&mut sheet, app, direction, query);
    if let Some(note) = app.note_words(direction, query) {
        sheet.paragraph(Tone::Key, 2, &format!("{} {note}", signs::NOTE));
    }
    if let Some(item) = app.item() {
        let badge = Badge::of(&app.study.truths, direction, query.into(), item.item.into());
        sheet.gap();
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
        about(&mut sheet, app, direction.flipped(), item.item);
        sheet.gap();
        sheet.heading("this pair in each truth");
        for truth in &app.study.truths {
            let standing = truth.standing(direction, query.into(), item.item.into());
            sheet.line(vec![
                (Tone::Base, format!("  {} ", signs::standing(standing))),
                (Tone::Base, text::pad(&truth.name, 12)),
                (Tone::Dim, words(app, truth, standing, (query, item.item))),
            ]);
        }
    }
    Some(sheet)
}

/// How a pair stands in a truth, with its rating where the truth is made of ratings.
fn words(app: &App, truth: &Truth, standing: Standing, (query, item): (usize, usize)) -> String {
    let words = signs::standing_words(standing);
    if !app.study.is_rated(truth) {
        return words.into();
    }
    match app
        .study
        .rating(app.view.direction, query.into(), item.into())
    {
        Some(rating) => format!("{words}, rated {rating:.2} of {BEST}"),
        None => format!("{words}, not rated"),
    }
}

/// An image with its captions (`I2t`: it would be the query), or a caption with its image.
fn about(sheet: &mut Sheet, app: &App, as_query: Direction, index: usize) {
    let gallery = &app.study.gallery;
    match as_query {
        Direction::I2t => {
            sheet.paragraph(Tone::Base, 2, &gallery.image(index));
            sheet.paragraph(Tone::Dim, 2, &format!("image {}", gallery.images[index]));
            for caption in app.study.own(as_query, index) {
                sheet.paragraph(
                    Tone::Base,
                    4,
                    &format!("- {}", gallery.caption(caption as usize)),
                );
            }
        }
        Direction::T2i => {
            sheet.paragraph(Tone::Base, 2, &gallery.caption(index));
            sheet.paragraph(Tone::Dim, 2, &app.study.origin(index));
        }
    }
}
