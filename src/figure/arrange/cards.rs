//! Items as cards in rows, each in the frame of its standing.

use super::query::PROPORTION;
use crate::figure::page::{Area, Mark, Sheet};
use crate::figure::scene::FigureItem;
use crate::figure::style::{FRAMED, frame};

/// Minimum width of an image and of a text, in ems.
const MIN_CARD_EMS: [f32; 2] = [4.2, 7.5];
/// Minimum columns in the width, so that two items are not drawn as posters.
const MIN_COLUMNS: usize = 3;
/// Slack for rounding in the width of a word, in points.
const ROUNDED: f32 = 0.1;

/// Draws cards, none narrower than `floor`, from the top of an area down; returns their end.
pub(super) fn draw(sheet: &mut Sheet<'_>, items: &[FigureItem], floor: f32, area: Area) -> f32 {
    let gap = sheet.gap();
    // Without image files, images are shown by their captions.
    let seen = sheet.images.any(items);
    let least = sheet.size * MIN_CARD_EMS[usize::from(!seen)];
    let arranged = |least: f32| arranged(items.len(), [area.width, gap], least.max(floor));
    let (rows, width) = arranged(least * sheet.cards);
    // Images get smaller, too; text only has more cards in a row.
    let width = if seen { width.min(arranged(least).1 * sheet.cards) } else { width };
    let mut y = area.y;
    for line in in_rows(items, &rows) {
        let place = Area { y, width, ..area };
        y = gap * 0.7
            + if seen {
                images(sheet, line, place, gap)
            } else {
                captions(sheet, line, place, gap)
            };
    }
    if items.is_empty() { y } else { y - gap * 0.7 }
}

/// Minimum width of cards without broken words.
pub(super) fn narrowest(sheet: &mut Sheet<'_>, items: &[FigureItem]) -> f32 {
    if sheet.images.any(items) {
        return 0.0;
    }
    let body = sheet.body();
    let words = items.iter().map(|item| item.subject.caption());
    sheet.widest_word(words, body) + 2.0 * border(sheet) + ROUNDED
}

/// From the edge of a text card to its text.
fn border(sheet: &Sheet<'_>) -> f32 {
    FRAMED + sheet.size * 0.2
}

fn images(sheet: &mut Sheet<'_>, items: &[FigureItem], first: Area, gap: f32) -> f32 {
    let mut end = first.y;
    for (at, item) in items.iter().enumerate() {
        let card = Area {
            x: first.x + (first.width + gap) * at as f32,
            height: (first.width - 2.0 * FRAMED) / PROPORTION + 2.0 * FRAMED,
            ..first
        };
        sheet.framed(&item.subject, card, Some(item.sign()));
        end = end.max(statement(sheet, item, Area { y: card.y + card.height, ..card }));
    }
    end
}

fn captions(sheet: &mut Sheet<'_>, items: &[FigureItem], first: Area, gap: f32) -> f32 {
    let body = sheet.body();
    let border = border(sheet);
    let place = |at: usize| Area { x: first.x + (first.width + gap) * at as f32, ..first };
    let mut end = first.y;
    for (at, item) in items.iter().enumerate() {
        let inner = place(at).within(border);
        let y = first.y + border;
        let y = sheet.text(item.subject.caption(), inner.x, y, inner.width, body);
        end = end.max(named(sheet, item, Area { y, ..inner }) + border);
    }
    let height = end - first.y;
    for (at, item) in items.iter().enumerate() {
        let card = Area { height, ..place(at) };
        sheet.page.marks.push(Mark::Frame(card, frame(item.sign())));
        end = end.max(statement(sheet, item, Area { y: card.y + height, ..card }));
    }
    end
}

/// The id of an image shown as text; else the word for it.
fn named(sheet: &mut Sheet<'_>, item: &FigureItem, area: Area) -> f32 {
    if !item.subject.is_image {
        return area.y;
    }
    let small = sheet.small();
    sheet.text(&item.subject.label(), area.x, area.y, area.width, small)
}

/// Sign, rank and score below a card.
fn statement(sheet: &mut Sheet<'_>, item: &FigureItem, area: Area) -> f32 {
    let small = sheet.small();
    let y = area.y + sheet.size * 0.15;
    let x = sheet.sign(item.sign(), area.x, y, small);
    sheet.text(&item.with_rank(), x, y, area.x + area.width - x, small)
}

/// Splits `count` cards into as few rows as the width `all` allows, with `gap` between cards of at least the width
/// `least`. Returns the number of cards in each row, which differ by at most one, and the width of a card.
fn arranged(count: usize, [all, gap]: [f32; 2], least: f32) -> (Vec<usize>, f32) {
    let fit = ((all + gap) / (least + gap)).floor().max(1.0) as usize;
    let rows = count.div_ceil(fit);
    let more = |row: usize| usize::from(row < count % rows);
    let rows: Vec<usize> = (0..rows).map(|row| count / rows + more(row)).collect();
    let columns = columns(&rows, fit) as f32;
    (rows, (all - gap * (columns - 1.0)) / columns)
}

/// So many cards share the width.
fn columns(rows: &[usize], fit: usize) -> usize {
    let widest = rows.iter().copied().max().unwrap_or(1);
    if rows.len() > 1 && widest == 1 { 1 } else { widest.max(fit.min(MIN_COLUMNS)) }
}

/// Items row by row.
fn in_rows<'a, T>(mut items: &'a [T], rows: &[usize]) -> impl Iterator<Item = &'a [T]> {
    rows.iter().map(move |&count| {
        let (row, rest) = items.split_at(count);
        items = rest;
        row
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_filled_alike() {
        for (count, fit, rows) in [
            (5, 5.0, &[5][..]),
            (5, 4.0, &[3, 2]),
            (10, 4.0, &[4, 3, 3]),
            (7, 3.0, &[3, 2, 2]),
            (2, 5.0, &[2]),
            (3, 1.0, &[1, 1, 1]),
            (0, 3.0, &[]),
        ] {
            let (found, width) = arranged(count, [fit * 10.0 - 1.0, 1.0], 9.0);
            assert_eq!(found, rows, "{count} of {fit}");
            assert!(width >= 9.0, "{width}");
        }
    }

    #[test]
    fn a_list_of_cards_takes_the_whole_width() {
        assert_eq!(columns(&[1, 1, 1], 2), 1);
        assert_eq!(columns(&[1], 5), 3);
        assert_eq!(columns(&[3, 2, 2], 3), 3);
        let rows: Vec<&[u8]> = in_rows(&[1, 2, 3], &[2, 1]).collect();
        assert_eq!(rows, [&[1, 2][..], &[3]]);
    }
}
