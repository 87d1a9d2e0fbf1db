//! The selected item in full, and the selected query under every truth.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::Cx;
use crate::data::Direction;
use crate::data::index::TruthIx;
use crate::data::text::grouped;
use crate::metric::{Spec, Unit, hit, map_at_r::MapAtR, rprecision::RPrecision};
use crate::rank::QueryRanks;
use crate::truth::Kind;
use crate::truth::verdict::with_mine;
use crate::tui::signs;
use crate::tui::widgets::{marked, pane, text};

pub(super) fn draw_item(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let item = cx.model.item();
    let blind = cx.model.is_blind();
    let ranked = item.filter(|_| !blind);
    // A narrow ranking has no room for scores.
    let title = ranked.map_or("item".into(), |item| {
        format!(
            "item at rank {}, score {}",
            item.rank,
            signs::score(item.score)
        )
    });
    let picture = cx.pair_picture();
    let of_query = cx.model.view.direction == Direction::I2t && picture.area() > 0;
    let note = if of_query { "the query's picture" } else { "" };
    let mut inner = pane::frame(&title, note, false, cx.theme, area, buf);
    inner.width -= picture.width;
    let (Some(item), Some(query)) = (item, cx.model.selection.query()) else {
        return;
    };
    let badge = cx.model.badge(query, item.item);
    let sign = format!(" {} {}  ", signs::badge(badge), badge.words());
    let room = usize::from(inner.width).saturating_sub(text::width(&sign) + 1);
    let meaning = text::fit(signs::meaning(badge), room);
    let mut lines = vec![Line::from(vec![
        Span::styled(sign, cx.theme.badge(badge)),
        Span::styled(meaning, cx.theme.dim),
    ])];
    if blind {
        lines.clear();
    }
    if let Some(said) = cx.model.response(query, item.item) {
        let words = format!(" {} {said}  ", signs::response(said));
        lines.push(Line::from(vec![
            Span::styled(words, cx.theme.response(said)),
            Span::styled("your answer", cx.theme.dim),
        ]));
    }
    let width = usize::from(inner.width).saturating_sub(4);
    if let Some(why) = cx.ui.lacking(cx.model.selected_image()) {
        lines.push(Line::styled(format!("  picture: {why}"), cx.theme.dim));
    }
    match cx.model.view.direction {
        Direction::I2t => lines.extend(caption(cx, item.item, width)),
        Direction::T2i => lines.extend(image(cx, item.item, width)),
    }
    pane::lines(&lines, 0, inner, buf);
}

/// A caption in full, and the image it was written for.
fn caption(cx: Cx<'_>, caption: usize, width: usize) -> Vec<Line<'static>> {
    let wrapped = text::wrap(&cx.model.study.gallery.caption(caption), width);
    let wrapped = with_added(cx, caption, &wrapped);
    let mut lines: Vec<Line> = wrapped
        .into_iter()
        .map(|line| indented("  ", line))
        .collect();
    if cx.model.is_blind() {
        return lines;
    }
    let about = cx.model.study.origin(caption);
    lines.extend(
        text::wrap(&about, width)
            .into_iter()
            .map(|l| Line::styled(format!("  {l}"), cx.theme.dim)),
    );
    lines
}

/// An image's name and all captions written for it.
fn image(cx: Cx<'_>, image: usize, width: usize) -> Vec<Line<'static>> {
    let gallery = &cx.model.study.gallery;
    let name = format!("  {}", text::fit(&gallery.image(image), width));
    let mut lines = vec![Line::styled(name, cx.theme.dim)];
    for caption in cx.model.captions_of(image) {
        let wrapped = text::wrap(&gallery.caption(caption as usize), width.saturating_sub(2));
        let wrapped = with_added(cx, caption as usize, &wrapped);
        for (at, part) in wrapped.into_iter().enumerate() {
            lines.push(indented(if at == 0 { "  - " } else { "    " }, part));
        }
    }
    lines
}

/// The lines of a caption, with the words marked that its original text lacks.
fn with_added(cx: Cx<'_>, caption: usize, wrapped: &[String]) -> Vec<Line<'static>> {
    let added = cx.model.study.added_letters(caption);
    let pieces = marked::lines(wrapped, &added);
    let span = |(is_added, piece): (bool, String)| {
        let style = if is_added {
            cx.theme.found.into()
        } else {
            Style::default()
        };
        Span::styled(piece, style)
    };
    let line = |pieces: Vec<(bool, String)>| pieces.into_iter().map(span).collect();
    pieces.into_iter().map(line).collect()
}

fn indented(indent: &'static str, mut line: Line<'static>) -> Line<'static> {
    line.spans.insert(0, Span::raw(indent));
    line
}

pub(super) fn draw_standing(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let query = cx.model.selection.query();
    let note = query.and_then(|query| cx.model.note_words(cx.model.view.direction, query));
    let note = note.map_or(String::new(), |note| format!("{} {note}", signs::NOTE));
    // In the frame, where it takes nothing else its place.
    let room = usize::from(area.width).saturating_sub(FRAME);
    let cut = text::fit(&note, room);
    let inner = pane::frame("this query", &cut, false, cx.theme, area, buf);
    let Some(query) = query.filter(|_| !cx.model.is_blind()) else {
        return;
    };
    let wide = inner.width >= WITH_R_PRECISION;
    let names = if wide {
        "   R hits@R  first  R@1   AP@R    R-P"
    } else {
        "   R hits first R@1   AP@R"
    };
    let names = format!("   {}{names}", text::pad("truth", name_width(wide)));
    let mut lines = vec![Line::styled(names, cx.theme.dim)];
    for (at, is_mine) in rows(cx, query, usize::from(inner.height)) {
        lines.push(truth_line(cx, at, query, (wide, is_mine)));
    }
    if let Some(verdict) = verdict(cx, query) {
        let width = usize::from(inner.width).saturating_sub(3);
        let wrapped = text::wrap(&verdict, width).into_iter();
        lines.extend(wrapped.map(|line| Line::styled(format!("   {line}"), cx.theme.title)));
    }
    // The whole of it, where rows are left.
    let wrapped = text::wrap(&note, usize::from(inner.width).saturating_sub(3));
    if cut != note && lines.len() + wrapped.len() <= usize::from(inner.height) {
        let line = |line| Line::styled(format!("   {line}"), cx.theme.key);
        lines.extend(wrapped.into_iter().map(line));
    }
    pane::lines(&lines, 0, inner, buf);
}

/// Columns of the frame that its note does not have: corners, the title, blanks around both.
const FRAME: usize = 18;
/// Narrower panes leave out R-Precision.
const WITH_R_PRECISION: u16 = 52;

fn name_width(wide: bool) -> usize {
    if wide { 12 } else { 8 }
}

/// The truths as loaded, and those that verdicts change for this query once more with them; where not all
/// have room, only the one looked at.
fn rows(cx: Cx<'_>, query: usize, height: usize) -> Vec<(TruthIx, bool)> {
    let truths = TruthIx::each(&cx.model.study.truths);
    let usable = truths.filter(|(_, truth)| truth.relevance[cx.model.view.direction].is_some());
    let usable: Vec<TruthIx> = usable.map(|(at, _)| at).collect();
    let judged = |at: TruthIx| cx.model.is_query_judged(at, query);
    let all = usable.len() + usable.iter().filter(|at| judged(**at)).count();
    let mine = |at: TruthIx| judged(at) && (all < height || at == cx.model.view.truth);
    let both = |at: TruthIx| std::iter::once((at, false)).chain(mine(at).then_some((at, true)));
    usable.into_iter().flat_map(both).collect()
}

/// The query under a truth as loaded, or with verdicts.
fn truth_line(
    cx: Cx<'_>,
    at: TruthIx,
    query: usize,
    (wide, is_mine): (bool, bool),
) -> Line<'static> {
    let truth = &cx.model.study.truths[at];
    let is_in_force = is_mine == cx.model.is_query_judged(at, query);
    let current = at == cx.model.view.truth && is_in_force;
    let pointer = if current { " ▸ " } else { "   " };
    let style: Style = if current {
        cx.theme.title.into()
    } else {
        Style::default()
    };
    let (name, ranks) = if is_mine {
        let whole = Some(with_mine(&truth.name));
        let whole = whole.filter(|name| text::width(name) < name_width(wide));
        // Below the truth it is of, where the whole name has no room.
        let name = whole.unwrap_or_else(|| " +mine".into());
        (name, cx.model.ranks_of(at, query))
    } else {
        (truth.name.clone(), cx.model.counted_ranks(at, query))
    };
    let name = text::pad(&name, name_width(wide));
    let mut spans = vec![Span::styled(format!("{pointer}{name}"), style)];
    let Some(ranks) = ranks else {
        let relevance = truth.relevance[cx.model.view.direction].as_ref();
        let judged = relevance.is_some_and(|r| r.place(query).is_some());
        let words = if judged {
            "   counting …"
        } else {
            "   not judged"
        };
        spans.push(Span::styled(words, cx.theme.dim));
        return Line::from(spans);
    };
    let hits = if ranks.is_known_to(ranks.listed) {
        ranks.ranks.count_to(ranks.listed).to_string()
    } else {
        "-".into()
    };
    let (mark, mark_style) = match is_right(ranks) {
        Some(true) => ("✔", cx.theme.up),
        Some(false) => ("✗", cx.theme.down),
        None => ("-", cx.theme.dim),
    };
    let share = |value| text::pad_left(&Unit::Share.shown(value), 7);
    let gap = usize::from(wide);
    let counts = [
        (ranks.listed.to_string(), 4),
        (hits, 5 + 2 * gap),
        (signs::first_rank(ranks), 6 + gap),
    ];
    let counts: String = counts
        .iter()
        .map(|(text, width)| text::pad_left(text, *width))
        .collect();
    spans.push(Span::styled(counts, style));
    spans.push(Span::styled(text::pad_left(mark, 4 + gap), mark_style));
    let ap = share(Spec::new(&MapAtR).per_query(ranks));
    spans.push(Span::styled(ap, style));
    if wide {
        let r_precision = share(Spec::new(&RPrecision).per_query(ranks));
        spans.push(Span::styled(r_precision, style));
    }
    Line::from(spans)
}

/// Whether R@1 calls the query right; `None` where nothing is ranked.
fn is_right(ranks: QueryRanks<'_>) -> Option<bool> {
    Some(Spec::new(&hit::R1).per_query(ranks)? > 0.0)
}

/// What R@1 says of the query under the original and the richest truth that judges it, with verdicts where these
/// are about it.
fn verdict(cx: Cx<'_>, query: usize) -> Option<String> {
    let right = |truth: TruthIx| is_right(cx.model.ranks_of(truth, query)?);
    let named = |truth: TruthIx| {
        let name = &cx.model.study.truths[truth].name;
        if cx.model.is_query_judged(truth, query) {
            with_mine(name)
        } else {
            name.clone()
        }
    };
    let of_kind = |kind: Kind| {
        let truths = TruthIx::each(&cx.model.study.truths).rev();
        let mut judged = truths.filter(|(_, truth)| truth.kind == kind);
        judged.find_map(|(at, _)| Some((right(at)?, named(at), at)))
    };
    let (original, name, at) = of_kind(Kind::Original)?;
    let rich = of_kind(Kind::Rich);
    Some(match (original, rich) {
        (false, Some((true, rich, _))) => {
            format!("R@1 = 0 under {name}, 1 under {rich}: a missing label")
        }
        (true, Some((false, rich, _))) => {
            format!("R@1 = 1 under {name}, 0 under {rich}")
        }
        (true, Some((true, rich, _))) => format!("R@1 = 1 under {name} and {rich}"),
        (true, None) => format!("R@1 = 1 under {name}; no richer ground truth judges it"),
        (false, rich) => {
            let at = rich.map_or(at, |(_, _, rich)| rich);
            miss(cx.model.ranks_of(at, query)?)
        }
    })
}

/// How far a query is from being right, in the words of the ready conditions.
fn miss(ranks: QueryRanks<'_>) -> String {
    let first = signs::first_rank(ranks);
    match ranks.first() {
        Some(..=5) => format!("near miss: first positive at rank {first}"),
        Some(..=100) => format!("a miss: first positive at rank {first}"),
        Some(_) => format!("far miss: first positive at rank {first}"),
        None if ranks.unranked > 0 => {
            let depth = ranks.depth.unwrap_or(0) as usize;
            format!("no positive among the {} items ranked", grouped(depth))
        }
        None => "no positive is in the gallery".into(),
    }
}
