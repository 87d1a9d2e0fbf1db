//! Paired tests of two models, and the lists of queries behind wins, ties and losses.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use rustc_hash::FxHashSet;

use super::sheet::Sheet;
use crate::analysis::clustering::Clustering;
use crate::analysis::inference::OF_DIFFERENCES;
use crate::analysis::paired::Outcome;
use crate::data::Direction;
use crate::data::text::{count, grouped, p_value};
use crate::jobs::{PairedTest, Stamp, Tested};
use crate::metric::Unit;
use crate::study::Pool;
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::model::dirty::Asked;
use crate::tui::popup::{Answer, Hint, Popup};
use crate::tui::signs;
use crate::tui::ui::{Context, Ui, plain};
use crate::tui::widgets::pane::{self, Scroll};
use crate::tui::widgets::text;

/// Its heading.
const TITLE: &str = "paired tests";
/// Columns of the words before a number.
const WORDS: usize = 30;

/// What is tested, and what the tests say once they are done.
pub struct TestResults {
    paired_test: Arc<PairedTest>,
    /// The chosen line among wins, ties and losses of all metrics.
    selected: usize,
    /// The opening of the study that is tested.
    of: Stamp,
}

/// Opens paired tests of the model looked at and the next one, clustered by image where images are known.
pub(in crate::tui) fn open(model: &mut Model) -> Option<TestResults> {
    let paired_test = model.attempt(|model| model.paired_test(Clustering::ByImage))?;
    Some(TestResults::new(paired_test, model.known.opening))
}

impl TestResults {
    /// The results, once they are there.
    fn new(paired_test: PairedTest, of: Stamp) -> Self {
        TestResults { paired_test: Arc::new(paired_test), selected: 0, of }
    }

    /// The metric and the outcome of the chosen line.
    fn chosen<'a>(&self, model: &'a Model) -> Option<(&'a Tested, Outcome)> {
        let (metric, outcome) =
            (self.selected / Outcome::ALL.len(), self.selected % Outcome::ALL.len());
        Some((model.tested_of(&self.paired_test)?.get(metric)?, Outcome::ALL[outcome]))
    }
}

impl Popup for TestResults {
    fn opened_by(&self) -> Action {
        Action::Tests
    }

    fn act(&mut self, action: Action, model: &mut Model) -> Answer {
        match action {
            Action::Detail | Action::Items => {
                let Some((tested, outcome)) = self.chosen(model) else {
                    return Answer::Stay;
                };
                let metric = &tested.spec.to_string();
                model.list_outcome(self.paired_test.models, metric, outcome);
                let wants_items = action == Action::Items;
                let list = wants_items.then(|| super::items::open(model)).flatten();
                list.map_or(Answer::Close, |list| Answer::Open(Box::new(list)))
            }
            Action::NextPane => {
                let other = model.clustered_otherwise(&self.paired_test);
                other.map_or(Answer::Stay, |other| {
                    let others = TestResults::new(other, model.known.opening);
                    Answer::Open(Box::new(TestResults { selected: self.selected, ..others }))
                })
            }
            _ => Answer::Pass,
        }
    }

    fn scroll(&mut self, by: i32, model: &Model, _ui: &Ui) {
        let tested = model.tested_of(&self.paired_test);
        let lines = tested.map_or(0, <[Tested]>::len) * Outcome::ALL.len();
        let to = self.selected.saturating_add_signed(by as isize);
        self.selected = to.min(lines.saturating_sub(1));
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
            *self = TestResults {
                selected: self.selected,
                ..TestResults::new(paired_test, model.known.opening)
            };
        }
    }

    fn is_done(&self, model: &Model) -> bool {
        let models = self.paired_test.models;
        !models.into_iter().all(|at| model.has_model(at))
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
        draw(self, cx, screen, buf);
        None
    }
}

fn draw(open: &TestResults, cx: Context<'_>, screen: Rect, buf: &mut Buffer) {
    let (width, highest) = Sheet::outer((screen.width, screen.height));
    let mut rows = lines(open, cx, usize::from(width.saturating_sub(2)));
    let wanted = u16::try_from(rows.len() + 2).unwrap_or(u16::MAX);
    let by_image = match &open.paired_test.images {
        _ if !cx.model.can_cluster(&open.paired_test) => "",
        None => "Tab clusters by image, ",
        Some(_) => "Tab clusters by query, ",
    };
    let scrolls = ["", "j/k scroll, "][usize::from(wanted > highest)];
    let notes = [
        format!("{scrolls}{by_image}Enter lists the queries, Esc closes"),
        format!("{scrolls}Esc closes"),
    ];
    let room = usize::from(width).saturating_sub(text::width(TITLE) + 8);
    let note = &text::first_fitting(notes, room);
    let size = (width, wanted.min(highest));
    let inner = pane::popup(TITLE, note, size, cx.ui, screen, buf);
    let chosen = rows.iter().position(|(of, _)| *of == Some(open.selected));
    // Where not all fit, the chosen line is in sight.
    let room = usize::from(inner.height);
    let is_last = |at: usize| rows[at + 1..].iter().all(|(of, _)| of.is_none());
    let offset = chosen.map_or(0, |at| {
        // What is said below the last one is seen with it.
        let end = if is_last(at) { rows.len() } else { at + 2 };
        end.saturating_sub(room).min(at)
    });
    let shown: Vec<Line> = rows.drain(..).map(|(_, line)| line).collect();
    let scroll = Scroll { offset, shown: room, total: shown.len() };
    pane::scrollbar(scroll, true, cx.theme, inner, buf);
    pane::lines(&shown, offset, inner, buf);
    if let Some(y) = chosen.map(|at| inner.y + (at - offset) as u16) {
        let row = Rect::new(inner.x, y, inner.width, 1).intersection(inner);
        pane::mark(true, cx.theme, row, buf);
    }
}

/// A line, and which of the lines to choose from it is.
type Row = (Option<usize>, Line<'static>);

fn lines(open: &TestResults, cx: Context<'_>, width: usize) -> Vec<Row> {
    let paired_test = &open.paired_test;
    let [first, second] = paired_test.models.map(|model| cx.model.study.models[model].name.clone());
    let dial = cx.model.dial_words(&cx.model.study.truths[paired_test.truth]);
    let truth = cx.model.name_in_force(paired_test.truth) + &dial;
    let pool = match cx.model.dials.pool {
        Pool::All => String::new(),
        pool => format!(", pool {}", cx.model.base.pool_name(pool)),
    };
    let ranks = &paired_test.ranks[0];
    // A verdict may leave a query without a positive: it is no query of these means.
    let judged = ranks.iter().filter(|query| query.listed > 0).count();
    let judged = count(judged, "query");
    let head = format!(
        " {first} - {second}, {}, ground truth {truth}{pool}, {judged} judged, {}",
        paired_test.direction,
        clustered(paired_test)
    );
    let mut rows: Vec<Row> = wrapped(&head, 1, width, cx.theme.title.into());
    if let Some(told) = cx.model.untaken_filter() {
        let told = format!("Of all queries judged, as in compare: {told}.");
        rows.extend(wrapped(&told, 1, width, cx.theme.warning.into()));
    }
    let Some(tested) = cx.model.tested_of(paired_test) else {
        rows.push((None, Line::styled("   testing …", cx.theme.dim)));
        return rows;
    };
    for (at, one) in tested.iter().enumerate() {
        rows.push((None, Line::default()));
        rows.extend(of_metric(one, &[first.clone(), second.clone()], cx, width));
        let counts = one.paired.counts(one.spec.metric.unit());
        for (outcome, (word, count)) in
            ["wins", "ties", "losses"].into_iter().zip(counts).enumerate()
        {
            // The word, and the blanks around it.
            let of = signs::model(&cx.model.study, paired_test.models[0], WORDS - 13);
            let words = format!("   {} of {of}", text::pad(word, 6));
            let count = text::pad_left(&grouped(count), 8);
            let line = Line::from(vec![
                Span::raw(text::pad(&words, WORDS)),
                Span::styled(count, cx.theme.key),
            ]);
            rows.push((Some(at * Outcome::ALL.len() + outcome), line));
        }
    }
    let told = legend(paired_test, tested, cx);
    let style = cx.theme.dim.into();
    rows.extend(told.iter().flat_map(|words| wrapped(words, 1, width, style)));
    rows
}

/// Text in as many lines as it takes, so many blanks before each.
fn wrapped(words: &str, indent: usize, width: usize, style: Style) -> Vec<Row> {
    let lines = text::wrap(words.trim_start(), width.saturating_sub(indent + 1));
    let line = |line: String| Line::styled(" ".repeat(indent) + &line, style);
    lines.into_iter().map(|of| (None, line(of))).collect()
}

/// Which queries form a cluster.
fn clustered(paired_test: &PairedTest) -> String {
    match (paired_test.direction, &paired_test.images) {
        (Direction::I2t, _) => "each image a query".into(),
        (_, None) => "each query by itself".into(),
        (_, Some(images)) => {
            let queries = paired_test.ranks[0].queries().iter();
            let images: FxHashSet<u32> = queries.map(|&query| images[query as usize]).collect();
            format!("clustered by image ({} images)", grouped(images.len()))
        }
    }
}

/// How the numbers came about.
fn legend(paired_test: &PairedTest, tested: &[Tested], cx: Context<'_>) -> Vec<String> {
    let how = if tested.iter().all(|one| one.estimate.is_none()) {
        " Too few queries for an interval and a test.".to_owned()
    } else {
        format!(" 95 % CI and p: {OF_DIFFERENCES}. p is Holm-adjusted over both metrics.")
    };
    let mut told = vec![
        String::new(),
        how,
        " Inference is about queries: gallery and trained models are held fixed.".into(),
    ];
    told.extend(match (paired_test.direction, &paired_test.images) {
        (Direction::I2t, _) | (_, Some(_)) => None,
        (_, None) if !cx.model.can_cluster(paired_test) => {
            Some(" Captions of one image are not independent: no file tells whose they are.".into())
        }
        (_, None) => Some(" Captions of one image are not independent: Tab clusters them.".into()),
    });
    if paired_test.parts.is_some() {
        told.push(" Means are those of the folds' means, as in the header.".into());
    }
    let names = paired_test.models.map(|model| &cx.model.study.models[model].name);
    let short = paired_test.ranks.iter().zip(names).filter_map(|(ranks, name)| {
        let is_short = ranks.iter().any(|query| query.unranked > 0);
        is_short.then(|| format!(" {name}: rankings end before some positives."))
    });
    told.extend(short);
    told
}

/// Means, difference, interval and p-values of a metric.
fn of_metric(one: &Tested, names: &[String; 2], cx: Context<'_>, width: usize) -> Vec<Row> {
    let title = one.spec.title();
    let share = |value: f64| Unit::Share.shown(Some(value));
    let signed = |value: f64| format!("{:+.2}", value * 100.0);
    let mut rows = vec![(None, Line::styled(format!(" {title}"), cx.theme.title))];
    let mut row = |words: &str, number: String, more: String, style: Style| {
        let mut line = Line::from(vec![
            Span::raw(text::pad(&format!("   {words}"), WORDS)),
            Span::styled(text::pad_left(&number, 8), style),
        ]);
        let beside = Span::styled(format!("   {more}"), cx.theme.dim);
        let has_room = line.width() + beside.width() <= width;
        if has_room {
            line.push_span(beside);
        }
        rows.push((None, line));
        if !has_room {
            rows.extend(wrapped(&more, 5, width, cx.theme.dim.into()));
        }
    };
    let Some([first, second]) = one.paired.means() else {
        row(
            "undefined",
            String::new(),
            "no query, or rankings too short".into(),
            cx.theme.dim.into(),
        );
        return rows;
    };
    let plain = Style::default();
    row(&format!("A {}", names[0]), share(first), String::new(), plain);
    row(&format!("B {}", names[1]), share(second), String::new(), plain);
    let style: Style = match first.total_cmp(&second) {
        std::cmp::Ordering::Greater => cx.theme.up.into(),
        std::cmp::Ordering::Less => cx.theme.down.into(),
        std::cmp::Ordering::Equal => plain,
    };
    let ends = |[low, high]: [f64; 2]| format!("{} to {}", signed(low), signed(high));
    let interval =
        one.estimate.map_or(String::new(), |of| format!("95 % CI {}", ends(of.interval())));
    row("A - B", signed(first - second), interval, style);
    let p = one.corrected.holm.map_or("-".into(), p_value);
    row("Holm-adjusted p", p, String::new(), plain);
    rows
}
