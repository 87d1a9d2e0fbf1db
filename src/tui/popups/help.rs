//! Every action with its keys, files, metrics and signs, generated from the program's own tables, the screen's keys
//! first. Typing searches, and Enter runs the selected action.

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
use crate::truth::judgment::Judgment;
use crate::truth::response::Response;
use crate::truth::standing::Badge;
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

/// The help.
pub struct Help {
    /// Search text.
    line: PromptLine,
    sections: Vec<Section>,
    scrolled: Scrolled,
    selected: usize,
    /// Keys that close it while nothing is typed, except letters.
    closes: Vec<Keys>,
    /// The popup below.
    below: Option<Box<dyn Popup>>,
}

/// Entries under a heading.
type Section = (String, Vec<Entry>);

/// Contents of `help.toml`: help text besides the actions.
#[derive(Deserialize)]
struct HelpFile {
    section: Vec<FileSection>,
}

#[derive(Deserialize)]
struct FileSection {
    heading: String,
    rows: Vec<[String; 3]>,
}

const HELP_TOML: &str = include_str!("help.toml");

impl Help {
    /// Starts with the keys of this screen, under their headings. `below` reappears once it closes.
    pub(in crate::tui) fn new(
        ui: &Ui,
        here: &[(String, Vec<Hint>)],
        below: Option<Box<dyn Popup>>,
    ) -> Self {
        // Description of an action, after its hint if it lacks those words.
        let act = |&(action, words): &Hint| {
            let doc = action.doc();
            let has_words = doc.contains(words);
            let words = if has_words { doc.to_owned() } else { format!("{words}: {doc}") };
            Entry::action(ui, action, words)
        };
        let here = here.iter();
        let here = here.map(|(heading, of)| (heading.clone(), of.iter().map(act).collect()));
        let groups = Group::ALL.into_iter().map(|(group, heading)| {
            let actions = Action::ALL.iter().filter(|action| action.group() == group);
            let entry = |&action: &Action| Entry::action(ui, action, action.doc().to_owned());
            (heading.to_owned(), actions.map(entry).collect())
        });
        Help {
            line: PromptLine::default(),
            sections: here.chain(groups).chain(sections(ui)).collect(),
            scrolled: Scrolled::default(),
            selected: 0,
            closes: ui.keymap.keys(Action::Help).to_vec(),
            below,
        }
    }

    /// Entries under headings; with a search, the matches, best first, without headings.
    fn listed(&self) -> Vec<(&str, Vec<&Entry>)> {
        let all = self.sections.iter().flat_map(|(_, entries)| entries);
        match self.line.text().trim() {
            "" => self
                .sections
                .iter()
                .map(|(heading, of)| (&**heading, of.iter().collect()))
                .collect(),
            wanted => vec![("", found(&all, wanted))],
        }
    }

    /// Lines of the list, each with its entry's index; headings have none.
    fn lines(&self, columns: usize, theme: &Theme) -> Vec<(Option<usize>, Line<'static>)> {
        let wanted = self.line.text().trim();
        let (mut lines, mut places) = (Vec::new(), 0..);
        for (heading, entries) in self.listed() {
            if !heading.is_empty() {
                // No gap above the first heading.
                lines.extend((!lines.is_empty()).then(|| (None, Line::default())));
                lines.push((None, Line::styled(heading.to_owned(), theme.title)));
            }
            for entry in entries {
                let place = places.next();
                let mark = |line| text::mark_words(&line, wanted, theme.found.into());
                let of_entry = entry.lines(columns, theme).into_iter().map(mark);
                lines.extend(of_entry.map(|line| (place, line)));
            }
        }
        lines
    }
}

impl Popup for Help {
    fn opened_by(&self) -> Action {
        Action::Help
    }

    fn key(&mut self, key: Key, model: &mut Model) -> Answer {
        let is_empty = self.line.text().is_empty();
        let begins_word =
            matches!(key.code, Code::Char(c) if c.is_alphanumeric() && !key.ctrl && !key.alt);
        if is_empty && !begins_word && self.closes.contains(&Keys(vec![key])) {
            return Answer::Close;
        }
        match (key.code, key.ctrl) {
            // These move the selection.
            (Code::Named("Home" | "End" | "Up" | "Down"), _) | (Code::Char('n' | 'p'), true) => {
                return Answer::Pass;
            }
            (Code::Char('u'), true) if is_empty => return Answer::Pass,
            _ => match self.line.key(key, &[]) {
                Typed::Entered => {
                    let listed = self.listed().into_iter();
                    let chosen = listed.flat_map(|(_, of)| of).nth(self.selected);
                    let action = chosen.and_then(|entry| entry.action);
                    return action.map_or(Answer::Close, Answer::Act);
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
        &[("Enter", "do it")]
    }

    fn selected(&mut self, _model: &Model) -> Option<(&mut usize, usize)> {
        let count = self.listed().iter().map(|(_, of)| of.len()).sum();
        Some((&mut self.selected, count))
    }

    fn below(&mut self) -> Option<Box<dyn Popup>> {
        self.below.take()
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        if let Some(below) = &self.below {
            below.draw(cx, screen, buf);
        }
        let size = Sheet::outer(screen.as_size().into());
        let inner = pane::popup("help", "", size, cx.ui, screen, buf);
        let rows = [Constraint::Length(1), Constraint::Fill(1)];
        let [search, list] = inner.layout(&Layout::vertical(rows));
        let lines = self.lines(usize::from(inner.width).saturating_sub(1), cx.theme);
        let (places, mut lines): (Vec<Option<usize>>, Vec<Line>) = lines.into_iter().unzip();
        if lines.is_empty() {
            lines.push(Line::styled("  nothing matches", cx.theme.dim));
        }
        // Scroll the first heading into view with its entry.
        let first = places.iter().position(|place| *place == Some(self.selected));
        let first = first.filter(|_| self.selected > 0).unwrap_or(0);
        self.scrolled.follow(first, list.height.into(), lines.len());
        self.scrolled.draw_text(&lines, cx.theme, list, buf);
        let in_sight = places.iter().skip(self.scrolled.offset());
        for (place, y) in in_sight.zip(list.top()..list.bottom()) {
            let Some(at) = *place else { continue };
            let row = Rect { y, height: 1, ..list };
            cx.ui.hit(row, Target::Row("help", at));
            if at == self.selected {
                pane::mark(true, cx.theme, row, buf);
            }
        }
        self.line.draw(" search: ", ("", cx.theme.dim), search, cx.theme, buf)
    }
}

/// The sections below the actions: files, settings, signs, judgments and metrics.
fn sections(ui: &Ui) -> Vec<Section> {
    let file: HelpFile = toml::from_str(HELP_TOML).expect("a test reads it");
    let section = |FileSection { heading, rows }| {
        let row = |row: [String; 3]| {
            let [sign, words, search_words] = row.map(|text| filled(text, ui));
            Entry::new(sign, words, &search_words)
        };
        (heading, rows.into_iter().map(row).collect())
    };
    let mut sections: Vec<Section> = file.section.into_iter().map(section).collect();
    let badges = Badge::ALL.map(|badge| {
        let sign = format!("{} {}", badge.glyph(), badge.label());
        Entry { badge: Some(badge), ..Entry::new(sign, signs::meaning(badge), "") }
    });
    sections.extend([
        ("signs of a retrieved item, over all ground truths".into(), badges.into()),
        ("your judgments, beside the sign of the item".into(), judgments()),
        ("metrics".into(), metrics(ui)),
    ]);
    sections
}

/// Replaces names of actions by keys, and kinds of formats by formats.
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

fn judgments() -> Vec<Entry> {
    let entry = |response: Response| {
        let counts = match response.judgment() {
            None => "counts as nothing, and is not asked again",
            Some(Judgment::Partial) => "counts as positive in every ground truth, as half in nDCG",
            Some(of) if of.is_positive() => "counts as positive in every ground truth",
            Some(_) => "counts as not relevant in every ground truth",
        };
        Entry::new(format!("{} {response}", signs::response(response)), counts, "")
    };
    let judgments = Judgment::ALL.into_iter().map(Response::Judgment);
    judgments.chain([Response::CantTell]).map(entry).collect()
}

/// A key or a sign with its meaning.
#[derive(Clone, Default)]
struct Entry {
    /// The keys, or the sign.
    sign: String,
    /// Badge of the sign.
    badge: Option<Badge>,
    /// The action; none for a sign.
    action: Option<Action>,
    words: String,
    /// Search words, comma-separated.
    search_words: String,
    /// Its metric, found in every spelling.
    metric: Option<&'static dyn Metric>,
}

/// Matching entries, best first, each action once; if none, those spelt alike.
fn found<'a>(entries: &(impl Iterator<Item = &'a Entry> + Clone), wanted: &str) -> Vec<&'a Entry> {
    let matching = |of: &dyn Fn(&Entry) -> Option<Quality>| -> Vec<(Quality, &'a Entry)> {
        entries.clone().filter_map(|entry| Some((of(entry)?, entry))).collect()
    };
    let mut found = matching(&|entry| entry.quality(wanted));
    // Only letters can be misspelt.
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
    /// A key or a sign with its meaning and search words.
    fn new(sign: impl Into<String>, words: impl Into<String>, search_words: &str) -> Self {
        let (sign, words, search_words) = (sign.into(), words.into(), search_words.into());
        Entry { sign, words, search_words, ..Entry::default() }
    }

    /// An action, in these words, with its keys.
    fn action(ui: &Ui, action: Action, words: String) -> Self {
        let keys = ui.keymap.keys(action).iter().map(ToString::to_string);
        let keys = keys.collect::<Vec<_>>().join(" ");
        Entry { action: Some(action), ..Entry::new(keys, words, action.search_words()) }
    }

    fn name(&self) -> &'static str {
        self.action.map_or("", Action::name)
    }

    fn text(&self) -> String {
        format!("{} {} {}, {}", self.sign, self.name(), self.words, self.search_words)
    }

    /// Match of the typed text.
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

/// Whether `written` names the metric: as in papers, or by key, with or without a ground-truth prefix.
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
