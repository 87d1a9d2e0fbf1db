//! The header: what is looked at, R@1 and mAP@R with their change and history.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::data::text::grouped;
use crate::truth::relevance::Relevance;
use crate::tui::app::{App, Numbers};
use crate::tui::trend::Shown;
use crate::tui::widgets::{text, trend};

pub(super) fn draw(app: &App, area: Rect, buf: &mut Buffer) {
    buf.set_style(area, app.theme.header);
    let look = look(app);
    let numbers = numbers(app, usize::from(area.width));
    if area.height > 1 {
        buf.set_line(area.x, area.y, &look, area.width);
        buf.set_line(area.x, area.y + 1, &numbers, area.width);
        state(app, Rect { height: 1, ..area }, look.width(), buf);
    } else {
        let mut both = numbers;
        both.spans.push(Span::raw("  "));
        both.spans.extend(look.spans);
        buf.set_line(area.x, area.y, &both, area.width);
    }
}

/// Model, direction, truth, pool, queries.
fn look(app: &App) -> Line<'static> {
    let chip = Style::from(app.theme.chip);
    let label = Style::from(app.theme.dim).patch(Style {
        fg: None,
        ..app.theme.header.into()
    });
    let model = &app.study.models[app.look.model].name;
    let truth = app.truth();
    let covered = truth.relevance[app.look.direction]
        .as_ref()
        .map_or(0, Relevance::len);
    let total = app.study.gallery.queries(app.look.direction).len();
    Line::from(vec![
        Span::styled(format!(" {}", text::fit(model, 24)), chip),
        Span::styled("  ", label),
        Span::styled(app.look.direction.key(), chip),
        Span::styled("  truth ", label),
        Span::styled(text::fit(&truth.name, 20), chip),
        Span::styled("  pool ", label),
        Span::styled("all", chip),
        Span::styled(
            format!(
                "  {} of {} queries judged",
                grouped(covered),
                grouped(total)
            ),
            label,
        ),
    ])
}

/// The two numbers, always in the same place.
fn numbers(app: &App, width: usize) -> Line<'static> {
    let (r1, map) = (app.trend.r1(), app.trend.map_at_r());
    let (r1_past, map_past) = app.trend.history();
    let columns = if width >= 64 {
        (width.saturating_sub(48) / 2).min(20)
    } else {
        0
    };
    let mut spans = number(app, " R@1 ", r1);
    spans.push(Span::styled(
        text::pad(&trend::line(&r1_past, columns), columns),
        app.theme.line_r1,
    ));
    spans.extend(number(app, "  mAP@R ", map));
    spans.push(Span::styled(
        text::pad(&trend::line(&map_past, columns), columns),
        app.theme.line_map,
    ));
    Line::from(spans)
}

fn number(app: &App, label: &'static str, shown: Option<Shown>) -> Vec<Span<'static>> {
    let known = app.scored().is_some();
    let shown = shown.filter(|_| known);
    let value = shown.map_or("  ··· ".into(), |shown| {
        text::pad_left(&format!("{:.2}", shown.value * 100.0), 6)
    });
    let (change, style) = match shown.and_then(|shown| shown.change) {
        Some(change) if change > 0.0 => (format!(" ▲ +{:.2}", change * 100.0), app.theme.up.into()),
        Some(change) if change < 0.0 => {
            (format!(" ▼ {:.2}", change * 100.0), app.theme.down.into())
        }
        Some(_) => (" = 0.00".into(), app.theme.dim.into()),
        None => (String::new(), Style::from(app.theme.dim)),
    };
    vec![
        Span::styled(label, app.theme.dim),
        Span::styled(value, app.theme.number),
        Span::styled(text::pad(&change, 10), style),
    ]
}

/// At the right: what is being counted, or what needs a look.
fn state(app: &App, area: Rect, used: usize, buf: &mut Buffer) {
    let waiting = app
        .numbers
        .iter()
        .filter(|n| matches!(n, Numbers::Waiting))
        .count();
    let warnings = app.study.notes.iter().filter(|note| note.warning).count();
    let (state, style): (String, Style) = match (app.progress, waiting) {
        (Some(share), 1..) => {
            let models = if waiting > 1 {
                format!(", {waiting} models")
            } else {
                String::new()
            };
            (
                format!("counting {:.0} %{models} ", share * 100.0),
                app.theme.warning.into(),
            )
        }
        _ if warnings > 0 => {
            let s = if warnings == 1 { "" } else { "s" };
            let key = app.keymap.hint(crate::tui::action::Action::Study);
            (
                format!("⚠ {warnings} note{s} ({key}) "),
                app.theme.warning.into(),
            )
        }
        _ => return,
    };
    let width = text::width(&state);
    if used + width < usize::from(area.width) {
        buf.set_string(area.right() - width as u16, area.y, state, style);
    }
}
