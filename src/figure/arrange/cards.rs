//! Layout of items as cards in rows. The frame of a card shows the standing of its item.

use super::query::ASPECT_RATIO;
use crate::figure::page::{Area, Mark, Sheet};
use crate::figure::scene::FigureItem;
use crate::figure::style::{FRAME_SPACE, frame};

/// Minimum width of an image card and of a text card, in ems.
const MIN_CARD_EMS: [f32; 2] = [4.2, 7.5];
/// Minimum number of columns that share the width, so that one or two items are not enlarged to fill it.
const MIN_COLUMNS: usize = 3;
/// Added to the width of a word against rounding errors, in points.
const ROUNDING_SLACK: f32 = 0.1;

/// Draws cards of at least `min_width` points from the top of an area down. Returns the y of their lower edge.
pub(super) fn draw(sheet: &mut Sheet<'_>, items: &[FigureItem], min_width: f32, area: Area) -> f32 {
    let gap = sheet.gap();
    // Without image files, images are shown by their captions.
    let has_images = sheet.images.any_shown(items);
    let usual = sheet.size * MIN_CARD_EMS[usize::from(!has_images)];
    let split = |width: f32| split_into_rows(items.len(), [area.width, gap], width.max(min_width));
    let (counts, width) = split(usual * sheet.card_scale);
    // A smaller scale also shrinks images; text cards only get more in a row.
    let width = if has_images { width.min(split(usual).1 * sheet.card_scale) } else { width };
    let mut y = area.y;
    for row in item_rows(items, &counts) {
        let first = Area { y, width, ..area };
        let draw_row = if has_images { draw_images } else { draw_captions };
        y = gap * 0.7 + draw_row(sheet, row, first, gap);
    }
    if items.is_empty() { y } else { y - gap * 0.7 }
}

/// Minimum width of a card in which no word of a caption is broken, in points; 0 if items are shown as images.
pub(super) fn min_width(sheet: &mut Sheet<'_>, items: &[FigureItem]) -> f32 {
    if sheet.images.any_shown(items) {
        return 0.0;
    }
    let body = sheet.body();
    let words = items.iter().map(|item| item.subject.caption());
    sheet.min_width(words, body) + 2.0 * inset(sheet) + ROUNDING_SLACK
}

/// Distance from the edge of a text card to its text, in points.
fn inset(sheet: &Sheet<'_>) -> f32 {
    FRAME_SPACE + sheet.size * 0.2
}

/// Draws a row of images: `first` is the area of the first card. Returns the y of the lower edge of the row.
fn draw_images(sheet: &mut Sheet<'_>, items: &[FigureItem], first: Area, gap: f32) -> f32 {
    let mut end = first.y;
    for (at, item) in items.iter().enumerate() {
        let card = Area {
            x: first.x + (first.width + gap) * at as f32,
            height: (first.width - 2.0 * FRAME_SPACE) / ASPECT_RATIO + 2.0 * FRAME_SPACE,
            ..first
        };
        sheet.draw_framed_image(&item.subject, card, Some(item.sign()));
        end = end.max(draw_rank_and_score(sheet, item, Area { y: card.y + card.height, ..card }));
    }
    end
}

/// Like [`draw_images`], with captions instead of images, in cards of equal height.
fn draw_captions(sheet: &mut Sheet<'_>, items: &[FigureItem], first: Area, gap: f32) -> f32 {
    let body = sheet.body();
    let inset = inset(sheet);
    let card = |at: usize| Area { x: first.x + (first.width + gap) * at as f32, ..first };
    let mut end = first.y;
    for (at, item) in items.iter().enumerate() {
        let inner = card(at).inner(inset);
        let y = first.y + inset;
        let y = sheet.write(item.subject.caption(), inner.x, y, inner.width, body);
        end = end.max(draw_image_label(sheet, item, Area { y, ..inner }) + inset);
    }
    let height = end - first.y;
    for (at, item) in items.iter().enumerate() {
        let card = Area { height, ..card(at) };
        sheet.page.marks.push(Mark::Frame(card, frame(item.sign())));
        end = end.max(draw_rank_and_score(sheet, item, Area { y: card.y + height, ..card }));
    }
    end
}

/// Writes the id of an image that is shown as text, or `image` if ids are hidden. Returns the y below it.
fn draw_image_label(sheet: &mut Sheet<'_>, item: &FigureItem, area: Area) -> f32 {
    if !item.subject.is_image {
        return area.y;
    }
    let small = sheet.small();
    sheet.write(&item.subject.label(), area.x, area.y, area.width, small)
}

/// Writes sign, rank and score below a card. Returns the y below them.
fn draw_rank_and_score(sheet: &mut Sheet<'_>, item: &FigureItem, area: Area) -> f32 {
    let small = sheet.small();
    let y = area.y + sheet.size * 0.15;
    let x = sheet.draw_sign(item.sign(), area.x, y, small);
    sheet.write(&item.rank_and_score(), x, y, area.x + area.width - x, small)
}

/// Splits `count` cards of at least `min_width` into as few rows as fit in the width `total`, with `gap` between cards.
/// Returns the number of cards in each row, which differ by at most one, and the width of a card.
fn split_into_rows(count: usize, [total, gap]: [f32; 2], min_width: f32) -> (Vec<usize>, f32) {
    let fit = ((total + gap) / (min_width + gap)).floor().max(1.0) as usize;
    let rows = count.div_ceil(fit);
    let remainder = |row: usize| usize::from(row < count % rows);
    let counts: Vec<usize> = (0..rows).map(|row| count / rows + remainder(row)).collect();
    let columns = column_count(&counts, fit) as f32;
    (counts, (total - gap * (columns - 1.0)) / columns)
}

/// Number of columns that share the width, for rows of `counts` cards, where `fit` cards would fit in a row.
fn column_count(counts: &[usize], fit: usize) -> usize {
    let widest = counts.iter().copied().max().unwrap_or(1);
    if counts.len() > 1 && widest == 1 { 1 } else { widest.max(fit.min(MIN_COLUMNS)) }
}

/// Splits items into consecutive rows of `counts` items.
fn item_rows<'a, T>(mut items: &'a [T], counts: &[usize]) -> impl Iterator<Item = &'a [T]> {
    counts.iter().map(move |&count| {
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
            let (found, width) = split_into_rows(count, [fit * 10.0 - 1.0, 1.0], 9.0);
            assert_eq!(found, rows, "{count} of {fit}");
            assert!(width >= 9.0, "{width}");
        }
    }

    #[test]
    fn a_list_of_cards_takes_the_whole_width() {
        assert_eq!(column_count(&[1, 1, 1], 2), 1);
        assert_eq!(column_count(&[1], 5), 3);
        assert_eq!(column_count(&[3, 2, 2], 3), 3);
        let rows: Vec<&[u8]> = item_rows(&[1, 2, 3], &[2, 1]).collect();
        assert_eq!(rows, [&[1, 2][..], &[3]]);
    }
}
