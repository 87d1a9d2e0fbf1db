//! All about the selected query and the selected item of its ranking.

use super::define;
use super::sheet::{Sheet, Tone};
use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::data::ratings::BEST;
use crate::data::text::grouped;
use crate::truth::Truth;
use crate::truth::standing::Standing;
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::model::items::UNRELATED;
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

/// The same, and phrases first where they are known.
fn offers(cx: Context<'_>) -> Vec<Hint> {
    let phrases = cx.model.study.phrases.as_ref().filter(|_| !cx.model.is_blind());
    let of_phrases = [
        (Action::NextPhrase, "next phrase"),
        (Action::PreviousPhrase, "previous"),
        (Action::Boxes, "boxes"),
    ];
    let of_phrases = phrases.map_or(&[][..], |_| &of_phrases).iter();
    of_phrases.chain(OFFERS).copied().collect()
}

/// `None` without a query.
fn sheet(cx: Context<'_>) -> Option<Sheet> {
    let query = cx.model.selection.query()?;
    let direction = cx.model.view.direction;
    let image = cx.model.selected_image();
    let why = cx.ui.lacking(image);
    let picture = image.filter(|_| cx.ui.picture_way().is_some() && why.is_none());
    // An answer is about all that are marked, though one pair is in sight.
    let marked = signs::marked(cx.model.marked_counts()[1]);
    let filter = cx.model.filter_words();
    let filter = filter.map_or(String::new(), |words| format!("; {words}"));
    let title = format!("detail{marked}{filter}");
    let sheet = Sheet::beside(picture, Action::Detail, title, cx.ui.size);
    let mut sheet = sheet.with_offers(&offers(cx));
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
        let by_models = by_models(cx, item.item);
        let title = match by_models[..] {
            [] => format!("item at {}", at(item.rank, item.score)),
            _ => "item".into(),
        };
        let said = format!("  {} {}", signs::badge(badge), badge.words());
        let room = sheet.columns().saturating_sub(text::width(&said));
        let title = (Tone::Title, title);
        let said = (Tone::Badge(badge), said);
        // Beside a picture there may be no room for both.
        if text::width(&title.1) <= room {
            sheet.line(vec![title, said]);
        } else {
            sheet.line(vec![title]);
            sheet.line(vec![said]);
        }
        for words in by_models {
            sheet.paragraph(Tone::Base, 2, &words);
        }
        for words in cx.model.phi_words(item.item, badge) {
            sheet.paragraph(Tone::Title, 2, &words);
        }
        about(&mut sheet, cx, direction.flipped(), item.item);
        if let Some(why) = why {
            sheet.paragraph(Tone::Dim, 2, &format!("picture: {why}"));
        }
        annotated(&mut sheet, cx);
        sheet.gap();
        sheet.heading("this pair in each ground truth");
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

/// Where each model compared ranks an item, and with which score; nothing where one ranking is on screen.
fn by_models(cx: Context<'_>, item: usize) -> Vec<String> {
    let models = cx.model.shown_models();
    if models.len() < 2 {
        return Vec::new();
    }
    let by = |model: ModelIx| {
        let (ranked, name) = (cx.model.ranked_by(model)?, &cx.model.study.models[model].name);
        Some(match ranked.rank(item) {
            Some(rank) => format!("{name}: {}", at(rank, ranked.ranking.scores[item])),
            None => format!("{name}: not ranked"),
        })
    };
    models.into_iter().filter_map(by).collect()
}

fn at(rank: usize, score: f64) -> String {
    format!("rank {}, score {}", grouped(rank), signs::score(score))
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
    match cx.model.study.rating(cx.model.view.direction, query.into(), item.into()) {
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
            for caption in cx.model.captions_of(index) {
                written(sheet, cx, "    - ", caption as usize);
            }
        }
        Direction::T2i => {
            let study = &cx.model.study;
            written(sheet, cx, "  ", index);
            if let (Some(name), Some(original)) = (study.texts_name(), study.original_text(index)) {
                sheet.paragraph(Tone::Dim, 2, &format!("{name} text; original: {original}"));
            }
            if !cx.model.is_blind() {
                sheet.paragraph(Tone::Dim, 2, &study.origin(index));
            }
        }
    }
}

/// A caption with its phrases, or the words that its original text lacks, something before it.
fn written(sheet: &mut Sheet, cx: Context<'_>, before: &str, caption: usize) {
    let study = &cx.model.study;
    let added = study.added_letters(caption);
    if !added.is_empty() {
        return sheet.rewritten(before, &study.gallery.caption(caption), &added);
    }
    let phrases = study.phrases.as_ref().filter(|_| !cx.model.is_blind());
    let known = phrases.and_then(|phrases| phrases.caption(caption));
    let runs = known.map(|known| known.runs(""));
    sheet.caption(before, &study.gallery.caption(caption), runs);
}

/// The phrases of the pair's caption that its image has no counterpart of, and whether the caption is listed as
/// unrelated.
fn annotated(sheet: &mut Sheet, cx: Context<'_>) {
    if cx.model.is_unrelated() {
        sheet.gap();
        sheet.paragraph(Tone::Warning, 2, UNRELATED);
    }
    let lacked = cx.model.lacked_phrases().unwrap_or_default();
    if lacked.is_empty() {
        return;
    }
    sheet.gap();
    sheet.heading("phrases without counterpart in the image");
    for of in lacked {
        let also = if of.of_no_type { ": none of this type" } else { "" };
        sheet.line(vec![
            (Tone::Warning, format!("  {}", of.words)),
            (Tone::Dim, format!("  {}{also}", of.types)),
        ]);
    }
}
