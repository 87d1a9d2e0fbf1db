//! Draws the figure of picks: as a picture, or told in text.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::draft::MOST;
use super::{Cx, Pane};
use crate::data::text::grouped;
use crate::figure::{Layout, Sign};
use crate::jobs::Drafted;
use crate::study::WHOLE_GALLERY;
use crate::truth::verdict::Verdict;
use crate::tui::model::Model;
use crate::tui::model::export::one_line;
use crate::tui::widgets::pane::{self, Scroll};
use crate::tui::widgets::{picture, text};

pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let focus = cx.state.pane == Pane::Figure;
    // Corners, and the blanks around it.
    let title = text::first_fitting(titles(cx), usize::from(area.width).saturating_sub(4));
    let inner = pane::frame(&title, "", focus, cx.theme, area, buf);
    match cx.drawn() {
        Some((Ok(Drafted::Picture(painted)), _)) => {
            // Some terminals would draw it over what is open on top.
            if !cx.ui.hides_pictures() {
                picture::draw(Some(Ok(painted)), cx.theme, inner, buf);
            }
        }
        Some((Ok(Drafted::Lines(_)), _)) => lines(cx, focus, inner, buf),
        Some((Err(error), _)) => tell(cx, &one_line(error), inner, buf),
        None => {
            let (wanted, lacking) = cx.model.drawable(cx.model.figure.scope);
            match lacking.first().filter(|_| wanted.is_empty()) {
                Some(error) => tell(cx, &one_line(error), inner, buf),
                None => tell(cx, "drawing …", inner, buf),
            }
        }
    }
}

/// What the figure is of and how it looks, in ever fewer words.
fn titles(cx: Cx<'_>) -> [String; 3] {
    let shape = cx.model.figure;
    let layout = shape.layout.map_or("the usual layout", Layout::key);
    let [columns, short] = match shape.columns {
        1 => ["for a paper of one column, 121 mm", "one-column paper, 121 mm"],
        _ => ["for a column of a two-column paper, 83 mm", "two-column paper, 83 mm"],
    };
    let note = note(cx);
    let noted = if note.is_empty() { note } else { format!(" · {note}") };
    let of = format!("figure of {}{noted}", shape.scope.words());
    [format!("{of} · {layout} · {columns}"), format!("{of} · {layout} · {short}"), of]
}

/// What of the figure is not shown, or not as it was picked.
fn note(cx: Cx<'_>) -> String {
    let (wanted, lacking) = cx.model.drawable(cx.model.figure.scope);
    let is_old = cx.drawn().is_some_and(|(_, is_its)| !is_its);
    let mut notes = Vec::new();
    notes.extend(other_pool(cx.model));
    if is_old {
        notes.push("drawing …".to_owned());
    }
    if wanted.len() > MOST {
        notes.push(format!("{MOST} of {}", grouped(wanted.len())));
    }
    if !lacking.is_empty() && !wanted.is_empty() {
        notes.push(format!("{} left out", grouped(lacking.len())));
    }
    notes.join(", ")
}

/// In which pool rankings are shown, where picks of the figure were made in others; and in which, where that is known.
fn other_pool(model: &Model) -> Option<String> {
    let shown = model.study.own_pool();
    let picks = model.picks_of(model.figure.scope).into_iter();
    let pools = picks.map(|pick| pick.pool.as_deref());
    let mut others: Vec<Option<&str>> = pools.filter(|pool| *pool != shown.as_deref()).collect();
    others.sort_unstable();
    others.dedup();
    let names: Vec<&str> = others.iter().copied().flatten().collect();
    let shown = format!("ranked in pool {}", shown.as_deref().unwrap_or(WHOLE_GALLERY));
    match names.is_empty() {
        _ if others.is_empty() => None,
        true => Some(shown),
        false => Some(format!("picked in {}, {shown}", names.join(", "))),
    }
}

fn tell(cx: Cx<'_>, words: &str, area: Rect, buf: &mut Buffer) {
    let columns = usize::from(area.width).saturating_sub(2);
    let lines = text::wrap(words, columns).into_iter();
    let line = |line: String| Line::from(Span::styled(format!(" {line}"), cx.theme.dim));
    pane::lines(&lines.map(line).collect::<Vec<_>>(), 0, area, buf);
}

fn lines(cx: Cx<'_>, focus: bool, area: Rect, buf: &mut Buffer) {
    let told = cx.figure_lines();
    let lines: Vec<Line> = told.iter().map(|line| coloured(cx, line)).collect();
    let offset = cx.figure_offset();
    pane::lines(&lines, offset, area, buf);
    let scroll = Scroll { offset, shown: usize::from(area.height), total: lines.len() };
    pane::scrollbar(scroll, focus, cx.theme, area, buf);
}

/// A line with the sign of its item, if it begins with one, as the ranking has it.
fn coloured(cx: Cx<'_>, line: &str) -> Line<'static> {
    let words = line.trim_start();
    let (blanks, _) = line.split_at(line.len() - words.len());
    let sign = Sign::all().find(|sign| words.starts_with(sign.glyph()));
    let Some(sign) = sign.filter(|_| !blanks.is_empty()) else {
        return Line::from(Span::styled(line.to_owned(), Style::default()));
    };
    let style = match sign {
        Sign::Standing(badge) => cx.theme.badge(badge),
        Sign::MyYes => cx.theme.verdict(Verdict::Yes),
        Sign::MyNo => cx.theme.verdict(Verdict::No),
    };
    let rest = words[sign.glyph().len()..].to_owned();
    Line::from(vec![
        Span::raw(blanks.to_owned()),
        Span::styled(sign.glyph(), style),
        Span::raw(rest),
    ])
}

impl Cx<'_> {
    /// The figure in text, a line each as the screen has room; empty where it is none, or a picture.
    pub(super) fn figure_lines(self) -> Vec<String> {
        let Some((Ok(Drafted::Lines(told)), _)) = self.drawn() else {
            return Vec::new();
        };
        self.hanging(&told.lines)
    }

    /// The first line of the figure in text that is shown: it does not end above the screen's end.
    pub(super) fn figure_offset(self) -> usize {
        let wanted = self.state.scroll.unwrap_or_else(|| self.figure_start());
        let room = usize::from(self.areas().figure_inner().height);
        wanted.min(self.figure_lines().len().saturating_sub(room))
    }

    /// The line at which the selected pick begins: the first one where that is the first pick, and while another figure
    /// is shown.
    fn figure_start(self) -> usize {
        let Some((Ok(Drafted::Lines(told)), true)) = self.drawn() else {
            return 0;
        };
        let selected = self.model.selected_pick();
        let selected = selected.and_then(|pick| self.model.shown_by(pick).ok());
        let (wanted, _) = self.model.drawable(self.model.figure.scope);
        let at = wanted.iter().position(|one| Some(one) == selected.as_ref());
        match at.filter(|at| *at > 0).and_then(|at| told.starts.get(at)) {
            Some(&start) => self.hanging(&told.lines[..start]).len(),
            None => 0,
        }
    }

    /// Lines as the screen has room for them.
    fn hanging(self, lines: &[String]) -> Vec<String> {
        let columns = usize::from(self.areas().figure_inner().width).saturating_sub(2);
        let wrapped = lines.iter().flat_map(|line| hanging(line, columns));
        wrapped.collect()
    }
}

/// A line in as many of the screen as it takes, those after the first further to the right.
fn hanging(line: &str, columns: usize) -> Vec<String> {
    let blanks = line.len() - line.trim_start().len();
    let further = if blanks > 2 { blanks + 8 } else { blanks + 2 };
    let wrapped = text::wrap(line.trim_start(), columns.saturating_sub(further).max(1));
    let indent = |at: usize| if at == 0 { blanks } else { further };
    let wrapped = wrapped.into_iter().enumerate();
    wrapped.map(|(at, words)| format!(" {}{words}", " ".repeat(indent(at)))).collect()
}
