//! Paired tests of two models, and the lists of queries behind wins, ties and losses.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Span;

use super::sheet::{Page, Sheet};
use crate::analysis::conclusion::better_first;
use crate::analysis::inference::OF_DIFFERENCES;
use crate::analysis::paired_values::Outcome;
use crate::data::Direction;
use crate::data::text::{count, grouped, p_value};
use crate::jobs::Tested;
use crate::metric::Unit;
use crate::tui::action::Action;
use crate::tui::context::{Context, Ui};
use crate::tui::popup::{Answer, Hint, Popup};
use crate::tui::state::Model;
use crate::tui::state::results::PopupNeeds;
use crate::tui::ui::hits::Target;
use crate::tui::ui::list::{Column, ListView, Scrolled};
use crate::tui::ui::{pane, trend};

/// Choices per metric: wins, ties and losses.
const OUTCOMES: usize = Outcome::ALL.len();
/// Columns of the table before them.
const NUMBERS: usize = 6;

/// Paired tests under the current ground truth.
pub struct TestTable {
    /// Index among wins, ties and losses of all metrics.
    selected: usize,
}

/// Opens paired tests of the two compared models, clustered by image if images are known.
pub(in crate::tui) fn open(model: &mut Model) -> Option<TestTable> {
    model.attempt(|model| model.check_tests())?;
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
                let tested = tested(model).get(metric);
                let metric = tested.map(|tested| tested.spec.to_string());
                let Some((two, metric)) = model.two().zip(metric) else {
                    return Answer::Stay;
                };
                let models = sides(model).map(|side| two[side]);
                model.list_outcome(models, &metric, Outcome::ALL[outcome]);
                Answer::Close
            }
            Action::Right | Action::Left => {
                self.scroll(if action == Action::Right { 1 } else { -1 }, model);
                Answer::Stay
            }
            _ => Answer::Pass,
        }
    }

    fn selected(&mut self, model: &Model) -> Option<(&mut usize, usize)> {
        let count = tested(model).len() * OUTCOMES;
        Some((&mut self.selected, count))
    }

    fn click(&mut self, target: Target, _model: &mut Model, _ui: &Ui) {
        if let Target::Cell(_, metric, column) = target {
            self.selected = metric * OUTCOMES + column.saturating_sub(NUMBERS);
        }
    }

    fn is_done(&self, model: &Model) -> bool {
        model.two().is_none()
    }

    fn needs(&self) -> PopupNeeds {
        PopupNeeds::Tests
    }

    fn hints(&self, _model: &Model) -> Vec<Hint> {
        vec![(Action::Down, "move"), (Action::Detail, "list the queries"), (Action::Close, "close")]
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        let (width, highest) = Sheet::outer(screen.as_size().into());
        let [mut head, mut legend] =
            [(), ()].map(|()| Page::new(width.saturating_sub(3), cx.theme));
        write_head(cx, &mut head);
        write_legend(cx, &mut legend);
        let tested = tested(cx.model);
        let rows = [head.lines.len(), tested.len().max(1) + 1, legend.lines.len()];
        let rows = rows.map(|rows| rows as u16);
        let size = (width, (rows.iter().sum::<u16>() + 2).min(highest));
        let inner = pane::popup("paired tests", "", size, cx.ui, screen, buf);
        let [above, table, below] = inner.layout(&Layout::vertical(rows.map(Constraint::Length)));
        pane::lines(&head.lines, 0, above, buf);
        pane::lines(&legend.lines, 0, below, buf);
        let sides = sides(cx.model);
        let mean = |which: usize| {
            move |at: usize, _| {
                let mean = tested[at].means.map(|means| means[sides[which]]);
                mean.map_or("·".into(), |mean| Unit::Share.shown(Some(mean)))
            }
        };
        let signed = |value: f64| format!("{:+.2}", value * 100.0);
        let difference = |at: usize, _| {
            let difference = tested[at].means.map(|means| means[sides[0]] - means[sides[1]]);
            let (words, style) = trend::delta(difference, 2, cx.theme);
            Span::styled(words, style)
        };
        let interval = |at: usize, _| {
            let ends = tested[at].interval.map(|ends| {
                let sign = if sides[0] == 0 { 1.0 } else { -1.0 };
                sides.map(|side| signed(sign * ends[side]))
            });
            ends.map_or("·".into(), |ends| ends.join(" to "))
        };
        let p = |at: usize, _| tested[at].corrected.holm.map_or("·".into(), p_value);
        let outcome = |which: usize| {
            let which = if sides[0] == 0 { which } else { OUTCOMES - 1 - which };
            move |at: usize, _| Span::styled(grouped(tested[at].counts[which]), cx.theme.key)
        };
        let title = |at: usize, _| Span::styled(tested[at].spec.title(), cx.theme.title);
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
            len: tested.len(),
            selected: Some(self.selected / OUTCOMES),
            has_cells: true,
            cell: Some(NUMBERS + self.selected % OUTCOMES),
            empty: "testing …".into(),
            ..ListView::default()
        };
        view.draw(&Scrolled::default(), cx.ui, table, buf);
        None
    }
}

/// Indices of the two models, the better one by mAP@R first.
fn sides(model: &Model) -> [usize; 2] {
    better_first(&model.differences(model.view.truth))
}

/// One entry per metric; empty while tests run.
fn tested(model: &Model) -> &[Tested] {
    model.tested(model.view.truth).map_or(&[], |result| &result.metrics)
}

/// Writes test details that the header lacks.
fn write_head(cx: Context<'_>, page: &mut Page<'_>) {
    let Some((result, two)) = cx.model.tested(cx.model.view.truth).zip(cx.model.two()) else {
        return;
    };
    let [first, second] = two.map(|at| &cx.model.study.models[at].name);
    let clusters = match (cx.model.view.direction, result.images) {
        (Direction::I2t, _) => "each image a query".into(),
        (_, None) => "each query by itself".into(),
        (_, Some(images)) => format!("clustered by image ({} images)", grouped(images)),
    };
    let judged = count(result.queries, "query");
    let words = format!("A: {first}, B: {second}; {judged} judged, {clusters}");
    page.paragraph(cx.theme.title, 1, &words);
    if let Some(told) = cx.model.unapplied_filter() {
        let told = format!("Of all queries judged, as in compare: {told}.");
        page.paragraph(cx.theme.warning, 1, &told);
    }
    page.line("");
}

fn write_legend(cx: Context<'_>, page: &mut Page<'_>) {
    page.line("");
    let words = format!(
        "95 % CI and p: {OF_DIFFERENCES}. p is Holm-adjusted over both metrics. A dash: too few queries, or rankings \
         that end before some positives."
    );
    page.paragraph(cx.theme.dim, 1, &words);
}
