//! Paired tests of two models, and the lists of queries behind wins, ties and losses.

use std::cmp::Ordering;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
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
use crate::tui::model::Model;
use crate::tui::model::dirty::Asked;
use crate::tui::popup::{Answer, Hint, Popup};
use crate::tui::signs;
use crate::tui::ui::{Context, Ui};
use crate::tui::widgets::hits::{ListId, Target};
use crate::tui::widgets::list::{Column, ListView, Scrolled};
use crate::tui::widgets::{pane, text};

const TESTS: ListId = "tests";
/// Columns of the words before a number.
const WORDS: usize = 30;

/// What is tested, and what the tests say once they are done.
pub struct TestResults {
    paired_test: Arc<PairedTest>,
    /// The chosen one among wins, ties and losses of all metrics.
    selected: usize,
    scrolled: Scrolled,
    /// The opening of the study that is tested.
    of: Stamp,
}

/// A line, and which of wins, ties and losses of all metrics it is of.
type Row = (Option<usize>, Line<'static>);

/// Opens paired tests of the model looked at and the next one, clustered by image where images are known.
pub(in crate::tui) fn open(model: &mut Model) -> Option<TestResults> {
    let paired_test = model.attempt(|model| model.paired_test(Clustering::ByImage))?;
    Some(TestResults {
        paired_test: Arc::new(paired_test),
        selected: 0,
        scrolled: Scrolled::default(),
        of: model.known.opening,
    })
}

impl Popup for TestResults {
    fn opened_by(&self) -> Action {
        Action::Tests
    }

    fn act(&mut self, action: Action, model: &mut Model) -> Answer {
        match action {
            Action::Detail | Action::Items => {
                let count = Outcome::ALL.len();
                let (metric, outcome) = (self.selected / count, self.selected % count);
                let tested = model.tested_of(&self.paired_test).and_then(|all| all.get(metric));
                let Some(metric) = tested.map(|tested| tested.spec.to_string()) else {
                    return Answer::Stay;
                };
                model.list_outcome(self.paired_test.models, &metric, Outcome::ALL[outcome]);
                let wants_items = action == Action::Items;
                let list = wants_items.then(|| super::items::open(model)).flatten();
                list.map_or(Answer::Close, |list| Answer::Open(Box::new(list)))
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

    fn scroll(&mut self, by: i32, model: &Model, _ui: &Ui) {
        let count = model.tested_of(&self.paired_test).map_or(0, <[Tested]>::len);
        let last = (count * Outcome::ALL.len()).saturating_sub(1);
        self.selected = self.selected.saturating_add_signed(by as isize).min(last);
    }

    fn point(&mut self, target: Target, model: &mut Model, ui: &Ui) {
        if let Target::Row(TESTS, at) = target {
            let rows = self.rows(Context::new(&(), model, ui));
            self.selected = rows.get(at).and_then(|(of, _)| *of).unwrap_or(self.selected);
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
        let mut rows = self.rows(cx);
        rows.extend(legend.lines.into_iter().map(|line| (None, line)));
        let height = u16::try_from(head.lines.len() + rows.len() + 2).unwrap_or(u16::MAX);
        let size = (width, height.min(highest));
        let inner = pane::popup("paired tests", "", size, cx.ui, screen, buf);
        let above = Constraint::Length(head.lines.len() as u16);
        let [above, list] = inner.layout(&Layout::vertical([above, Constraint::Fill(1)]));
        pane::lines(&head.lines, 0, above, buf);
        let line = |at: usize| rows[at].1.clone();
        let view = ListView {
            id: TESTS,
            columns: vec![Column::rest("", |at, _| line(at))],
            len: rows.len(),
            selected: rows.iter().position(|(of, _)| *of == Some(self.selected)),
            heading: Some(Box::new(|at| rows[at].0.is_none().then(|| line(at)))),
            ..ListView::default()
        };
        view.draw(&self.scrolled, cx.ui, list, buf);
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
        let words = format!("{first} - {second}, {} judged, {clusters}", count(judged, "query"));
        page.paragraph(cx.theme.title, 1, &words);
        if let Some(told) = cx.model.untaken_filter() {
            let told = format!("Of all queries judged, as in compare: {told}.");
            page.paragraph(cx.theme.warning, 1, &told);
        }
    }

    /// Means, difference, interval, p-value and outcomes of each metric.
    fn rows(&self, cx: Context<'_>) -> Vec<Row> {
        let (test, study) = (&self.paired_test, &cx.model.study);
        let Some(tested) = cx.model.tested_of(test) else {
            return vec![(None, Line::styled("   testing …", cx.theme.dim))];
        };
        let row = |words: &str, number: &str, style: Style| {
            Line::from_iter([
                Span::raw(text::pad(&format!("   {words}"), WORDS)),
                Span::styled(text::pad_left(number, 8), style),
            ])
        };
        let share = |value: f64| Unit::Share.shown(Some(value));
        let signed = |value: f64| format!("{:+.2}", value * 100.0);
        let name = |at: usize, room: usize| signs::model(study, test.models[at], room);
        let mut rows: Vec<Row> = Vec::new();
        for (metric, one) in tested.iter().enumerate() {
            let title = Line::styled(format!(" {}", one.spec.title()), cx.theme.title);
            let mut lines = vec![Line::default(), title];
            if let Some([first, second]) = one.paired.means() {
                let style: Style = match first.total_cmp(&second) {
                    Ordering::Greater => cx.theme.up.into(),
                    Ordering::Less => cx.theme.down.into(),
                    Ordering::Equal => Style::default(),
                };
                let p = one.corrected.holm.map_or("-".into(), p_value);
                lines.extend([
                    row(&format!("A {}", name(0, WORDS - 5)), &share(first), Style::default()),
                    row(&format!("B {}", name(1, WORDS - 5)), &share(second), Style::default()),
                    row("A - B", &signed(first - second), style),
                ]);
                lines.extend(one.estimate.map(|estimate| {
                    let [low, high] = estimate.interval().map(signed);
                    Line::raw(format!("   95 % CI {low} to {high}"))
                }));
                lines.push(row("Holm-adjusted p", &p, Style::default()));
            } else {
                let why = "   undefined: no query, or rankings too short";
                lines.push(Line::styled(why, cx.theme.dim));
            }
            rows.extend(lines.into_iter().map(|line| (None, line)));
            let counts = one.paired.counts(one.spec.metric.unit());
            for (at, (word, count)) in
                ["wins  ", "ties  ", "losses"].into_iter().zip(counts).enumerate()
            {
                let words = format!("{word} of {}", name(0, WORDS - 13));
                let line = row(&words, &grouped(count), cx.theme.key.into());
                rows.push((Some(metric * Outcome::ALL.len() + at), line));
            }
        }
        rows
    }

    /// How the numbers came about.
    fn write_legend(&self, cx: Context<'_>, page: &mut Page<'_>) {
        let test = &self.paired_test;
        let Some(tested) = cx.model.tested_of(test) else {
            return;
        };
        let mut told = vec![if tested.iter().all(|one| one.estimate.is_none()) {
            "Too few queries for an interval and a test.".to_owned()
        } else {
            format!("95 % CI and p: {OF_DIFFERENCES}. p is Holm-adjusted over both metrics.")
        }];
        told.push("Inference is about queries: gallery and trained models are held fixed.".into());
        if test.direction == Direction::T2i && test.images.is_none() {
            told.push("Captions of one image are not independent.".into());
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
