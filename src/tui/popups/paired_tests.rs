//! Paired tests of two models, and the lists of queries behind wins, ties and losses.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Span;

use super::sheet::{Page, Sheet};
use crate::analysis::inference::DIFFERENCE_METHOD;
use crate::analysis::paired_values::Outcome;
use crate::data::text::{count, grouped, p_value};
use crate::metric::Unit;
use crate::tui::action::Action;
use crate::tui::context::{Context, Ui};
use crate::tui::popup::{Answer, Hint, Popup};
use crate::tui::state::Model;
use crate::tui::state::results::PopupNeeds;
use crate::tui::ui::hits::Target;
use crate::tui::ui::list::{Column, ListView, ScrollState};
use crate::tui::ui::{pane, trend};

/// Number of outcomes of a query, each with a selectable cell per metric: win, tie and loss.
const OUTCOMES: usize = Outcome::ALL.len();
/// Index of the first column with outcomes.
const FIRST_OUTCOME: usize = 6;

/// Paired tests under the current ground truth.
pub struct TestTable {
    /// Index of the selected cell: [`OUTCOMES`] times that of the metric, plus that of the outcome.
    selected: usize,
}

/// The popup of paired tests of the compared pair; `None`, with a message, if there is one model.
pub(in crate::tui) fn open(model: &mut Model) -> Option<TestTable> {
    model.attempt(|model| model.model_pair().ok_or("paired tests take two models".into()))?;
    Some(TestTable { selected: 0 })
}

impl Popup for TestTable {
    fn opened_by(&self) -> Action {
        Action::Tests
    }

    fn act(&mut self, action: Action, model: &mut Model) -> Answer {
        match action {
            Action::Detail => {
                let (metric, outcome) = (self.selected / OUTCOMES, self.selected % OUTCOMES);
                let metric =
                    model.tests(model.view.truth).get(metric).map(|tested| tested.spec.to_string());
                let Some((two, metric)) = model.model_pair().zip(metric) else {
                    return Answer::Stay;
                };
                let models = model.better_first().map(|side| two[side]);
                model.filter_by_outcome(models, &metric, Outcome::ALL[outcome]);
                Answer::Close
            }
            Action::Right | Action::Left => {
                self.scroll(if action == Action::Right { 1 } else { -1 }, model);
                Answer::Stay
            }
            _ => Answer::Pass,
        }
    }

    fn selection(&mut self, model: &Model) -> Option<(&mut usize, usize)> {
        let count = model.tests(model.view.truth).len() * OUTCOMES;
        Some((&mut self.selected, count))
    }

    fn click(&mut self, target: Target, _model: &mut Model, _ui: &Ui) {
        if let Target::Cell(_, metric, column) = target {
            self.selected = metric * OUTCOMES + column.saturating_sub(FIRST_OUTCOME);
        }
    }

    fn is_done(&self, model: &Model) -> bool {
        model.model_pair().is_none()
    }

    fn needs(&self) -> PopupNeeds {
        PopupNeeds::Tests
    }

    fn hints(&self, _model: &Model) -> Vec<Hint> {
        vec![(Action::Down, "move"), (Action::Detail, "list the queries"), (Action::Close, "close")]
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        let (width, highest) = Sheet::max_size(screen.as_size().into());
        let [mut head, mut legend] =
            [(), ()].map(|()| Page::new(width.saturating_sub(3), cx.theme));
        write_head(cx, &mut head);
        write_legend(cx, &mut legend);
        let tests = &*cx.model.tests(cx.model.view.truth);
        let rows = [head.lines.len(), tests.len().max(1) + 1, legend.lines.len()];
        let rows = rows.map(|rows| rows as u16);
        let size = (width, (rows.iter().sum::<u16>() + 2).min(highest));
        let inner = pane::draw_popup("paired tests", "", size, cx.ui, screen, buf);
        let [above, table, below] = inner.layout(&Layout::vertical(rows.map(Constraint::Length)));
        pane::draw_lines(&head.lines, 0, above, buf);
        pane::draw_lines(&legend.lines, 0, below, buf);
        let sides = cx.model.better_first();
        let mean = |side: usize| {
            move |row: usize, _| {
                let mean = tests[row].means.map(|means| means[sides[side]]);
                mean.map_or("·".into(), |mean| Unit::Share.format(Some(mean)))
            }
        };
        let signed = |value: f64| format!("{:+.2}", value * 100.0);
        let difference = |row: usize, _| {
            let difference = tests[row].means.map(|means| means[sides[0]] - means[sides[1]]);
            let (words, style) = trend::delta(difference, 2, cx.theme);
            Span::styled(words, style)
        };
        let interval = |row: usize, _| {
            let ends = tests[row].interval.map(|ends| {
                let sign = if sides[0] == 0 { 1.0 } else { -1.0 };
                sides.map(|side| signed(sign * ends[side]))
            });
            ends.map_or("·".into(), |ends| ends.join(" to "))
        };
        let p = |row: usize, _| tests[row].p_holm.map_or("·".into(), p_value);
        let outcome = |outcome: usize| {
            let outcome = if sides[0] == 0 { outcome } else { OUTCOMES - 1 - outcome };
            move |row: usize, _| Span::styled(grouped(tests[row].counts[outcome]), cx.theme.key)
        };
        let title = |row: usize, _| Span::styled(tests[row].spec.title(), cx.theme.title);
        let heads =
            [["A", "B", "A - B", "A wins", "B wins"], ["B", "A", "B - A", "B wins", "A wins"]];
        let [first, second, change, wins, losses] = heads[sides[0]];
        let view = ListView {
            id: "tests",
            columns: vec![
                Column::rest("", title),
                Column::new(first, 6, mean(0)).right(),
                Column::new(second, 6, mean(1)).right(),
                Column::new(change, 7, difference).right(),
                Column::new("95 % CI", 16, interval).right(),
                Column::new("p", 8, p).right(),
                Column::new(wins, 6, outcome(0)).right(),
                Column::new("ties", 6, outcome(1)).right(),
                Column::new(losses, 6, outcome(2)).right(),
            ],
            len: tests.len(),
            selected: Some(self.selected / OUTCOMES),
            has_cells: true,
            cell: Some(FIRST_OUTCOME + self.selected % OUTCOMES),
            empty: "testing …".into(),
            ..ListView::default()
        };
        view.draw(&ScrollState::default(), cx.ui, table, buf);
        None
    }
}

/// Writes the names of both models, the number of queries, and how they are clustered.
fn write_head(cx: Context<'_>, page: &mut Page<'_>) {
    let tests = cx.model.tests(cx.model.view.truth);
    let Some((test, two)) = tests.first().zip(cx.model.model_pair()) else {
        return;
    };
    let [first, second] = two.map(|model| &cx.model.study.models[model].name);
    let queries = test.counts.iter().sum();
    let clusters = match test.clusters {
        all if all == queries => "each query by itself".into(),
        images => format!("clustered by image ({} images)", grouped(images)),
    };
    let judged = count(queries, "query");
    let all = cx.model.all_queries_prefix();
    let words = format!("{all}A: {first}, B: {second}; {judged}, {clusters}");
    page.paragraph(cx.theme.title, 1, &words);
    page.line("");
}

/// Writes how intervals and p-values are computed, and why numbers are missing.
fn write_legend(cx: Context<'_>, page: &mut Page<'_>) {
    page.line("");
    let words = format!(
        "95 % CI and p: {DIFFERENCE_METHOD}. p is Holm-adjusted over all ground truths and both directions. ·: too few queries, \
         or rankings that end before some positives."
    );
    page.paragraph(cx.theme.dim, 1, &words);
}
