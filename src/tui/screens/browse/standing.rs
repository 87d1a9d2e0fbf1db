//! The selected query under every truth; while one judges, its words where they are cut elsewhere.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{Cx, lists, steps};
use crate::data::Direction;
use crate::data::index::TruthIx;
use crate::data::text::grouped;
use crate::metric::{Spec, Unit, hit, map_at_r::MapAtR, rprecision::RPrecision};
use crate::rank::QueryRanks;
use crate::truth::Kind;
use crate::tui::signs;
use crate::tui::widgets::{pane, text};

pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let query = cx.model.selection.query();
    let note = query.and_then(|query| cx.model.note_words(cx.model.view.direction, query));
    let note = note.map_or(String::new(), |note| format!("{} {note}", signs::NOTE));
    let (width, height) = (inside(area.width), inside(area.height));
    // Two columns are left to the sign of more lines.
    let words = query.map_or(Vec::new(), |query| words(cx, query, width.saturating_sub(5)));
    let blind = cx.model.is_blind();
    // Rows are left for what the ground truth looked at says.
    let room = height.saturating_sub(if blind { 0 } else { LEAST });
    let mut lines = pane::fitting(words, room);
    let all = query.filter(|_| !blind).map_or(Vec::new(), |query| rows(cx, query));
    let shown = fitting(cx, all.clone(), height.saturating_sub(lines.len() + 1));
    let title = match all.len() - shown.len() {
        0 => "this query".to_owned(),
        1 => "this query, 1 row not shown".to_owned(),
        left => format!("this query, {left} rows not shown"),
    };
    // In the frame, where it takes nothing else its place.
    let room = usize::from(area.width).saturating_sub(text::width(&title) + FRAME);
    let cut = text::fit(&note, room);
    let inner = pane::frame(&title, &cut, false, cx.theme, area, buf);
    let Some(query) = query else {
        return;
    };
    if blind {
        return pane::lines(&lines, 0, inner, buf);
    }
    let wide = inner.width >= WITH_R_PRECISION;
    let names =
        if wide { "   R hits@R  first  R@1   AP@R    R-P" } else { "   R hits first R@1   AP@R" };
    let heading = if wide { "ground truth" } else { "truth" };
    let names = format!("   {}{names}", text::pad(heading, name_width(wide)));
    lines.push(Line::styled(names, cx.theme.dim));
    for (at, is_mine) in shown {
        lines.push(truth_line(cx, at, query, (wide, is_mine)));
    }
    if lines.len() < height {
        lines.extend(steps::line(cx, query, width));
    }
    let wrapped = |words: &str| text::wrap(words, width.saturating_sub(3));
    let fits = |wrapped: &Vec<String>| lines.len() + wrapped.len() <= height;
    // In few words where many would be cut.
    let told = verdict(cx, query).map(|said| [&said.0, &said.1].map(|words| wrapped(words)));
    let told = told.and_then(|ways| ways.into_iter().find(fits));
    let told = told.unwrap_or_default().into_iter();
    lines.extend(told.map(|line| Line::styled(format!("   {line}"), cx.theme.title)));
    // The whole of it, where rows are left.
    let wrapped = wrapped(&note);
    if cut != note && lines.len() + wrapped.len() <= height {
        let line = |line| Line::styled(format!("   {line}"), cx.theme.key);
        lines.extend(wrapped.into_iter().map(line));
    }
    pane::lines(&lines, 0, inner, buf);
}

/// What a frame leaves of so many columns or rows.
fn inside(cells: u16) -> usize {
    usize::from(cells.saturating_sub(2))
}

/// The words of the query while one judges, where the ranking's frame cuts them or nothing else stands here.
fn words(cx: Cx<'_>, query: usize, width: usize) -> Vec<Line<'static>> {
    let whole = lists::title(cx);
    let room = usize::from(cx.areas().ranking.width).saturating_sub(4);
    let is_cut = text::width(&whole) > room;
    if !cx.model.judging.is_on || !is_cut && !cx.model.is_blind() {
        return Vec::new();
    }
    let is_image = cx.model.is_blind() && cx.model.view.direction == Direction::I2t;
    let texts = if is_image { image_words(cx, query) } else { vec![whole] };
    let wrapped = texts.iter().flat_map(|text| text::wrap(text, width));
    wrapped.map(|line| Line::from(format!("   {line}"))).collect()
}

/// The image of a query while one judges blind: its name, and without a picture the captions that stand for it.
fn image_words(cx: Cx<'_>, query: usize) -> Vec<String> {
    let has_picture = cx.ui.picture_way().is_some() && cx.ui.lacking(Some(query)).is_none();
    let captions = cx.model.captions_of(query).into_iter();
    let captions = captions.filter(|_| !has_picture);
    let gallery = &cx.model.study.gallery;
    let captions = captions.map(|caption| format!("- {}", gallery.caption(caption as usize)));
    std::iter::once(gallery.image(query)).chain(captions).collect()
}

/// Columns of the frame that neither its title nor its note has: corners, and blanks around both.
const FRAME: usize = 8;
/// Rows that the words of the query leave: the heading, and a ground truth.
const LEAST: usize = 2;
/// Narrower panes leave out R-Precision.
const WITH_R_PRECISION: u16 = 52;

fn name_width(wide: bool) -> usize {
    if wide { 12 } else { 8 }
}

/// The truths as loaded, and those that verdicts change for this query once more with them.
fn rows(cx: Cx<'_>, query: usize) -> Vec<(TruthIx, bool)> {
    let truths = TruthIx::each(&cx.model.study.truths);
    let usable = truths.filter(|(_, truth)| truth.relevance[cx.model.view.direction].is_some());
    let judged = |at: TruthIx| cx.model.is_query_judged(at, query);
    let both = |at: TruthIx| std::iter::once((at, false)).chain(judged(at).then_some((at, true)));
    usable.flat_map(|(at, _)| both(at)).collect()
}

/// As many of them as so many rows have room for: those of the truth looked at before others.
fn fitting(cx: Cx<'_>, mut rows: Vec<(TruthIx, bool)>, height: usize) -> Vec<(TruthIx, bool)> {
    let is_other = |(at, _): &(TruthIx, bool)| *at != cx.model.view.truth;
    // A row is left for what R@1 says, unless ground truths as loaded need it.
    for (spare, most) in [(true, height.saturating_sub(1)), (false, height)] {
        while rows.len() > most
            && let Some(last) = rows.iter().rposition(|row| is_other(row) && row.1 == spare)
        {
            rows.remove(last);
        }
    }
    // Of the truth looked at the row in force, its last one, goes last.
    rows.drain(..rows.len().saturating_sub(height.max(1)));
    rows
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
    let style: Style = if current { cx.theme.title.into() } else { Style::default() };
    let (name, ranks) = if is_mine {
        let changed = cx.model.study.name_with_verdicts(&truth.name);
        // Below the truth it is of, whose name is not said again.
        let name = format!(" {}", &changed[truth.name.len()..]);
        (name, cx.model.ranks_of(at, query))
    } else {
        (truth.name.clone(), cx.model.counted_ranks(at, query))
    };
    let name = text::pad(&name, name_width(wide));
    let mut spans = vec![Span::styled(format!("{pointer}{name}"), style)];
    // Without any ground truth nobody knows how many positives there are.
    let is_none = |ranks: &QueryRanks| truth.lists_nothing() && ranks.listed == 0;
    let Some(ranks) = ranks.filter(|ranks| !is_none(ranks)) else {
        let relevance = truth.relevance[cx.model.view.direction].as_ref();
        let judged = !truth.lists_nothing() && relevance.is_some_and(|r| r.place(query).is_some());
        let words = if judged { cx.model.files.waiting() } else { "not judged" };
        spans.push(Span::styled(format!("   {words}"), cx.theme.dim));
        return Line::from(spans);
    };
    let hits = if ranks.is_known_to(ranks.listed) {
        ranks.ranks.count_to(ranks.listed).to_string()
    } else {
        "-".into()
    };
    let (mark, mark_style) = signs::top_1(hit::is_correct(ranks), cx.theme);
    let share = |value| text::pad_left(&Unit::Share.shown(value), 7);
    let gap = usize::from(wide);
    let counts =
        [(ranks.listed.to_string(), 4), (hits, 5 + 2 * gap), (signs::first_rank(ranks), 6 + gap)];
    let counts: String = counts.iter().map(|(text, width)| text::pad_left(text, *width)).collect();
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

/// What R@1 says of the query under the original and the richest truth that judges it, with verdicts where these
/// are about it; in few words, too.
fn verdict(cx: Cx<'_>, query: usize) -> Option<(String, String)> {
    let right = |truth: TruthIx| hit::is_correct(cx.model.ranks_of(truth, query)?);
    let named = |truth: TruthIx| {
        let name = &cx.model.study.truths[truth].name;
        if cx.model.is_query_judged(truth, query) {
            cx.model.study.name_with_verdicts(name)
        } else {
            name.clone()
        }
    };
    let of_kind = |kind: Kind| {
        let all = || TruthIx::each(&cx.model.study.truths).rev();
        // The one looked at, where it is of the kind and judges the query.
        let looked_at = all().filter(|(at, _)| *at == cx.model.view.truth);
        let mut judged = looked_at.chain(all()).filter(|(_, truth)| truth.kind == kind);
        judged.find_map(|(at, _)| Some((right(at)?, named(at), at)))
    };
    let (original, name, at) = of_kind(Kind::Original)?;
    let rich = of_kind(Kind::Rich);
    // The error type of this name is about two ground truths, whichever others judge the query.
    let of_type = |kind: Kind| cx.model.view.truth_of(&cx.model.study, kind);
    let compared = [Kind::Original, Kind::Rich].map(of_type);
    let (words, few) = match (original, rich) {
        (false, Some((true, rich, place))) if compared == [Some(at), Some(place)] => {
            (format!("R@1 = 0 under {name}, 1 under {rich}: a missing label"), "a missing label")
        }
        (false, Some((true, rich, _))) => {
            (format!("R@1 = 0 under {name}, 1 under {rich}"), "R@1 = 1 under a richer one")
        }
        (true, Some((false, rich, _))) => {
            (format!("R@1 = 1 under {name}, 0 under {rich}"), "R@1 = 1 under the original alone")
        }
        (true, Some((true, _, _))) if is_right_everywhere(cx, query) => (
            format!("R@1 = 1 under all that judge it{}", with_verdicts(cx, query)),
            "R@1 = 1 under all",
        ),
        (true, Some((true, rich, _))) => {
            (format!("R@1 = 1 under {name} and {rich}"), "R@1 = 1 under both")
        }
        (true, None) => (
            format!("R@1 = 1 under {name}; no richer ground truth judges the query"),
            "no richer one judges it",
        ),
        (false, rich) => {
            // The one looked at, where it judges the query; else the richest that does.
            let here = cx.model.view.truth;
            let at = match right(here) {
                Some(_) => here,
                None => rich.map_or(at, |(_, _, rich)| rich),
            };
            return Some(miss(cx.model.ranks_of(at, query)?, &named(at)));
        }
    };
    Some((words, few.into()))
}

/// That what is told of all ground truths is so with verdicts, where these change one for this query.
fn with_verdicts(cx: Cx<'_>, query: usize) -> &'static str {
    let mut truths = TruthIx::all(&cx.model.study.truths);
    if truths.any(|at| cx.model.is_query_judged(at, query)) { ", with your verdicts" } else { "" }
}

/// Whether more than two ground truths judge a query, and its first item is a positive of each.
fn is_right_everywhere(cx: Cx<'_>, query: usize) -> bool {
    let right = |truth: TruthIx| Some(hit::is_correct(cx.model.ranks_of(truth, query)?));
    let judged = TruthIx::all(&cx.model.study.truths).filter_map(right);
    let judged: Vec<bool> = judged.flatten().collect();
    judged.len() > 2 && judged.into_iter().all(|right| right)
}

/// How far a query is from being right under a ground truth, in the words of the ready conditions; in few words, too.
fn miss(ranks: QueryRanks<'_>, truth: &str) -> (String, String) {
    let first = signs::first_rank(ranks);
    let how = match ranks.first() {
        Some(..=5) => "near miss",
        Some(..=100) => "a miss",
        Some(_) => "far miss",
        None if ranks.unranked > 0 => {
            let depth = grouped(ranks.depth.unwrap_or(0) as usize);
            let words = format!("no positive among the {depth} items ranked");
            return (words, format!("no positive among {depth} ranked"));
        }
        None => return ("no positive is in the gallery".into(), "no positive".into()),
    };
    (
        format!("{how}: first positive at rank {first} under {truth}"),
        format!("{how}: rank {first}, {truth}"),
    )
}
