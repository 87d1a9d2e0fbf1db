//! Paired tests of two models, and the lists of queries behind wins, ties and losses.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Span;
use rustc_hash::FxHashSet;

use super::sheet::{Page, Sheet};
use crate::analysis::clustering::Clustering;
use crate::analysis::inference::OF_DIFFERENCES;
use crate::analysis::paired::Outcome;
use crate::data::Direction;
use crate::data::text::{count, grouped, p_value};
use crate::jobs::{PairedTest, Stamp, Tested};
use crate::metric::Unit;
use crate::tui::action::Action;
use crate::tui::context::{Context, Ui};
use crate::tui::popup::{Answer, Hint, Popup};
use crate::tui::state::Model;
use crate::tui::state::results::Asked;
use crate::tui::ui::hits::Target;
use crate::tui::ui::list::{Column, ListView, Scrolled};
use crate::tui::ui::{pane, trend};

/// What a metric has to choose among: wins, ties and losses.
const OUTCOMES: usize = Outcome::ALL.len();
/// Columns of the table before those.
const NUMBERS: usize = 6;

/// What is tested, and what the tests say once they are done.
pub struct TestResults {
    paired_test: Arc<PairedTest>,
    /// The chosen one among wins, ties and losses of all metrics.
    selected: usize,
    /// The opening of the study that is tested.
    of: Stamp,
}

/// Opens paired tests of the model looked at and the next one, clustered by image where images are known.
pub(in crate::tui) fn open(model: &mut Model) -> Option<TestResults> {
    let paired_test = model.attempt(|model| model.paired_test(Clustering::ByImage))?;
    Some(TestResults { paired_test: Arc::new(paired_test), selected: 0, of: model.known.opening })
}

impl Popup for TestResults {
    fn opened_by(&self) -> Action {
        Action::Tests
    }

    fn act(&mut self, action: Action, model: &mut Model) -> Answer {
        match action {
            Action::Detail | Action::Items => {
                let (metric, outcome) = (self.selected / OUTCOMES, self.selected % OUTCOMES);
                let tested = model.tested_of(&self.paired_test).and_then(|all| all.get(metric));
                let Some(metric) = tested.map(|tested| tested.spec.to_string()) else {
                    return Answer::Stay;
                };
                model.list_outcome(self.paired_test.models, &metric, Outcome::ALL[outcome]);
                let wants_items = action == Action::Items;
                let list = wants_items.then(|| super::items::open(model)).flatten();
                list.map_or(Answer::Close, |list| Answer::Open(Box::new(list)))
            }
            Action::Right | Action::Left => {
                self.scroll(if action == Action::Right { 1 } else { -1 }, model);
                Answer::Stay
            }
            Action::NextPane => {
                if let Some(other) = model.clustered_otherwise(&self.paired_test) {
                    self.paired_test = Arc::new(other);
                }
                Answer::Stay
            }
            _ => Answer::Pass,
        }
    }

    fn selected(&mut self, model: &Model) -> Option<(&mut usize, usize)> {
        let metrics = model.tested_of(&self.paired_test).map_or(0, <[Tested]>::len);
        Some((&mut self.selected, metrics * OUTCOMES))
    }

    fn point(&mut self, target: Target, _model: &mut Model, _ui: &Ui) {
        if let Target::Cell(_, metric, column) = target {
            self.selected = metric * OUTCOMES + column.saturating_sub(NUMBERS);
        }
    }

    /// A study that was read again is tested again.
    fn refresh(&mut self, model: &Model) {
        let clustering = match self.paired_test.images {
            Some(_) => Clustering::ByImage,
            None => Clustering::ByQuery,
        };
        if model.known.opening != self.of
            && let Ok(paired_test) = model.paired_test(clustering)
        {
            (self.paired_test, self.of) = (Arc::new(paired_test), model.known.opening);
        }
    }

    fn is_done(&self, model: &Model) -> bool {
        !self.paired_test.models.into_iter().all(|at| model.has_model(at))
    }

    fn asks(&self) -> Asked {
        Asked::Tests(self.paired_test.clone())
    }

    fn hints(&self, model: &Model) -> Vec<Hint> {
        let clustering = match self.paired_test.images {
            None => "cluster by image",
            Some(_) => "cluster by query",
        };
        let mut hints = vec![(Action::Down, "move"), (Action::Detail, "list the queries")];
        if model.can_cluster(&self.paired_test) {
            hints.push((Action::NextPane, clustering));
        }
        hints.push((Action::Close, "close"));
        hints
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        let (width, highest) = Sheet::outer(screen.as_size().into());
        let [mut head, mut legend] =
            [(), ()].map(|()| Page::new(width.saturating_sub(3), cx.theme));
        self.write_head(cx, &mut head);
        self.write_legend(cx, &mut legend);
        let tested = cx.model.tested_of(&self.paired_test).unwrap_or_default();
        let rows = [head.lines.len(), tested.len().max(1) + 1, legend.lines.len()];
        let rows = rows.map(|rows| rows as u16);
        let size = (width, (rows.iter().sum::<u16>() + 2).min(highest));
        let inner = pane::popup("paired tests", "", size, cx.ui, screen, buf);
        let [above, table, below] = inner.layout(&Layout::vertical(rows.map(Constraint::Length)));
        pane::lines(&head.lines, 0, above, buf);
        pane::lines(&legend.lines, 0, below, buf);
        let mean = |side: usize| {
            move |at: usize, _| {
                let means = tested[at].paired.means();
                means.map_or("·".into(), |means| Unit::Share.shown(Some(means[side])))
            }
        };
        let signed = |value: f64| format!("{:+.2}", value * 100.0);
        let difference = |at: usize, _| {
            let difference = tested[at].paired.means().map(|[first, second]| first - second);
            let (words, style) = trend::delta(difference, 2, cx.theme);
            Span::styled(words, style)
        };
        let interval = |at: usize, _| {
            let ends = tested[at].estimate.as_ref().map(|of| of.interval().map(signed));
            ends.map_or("·".into(), |ends| ends.join(" to "))
        };
        let p = |at: usize, _| tested[at].corrected.holm.map_or("·".into(), p_value);
        let outcome = |which: usize| {
            move |at: usize, _| {
                let counts = tested[at].paired.counts(tested[at].spec.metric.unit());
                Span::styled(grouped(counts[which]), cx.theme.key)
            }
        };
        let title = |at: usize, _| Span::styled(tested[at].spec.title(), cx.theme.title);
        let view = ListView {
            id: "tests",
            columns: vec![
                Column::rest("", title),
                Column::new("A", 6, mean(0)).right(),
                Column::new("B", 6, mean(1)).right(),
                Column::new("A - B", 7, difference).right(),
                Column::new("95 % CI", 16, interval).right(),
                Column::new("p", 8, p).right(),
                Column::new("wins", 6, outcome(0)).right(),
                Column::new("ties", 6, outcome(1)).right(),
                Column::new("losses", 6, outcome(2)).right(),
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

impl TestResults {
    /// What is tested, beside what the header says.
    fn write_head(&self, cx: Context<'_>, page: &mut Page<'_>) {
        let test = &self.paired_test;
        let [first, second] = test.models.map(|at| &cx.model.study.models[at].name);
        // A verdict may leave a query without a positive: it is no query of these means.
        let judged = test.ranks[0].iter().filter(|query| query.listed > 0).count();
        let clusters = match (test.direction, &test.images) {
            (Direction::I2t, _) => "each image a query".into(),
            (_, None) => "each query by itself".into(),
            (_, Some(images)) => {
                let queries = test.ranks[0].queries().iter();
                let images: FxHashSet<u32> = queries.map(|&query| images[query as usize]).collect();
                format!("clustered by image ({} images)", grouped(images.len()))
            }
        };
        let words =
            format!("A: {first}, B: {second}; {} judged, {clusters}", count(judged, "query"));
        page.paragraph(cx.theme.title, 1, &words);
        if let Some(told) = cx.model.untaken_filter() {
            let told = format!("Of all queries judged, as in compare: {told}.");
            page.paragraph(cx.theme.warning, 1, &told);
        }
        page.line("");
    }

    /// How the numbers came about.
    fn write_legend(&self, cx: Context<'_>, page: &mut Page<'_>) {
        let test = &self.paired_test;
        let Some(tested) = cx.model.tested_of(test) else {
            return;
        };
        let mut told = vec![
            format!("95 % CI and p: {OF_DIFFERENCES}. p is Holm-adjusted over both metrics."),
            "Inference is about queries: gallery and trained models are held fixed.".into(),
        ];
        if tested.iter().any(|one| one.estimate.is_none()) {
            told.push("A dash: too few queries, or rankings too short.".into());
        }
        if test.parts.is_some() {
            told.push("Means are those of the folds' means, as in the header.".into());
        }
        for (ranks, model) in test.ranks.iter().zip(test.models) {
            if ranks.iter().any(|query| query.unranked > 0) {
                let name = &cx.model.study.models[model].name;
                told.push(format!("{name}: rankings end before some positives."));
            }
        }
        page.line("");
        for words in told {
            page.paragraph(cx.theme.dim, 1, &words);
        }
    }
}
