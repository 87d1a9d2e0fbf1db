//! Keys, files, metrics and signs, made from the tables that the program itself uses, first the keys of the screen; and
//! every action by name, one of which Enter does. What is typed is searched for.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use rustc_hash::FxHashSet;
use serde::Deserialize;

use super::sheet::Sheet;
use crate::figure;
use crate::jobs::{ListedRows, Quality};
use crate::metric::rsum::Sum;
use crate::metric::{METRICS, Metric, Spec, spelling};
use crate::truth::response::Response;
use crate::truth::standing::Badge;
use crate::truth::verdict::Verdict;
use crate::tui::action::{Action, Group};
use crate::tui::context::{Context, Ui};
use crate::tui::keymap::{Code, Key, Keys};
use crate::tui::popup::{Answer, Hint, Popup};
use crate::tui::signs;
use crate::tui::state::Model;
use crate::tui::theme::Theme;
use crate::tui::ui::hits::Target;
use crate::tui::ui::list::Scrolled;
use crate::tui::ui::prompt::{PromptLine, Typed};
use crate::tui::ui::{pane, text};

/// Columns of keys and signs.
const SIGN: usize = 24;

/// The help, or the list of actions.
pub struct Help {
    /// The action that opened it. What [`Action::Palette`] opens has a selected entry, which Enter does.
    opened_by: Action,
    /// What is searched for.
    line: PromptLine,
    sections: Vec<Section>,
    scrolled: Scrolled,
    selected: usize,
    /// Keys that close it while nothing is typed, letters left out.
    closes: Vec<Keys>,
    /// What it was opened over.
    below: Option<Box<dyn Popup>>,
}

/// Entries under a heading.
type Section = (String, Vec<Entry>);

/// What the help tells beside the actions, as the file has it.
#[derive(Deserialize)]
struct Written {
    section: Vec<WrittenSection>,
}

#[derive(Deserialize)]
struct WrittenSection {
    heading: String,
    rows: Vec<[String; 3]>,
}

const WRITTEN: &str = include_str!("help.toml");

impl Help {
    pub(in crate::tui) fn new(ui: &Ui) -> Self {
        // What a key does, in the words of its hint where its description has not these.
        let here = |&(action, words): &Hint| {
            let doc = action.doc();
            let has_words = doc.contains(words);
            let words = if has_words { doc.to_owned() } else { format!("{words}: {doc}") };
            Entry::action(ui, action, words)
        };
        let heres = ui.here.iter();
        let heres = heres.map(|(heading, of)| (heading.clone(), of.iter().map(here).collect()));
        let groups = Group::ALL.into_iter().map(|(group, heading)| {
            let actions = Action::ALL.iter().filter(|action| action.group() == group);
            let entry = |&action: &Action| Entry::action(ui, action, action.doc().to_owned());
            (heading.to_owned(), actions.map(entry).collect())
        });
        Help::of(Action::Help, heres.chain(groups).chain(sections(ui)).collect(), ui)
    }

    /// The actions by their names.
    pub(in crate::tui) fn palette(ui: &Ui) -> Self {
        let named = |&action: &Action| {
            let entry = Entry::action(ui, action, action.doc().to_owned());
            Entry { sign: format!("{} {}", action.name(), entry.sign), ..entry }
        };
        let actions = Action::ALL.iter().map(named).collect();
        Help::of(Action::Palette, vec![(String::new(), actions)], ui)
    }

    fn of(opened_by: Action, sections: Vec<Section>, ui: &Ui) -> Self {
        Help {
            opened_by,
            line: PromptLine::default(),
            sections,
            scrolled: Scrolled::default(),
            selected: 0,
            closes: ui.keymap.keys(opened_by).to_vec(),
            below: None,
        }
    }

    /// The same over what is open, which is there again once it closes.
    pub(in crate::tui) fn over(self, below: Option<Box<dyn Popup>>) -> Self {
        Help { below, ..self }
    }

    fn is_palette(&self) -> bool {
        self.opened_by == Action::Palette
    }

    /// The entries that have what is typed, best first; all while nothing is.
    fn listed(&self) -> Vec<&Entry> {
        let all = self.sections.iter().flat_map(|(_, entries)| entries);
        match self.line.text().trim() {
            "" => all.collect(),
            wanted => found(&all, wanted),
        }
    }

    /// The lines of each entry that is listed, and where all are, of the headings.
    fn blocks(&self, columns: usize, theme: &Theme) -> Vec<Vec<Line<'static>>> {
        let wanted = self.line.text().trim();
        if wanted.is_empty() {
            let of_section = |(heading, entries): &Section| {
                let heading = vec![Line::default(), Line::styled(heading.clone(), theme.title)];
                let entries = entries.iter().map(|of| of.lines(columns, theme));
                std::iter::once(heading).chain(entries).collect::<Vec<_>>()
            };
            // Nothing stands above the first heading, and the palette has none.
            let first = usize::from(self.is_palette());
            let mut blocks: Vec<_> =
                self.sections.iter().flat_map(of_section).skip(first).collect();
            blocks[0].retain(|line| line.width() > 0);
            return blocks;
        }
        let of_entry = |entry: &Entry| {
            let lines = entry.lines(columns, theme).into_iter();
            lines.map(|line| text::mark_words(&line, wanted, theme.found.into())).collect()
        };
        self.listed().into_iter().map(of_entry).collect()
    }
}

impl Popup for Help {
    fn opened_by(&self) -> Action {
        self.opened_by
    }

    fn key(&mut self, key: Key, model: &mut Model) -> Answer {
        let is_empty = self.line.text().is_empty();
        let begins_word =
            matches!(key.code, Code::Char(c) if c.is_alphanumeric() && !key.ctrl && !key.alt);
        if is_empty && !begins_word && self.closes.contains(&Keys(vec![key])) {
            return Answer::Close;
        }
        match (key.code, key.ctrl) {
            // These scroll the text below.
            (Code::Named("Home" | "End" | "Up" | "Down"), _) | (Code::Char('n' | 'p'), true) => {
                return Answer::Pass;
            }
            (Code::Char('u'), true) if is_empty => return Answer::Pass,
            _ => match self.line.key(key, &[]) {
                Typed::Entered => {
                    let chosen = self.listed().get(self.selected).and_then(|entry| entry.action);
                    let chosen = chosen.filter(|_| self.is_palette());
                    return chosen.map_or(Answer::Close, Answer::Act);
                }
                Typed::Closed => return Answer::Close,
                Typed::Ignored => return Answer::Pass,
                Typed::Edited => {}
            },
        }
        self.edited(model);
        Answer::Stay
    }

    fn prompt(&mut self) -> Option<&mut PromptLine> {
        Some(&mut self.line)
    }

    fn edited(&mut self, _model: &Model) {
        (self.scrolled, self.selected) = (Scrolled::default(), 0);
    }

    fn typed_keys(&self) -> &'static [(&'static str, &'static str)] {
        if self.is_palette() { &[("Enter", "do it")] } else { &[] }
    }

    fn selected(&mut self, _model: &Model) -> Option<(&mut usize, usize)> {
        let count = self.listed().len();
        Some((&mut self.selected, count))
    }

    fn scroll(&mut self, by: isize, _model: &Model) {
        if self.is_palette() {
            let last = self.listed().len().saturating_sub(1);
            self.selected = self.selected.saturating_add_signed(by).min(last);
        } else {
            self.scrolled.scroll(by);
        }
    }

    fn below(&mut self) -> Option<Box<dyn Popup>> {
        self.below.take()
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        if let Some(below) = &self.below {
            below.draw(cx, screen, buf);
        }
        let [title, label] = if self.is_palette() { ["do", " : "] } else { ["help", " search: "] };
        let size = Sheet::outer(screen.as_size().into());
        let inner = pane::popup(title, "", size, cx.ui, screen, buf);
        let rows = [Constraint::Length(1), Constraint::Fill(1)];
        let [search, list] = inner.layout(&Layout::vertical(rows));
        let blocks = self.blocks(usize::from(inner.width).saturating_sub(1), cx.theme);
        let mut lines = blocks.concat();
        if lines.is_empty() {
            lines.push(Line::styled("  nothing matches", cx.theme.dim));
        }
        let before: usize = blocks.iter().take(self.selected).map(Vec::len).sum();
        if self.is_palette() {
            self.scrolled.follow(before, list.height.into(), lines.len());
        }
        self.scrolled.draw_text(&lines, cx.theme, list, buf);
        if self.is_palette() {
            let of_line = blocks.iter().enumerate().flat_map(|(at, of)| of.iter().map(move |_| at));
            for (at, y) in of_line.skip(self.scrolled.offset()).zip(list.top()..list.bottom()) {
                let row = Rect { y, height: 1, ..list };
                cx.ui.hit(row, Target::Row("palette", at));
                if at == self.selected {
                    pane::mark(true, cx.theme, row, buf);
                }
            }
        }
        self.line.draw(label, ("", cx.theme.dim), search, cx.theme, buf)
    }
}

/// Files, settings, metrics, and what the signs on the screens mean.
fn sections(ui: &Ui) -> Vec<Section> {
    let written: Written = toml::from_str(WRITTEN).expect("a test reads it");
    let section = |WrittenSection { heading, rows }| {
        let row = |row: [String; 3]| {
            let [sign, words, also] = row.map(|text| filled(text, ui));
            Entry::new(sign, words, also)
        };
        (heading, rows.into_iter().map(row).collect())
    };
    let mut sections: Vec<Section> = written.section.into_iter().map(section).collect();
    let badges = Badge::ALL.map(|badge| {
        let sign = format!("{} {}", signs::badge(badge), badge.words());
        Entry { badge: Some(badge), ..Entry::new(sign, signs::meaning(badge), "") }
    });
    sections.extend([
        ("signs of a retrieved item, over all ground truths".into(), badges.into()),
        ("your verdicts, beside the sign of the item".into(), verdicts()),
        ("metrics".into(), metrics(ui)),
    ]);
    sections
}

/// A text with keys in place of the names of actions, and formats in place of their kinds.
fn filled(mut text: String, ui: &Ui) -> String {
    let figures: Vec<&str> = figure::FORMATS.iter().map(|format| format.key).collect();
    let rows: Vec<&str> = ListedRows::endings().collect();
    for (name, formats) in [("{figures}", figures), ("{rows}", rows)] {
        text = text.replace(name, &formats.join(", "));
    }
    ui.keymap.filled(&text)
}

/// Every metric, and the keys that show and define it.
fn metrics(ui: &Ui) -> Vec<Entry> {
    let shows = ui.keymap.hint(Action::Metrics);
    let told = |title: &str, key: &str| {
        Entry::new(title, format!("{key}: {shows} shows it and its definition"), "")
    };
    let metrics = METRICS
        .iter()
        .map(|&metric| Entry { metric: Some(metric), ..told(metric.title(), metric.key()) });
    metrics.chain(Sum::ALL.map(|sum| told(sum.title(), sum.key()))).collect()
}

fn verdicts() -> Vec<Entry> {
    let entry = |response: Response| {
        let counts = match response.verdict() {
            None => "counts as nothing, and is not asked again",
            Some(Verdict::Partial) => "counts as positive in every ground truth, as half in nDCG",
            Some(of) if of.is_positive() => "counts as positive in every ground truth",
            Some(_) => "counts as not relevant in every ground truth",
        };
        Entry::new(format!("{} {response}", signs::response(response)), counts, "")
    };
    let verdicts = Verdict::ALL.into_iter().map(Response::Verdict);
    verdicts.chain([Response::CantTell]).map(entry).collect()
}

/// A key or a sign, and what it stands for.
#[derive(Clone, Default)]
struct Entry {
    /// The keys, or the sign.
    sign: String,
    /// The badge that the sign is of.
    badge: Option<Badge>,
    /// The action; none for a sign.
    action: Option<Action>,
    words: String,
    /// Other words by which it is found, separated by commas.
    also: String,
    /// The metric that it is of, which is found in every way of writing it.
    metric: Option<&'static dyn Metric>,
}

/// The entries that match, best first, each action once; where none does, those with words spelt alike.
fn found<'a>(entries: &(impl Iterator<Item = &'a Entry> + Clone), wanted: &str) -> Vec<&'a Entry> {
    let matching = |of: &dyn Fn(&Entry) -> Option<Quality>| -> Vec<(Quality, &'a Entry)> {
        entries.clone().filter_map(|entry| Some((of(entry)?, entry))).collect()
    };
    let mut found = matching(&|entry| entry.quality(wanted));
    // Texts are spelt with letters.
    if found.is_empty() && wanted.contains(char::is_alphanumeric) {
        found = matching(&|entry| Quality::near(&entry.text(), wanted));
    }
    let mut actions = FxHashSet::default();
    found.retain(|(_, entry)| entry.action.is_none_or(|action| actions.insert(action)));
    found.sort_by_key(|(quality, entry)| {
        let name = entry.name();
        let by_name = Quality::literal(name, wanted).or_else(|| Quality::near(name, wanted));
        (*quality != Quality::Whole, by_name.is_none(), by_name, *quality)
    });
    found.into_iter().map(|(_, entry)| entry).collect()
}

impl Entry {
    /// A key or a sign with its meaning, and other words by which it is found.
    fn new(sign: impl Into<String>, words: impl Into<String>, also: impl Into<String>) -> Self {
        let (sign, words, also) = (sign.into(), words.into(), also.into());
        Entry { sign, words, also, ..Entry::default() }
    }

    /// An action, in these words, with its keys.
    fn action(ui: &Ui, action: Action, words: String) -> Self {
        let keys = ui.keymap.keys(action).iter().map(ToString::to_string);
        let keys = keys.collect::<Vec<_>>().join(" ");
        Entry { action: Some(action), ..Entry::new(keys, words, action.also()) }
    }

    fn name(&self) -> &'static str {
        self.action.map_or("", Action::name)
    }

    fn text(&self) -> String {
        format!("{} {} {}, {}", self.sign, self.name(), self.words, self.also)
    }

    /// How well it has what is typed.
    fn quality(&self, wanted: &str) -> Option<Quality> {
        // A sign may stand before a number.
        let is_sign = !wanted.is_ascii() && !wanted.contains(char::is_alphanumeric);
        let mut keys = self.sign.split(' ');
        let is_key = keys.any(|key| key == wanted || is_sign && key.contains(wanted));
        if is_key || self.metric.is_some_and(|metric| is_metric(metric, wanted)) {
            return Some(Quality::Whole);
        }
        Quality::literal(&self.text(), wanted)
    }

    /// Its sign, and words beside it.
    fn lines(&self, columns: usize, theme: &Theme) -> Vec<Line<'static>> {
        let look: Style = self.badge.map_or(theme.key.into(), |badge| theme.badge(badge));
        let words = text::wrap(&self.words, columns.saturating_sub(SIGN + 3)).into_iter();
        let line = |(at, words): (usize, String)| {
            let sign = if at == 0 { self.sign.as_str() } else { "" };
            let sign = format!("  {} ", text::pad(sign, SIGN));
            Line::from_iter([Span::styled(sign, look), Span::raw(words)])
        };
        words.enumerate().map(line).collect()
    }
}

/// Whether a metric is written so: as papers do, or by its key, with or without a ground truth before it.
fn is_metric(metric: &'static dyn Metric, written: &str) -> bool {
    let key = spelling::key(written).unwrap_or_else(|| written.to_lowercase());
    let starts = key.match_indices('_').map(|(at, _)| at + 1);
    let mut ends = std::iter::once(0).chain(starts).map(|start| &key[start..]);
    let spec = ends.find_map(|end| end.parse::<Spec>().ok());
    spec.is_some_and(|spec| spec.metric.key() == metric.key())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::standing::Standing;
    use crate::tui::keymap::Keymap;
    use crate::tui::theme::Theme;

    #[test]
    fn every_sign_is_told_and_every_name_is_that_of_an_action() {
        let (name, theme) = Theme::bundled(0);
        let ui = Ui::new(Keymap::load(None).unwrap(), (name.into(), theme), (80, 24));
        let sections = sections(&ui);
        let entries: Vec<&Entry> = sections.iter().flat_map(|(_, entries)| entries).collect();
        let standings =
            [Standing::Positive, Standing::NotRelevant, Standing::NotListed, Standing::NotJudged];
        let others = [signs::NOTE, signs::UNKNOWN];
        for sign in standings.map(signs::standing).into_iter().chain(others) {
            assert!(entries.iter().any(|entry| entry.sign == sign), "{sign}");
        }
        assert!(!entries.iter().any(|entry| entry.words.contains(['{', '}'])));
    }

    #[test]
    fn keys_words_and_parts_are_apart_and_near_words_come_alone() {
        let entries = [
            Entry::new("x", "searching", ""),
            Entry::new("search", "a key of this name", ""),
            Entry::new("/", "search captions", ""),
        ];
        let signs = |wanted| -> Vec<&str> {
            found(&entries.iter(), wanted).into_iter().map(|entry| &*entry.sign).collect()
        };
        assert_eq!(signs("search"), ["search", "/", "x"]);
        assert_eq!(signs("serach"), ["search", "/"]);
        assert!(signs("shc").is_empty());
    }
}
