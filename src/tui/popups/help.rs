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
use crate::tui::ui::list::ScrollState;
use crate::tui::ui::prompt::{KeyEffect, PromptLine};
use crate::tui::ui::{pane, text};

/// Width in columns of the keys or the sign of an entry.
const SIGN_COLUMNS: usize = 24;

/// Popup that lists and searches all keys, signs and metrics.
pub struct Help {
    /// Search text.
    line: PromptLine,
    sections: Vec<Section>,
    scrolled: ScrollState,
    selected: usize,
    /// Keys that close it while nothing is typed, except letters.
    closing_keys: Vec<Keys>,
    /// The popup that it covers, which reappears once it closes.
    below: Option<Box<dyn Popup>>,
}

/// A heading, and the entries under it.
type Section = (String, Vec<Entry>);

/// Contents of `help.toml`: help text besides the actions.
#[derive(Deserialize)]
struct HelpFile {
    section: Vec<FileSection>,
}

/// A section of the file.
#[derive(Deserialize)]
struct FileSection {
    heading: String,
    /// Sign, meaning and comma-separated search words of each entry.
    rows: Vec<[String; 3]>,
}

const HELP_TOML: &str = include_str!("help.toml");

impl Help {
    /// The help: first `screen_sections`, each a heading with hints, then everything else. `below` is the popup that it
    /// covers.
    pub(in crate::tui) fn new(
        ui: &Ui,
        screen_sections: &[(String, Vec<Hint>)],
        below: Option<Box<dyn Popup>>,
    ) -> Self {
        // Description of an action, after its hint if it lacks those words.
        let hint_entry = |&(action, hint): &Hint| {
            let doc = action.doc();
            let has_hint = doc.contains(hint);
            let words = if has_hint { doc.to_owned() } else { format!("{hint}: {doc}") };
            Entry::for_action(ui, action, words)
        };
        let screen_sections = screen_sections
            .iter()
            .map(|(heading, hints)| (heading.clone(), hints.iter().map(hint_entry).collect()));
        let groups = Group::ALL.into_iter().map(|(group, heading)| {
            let actions = Action::ALL.iter().filter(|action| action.group() == group);
            let entry = |&action: &Action| Entry::for_action(ui, action, action.doc().to_owned());
            (heading.to_owned(), actions.map(entry).collect())
        });
        Help {
            line: PromptLine::default(),
            sections: screen_sections.chain(groups).chain(reference_sections(ui)).collect(),
            scrolled: ScrollState::default(),
            selected: 0,
            closing_keys: ui.keymap.keys(Action::Help).to_vec(),
            below,
        }
    }

    /// All sections; with a search text, one section without heading: the matching entries, best first.
    fn visible_sections(&self) -> Vec<(&str, Vec<&Entry>)> {
        let all_entries = self.sections.iter().flat_map(|(_, entries)| entries);
        match self.line.text().trim() {
            "" => self
                .sections
                .iter()
                .map(|(heading, entries)| (&**heading, entries.iter().collect()))
                .collect(),
            wanted => vec![("", search(&all_entries, wanted))],
        }
    }

    /// Lines of the list, each with the index of its entry; `None` for headings and blank lines.
    fn lines(&self, columns: usize, theme: &Theme) -> Vec<(Option<usize>, Line<'static>)> {
        let wanted = self.line.text().trim();
        let (mut lines, mut indices) = (Vec::new(), 0..);
        for (heading, entries) in self.visible_sections() {
            if !heading.is_empty() {
                // No gap above the first heading.
                lines.extend((!lines.is_empty()).then(|| (None, Line::default())));
                lines.push((None, Line::styled(heading.to_owned(), theme.title)));
            }
            for entry in entries {
                let index = indices.next();
                let mark = |line| (index, text::mark_words(&line, wanted, theme.found.into()));
                lines.extend(entry.lines(columns, theme).into_iter().map(mark));
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
        if is_empty && !begins_word && self.closing_keys.contains(&Keys(vec![key])) {
            return Answer::Close;
        }
        match (key.code, key.ctrl) {
            // These move the selection.
            (Code::Named("Home" | "End" | "Up" | "Down"), _) | (Code::Char('n' | 'p'), true) => {
                return Answer::Pass;
            }
            (Code::Char('u'), true) if is_empty => return Answer::Pass,
            _ => match self.line.key(key, &[]) {
                KeyEffect::Entered => {
                    let sections = self.visible_sections().into_iter();
                    let chosen = sections.flat_map(|(_, entries)| entries).nth(self.selected);
                    let action = chosen.and_then(|entry| entry.action);
                    return action.map_or(Answer::Close, Answer::Act);
                }
                KeyEffect::Closed => return Answer::Close,
                KeyEffect::Ignored => return Answer::Pass,
                KeyEffect::Edited => {}
            },
        }
        self.on_edit(model);
        Answer::Stay
    }

    fn prompt(&mut self) -> Option<&mut PromptLine> {
        Some(&mut self.line)
    }

    fn on_edit(&mut self, _model: &Model) {
        (self.scrolled, self.selected) = (ScrollState::default(), 0);
    }

    fn prompt_keys(&self) -> &'static [(&'static str, &'static str)] {
        &[("Enter", "do it")]
    }

    fn selection(&mut self, _model: &Model) -> Option<(&mut usize, usize)> {
        let count = self.visible_sections().iter().map(|(_, entries)| entries.len()).sum();
        Some((&mut self.selected, count))
    }

    fn take_below(&mut self) -> Option<Box<dyn Popup>> {
        self.below.take()
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        if let Some(below) = &self.below {
            below.draw(cx, screen, buf);
        }
        let size = Sheet::max_size(screen.as_size().into());
        let inner = pane::draw_popup("help", "", size, cx.ui, screen, buf);
        let rows = [Constraint::Length(1), Constraint::Fill(1)];
        let [search, list] = inner.layout(&Layout::vertical(rows));
        let lines = self.lines(usize::from(inner.width).saturating_sub(1), cx.theme);
        let (indices, mut lines): (Vec<Option<usize>>, Vec<Line>) = lines.into_iter().unzip();
        if lines.is_empty() {
            lines.push(Line::styled("  nothing matches", cx.theme.dim));
        }
        // Scroll the first heading into view with its entry.
        let first = indices.iter().position(|index| *index == Some(self.selected));
        let first = first.filter(|_| self.selected > 0).unwrap_or(0);
        self.scrolled.reveal(first, list.height.into(), lines.len());
        self.scrolled.draw_text(&lines, cx.theme, list, buf);
        let visible = indices.iter().skip(self.scrolled.offset());
        for (index, y) in visible.zip(list.top()..list.bottom()) {
            let Some(index) = *index else { continue };
            let row = Rect { y, height: 1, ..list };
            cx.ui.add_target(row, Target::Row("help", index));
            if index == self.selected {
                pane::mark_row(true, cx.theme, row, buf);
            }
        }
        self.line.draw(" search: ", ("", cx.theme.dim), search, cx.theme, buf)
    }
}

/// The sections after those of actions: files, settings, signs, judgments and metrics.
fn reference_sections(ui: &Ui) -> Vec<Section> {
    let file: HelpFile = toml::from_str(HELP_TOML).expect("a test reads it");
    let section = |FileSection { heading, rows }| {
        let row = |row: [String; 3]| {
            let [sign, words, search_words] = row.map(|text| fill_in(text, ui));
            Entry::new(sign, words, &search_words)
        };
        (heading, rows.into_iter().map(row).collect())
    };
    let mut sections: Vec<Section> = file.section.into_iter().map(section).collect();
    let badges = Badge::ALL.map(|badge| {
        let sign = format!("{} {}", badge.glyph(), badge.label());
        Entry { badge: Some(badge), ..Entry::new(sign, signs::badge_meaning(badge), "") }
    });
    sections.extend([
        ("signs of a retrieved item, over all ground truths".into(), badges.into()),
        ("your judgments, beside the sign of the item".into(), judgment_entries()),
        ("metrics".into(), metric_entries(ui)),
    ]);
    sections
}

/// Replaces action names in braces by their keys, `{figures}` and `{rows}` by the file formats of figures and of rows.
fn fill_in(mut text: String, ui: &Ui) -> String {
    let figures: Vec<&str> = figure::FORMATS.iter().map(|format| format.key).collect();
    let rows: Vec<&str> = ListedRows::endings().collect();
    for (name, formats) in [("{figures}", figures), ("{rows}", rows)] {
        text = text.replace(name, &formats.join(", "));
    }
    ui.keymap.fill_in(&text)
}

/// Every metric, and the keys that show and define it.
fn metric_entries(ui: &Ui) -> Vec<Entry> {
    let screen_key = ui.keymap.hint(Action::Metrics);
    let entry = |title: &str, key: &str| {
        Entry::new(title, format!("{key}: {screen_key} shows it and its definition"), "")
    };
    let metrics = METRICS
        .iter()
        .map(|&metric| Entry { metric: Some(metric), ..entry(metric.title(), metric.key()) });
    metrics.chain(Sum::ALL.map(|sum| entry(sum.title(), sum.key()))).collect()
}

/// Every response to a pair with its sign, and how it counts.
fn judgment_entries() -> Vec<Entry> {
    let entry = |response: Response| {
        let counts = match response.judgment() {
            None => "counts as nothing, and is not asked again",
            Some(Judgment::Partial) => "counts as positive in every ground truth, as half in nDCG",
            Some(judgment) if judgment.is_positive() => "counts as positive in every ground truth",
            Some(_) => "counts as not relevant in every ground truth",
        };
        Entry::new(format!("{} {response}", signs::response(response)), counts, "")
    };
    let judgments = Judgment::ALL.into_iter().map(Response::Judgment);
    judgments.chain([Response::CantTell]).map(entry).collect()
}

/// An entry of the help: keys or a sign with the meaning.
#[derive(Clone, Default)]
struct Entry {
    /// The keys, or the sign.
    sign: String,
    /// The badge that gives the sign its style; `None` for the style of keys.
    badge: Option<Badge>,
    /// The action that Enter runs; `None` for a sign.
    action: Option<Action>,
    /// The meaning.
    words: String,
    /// Further words that find it, comma-separated.
    search_words: String,
    /// The metric that it explains: every spelling of its name finds it.
    metric: Option<&'static dyn Metric>,
}

/// Entries that match a search text, best first, each action once; if none matches, entries with a similar spelling.
fn search<'a>(entries: &(impl Iterator<Item = &'a Entry> + Clone), wanted: &str) -> Vec<&'a Entry> {
    let matching = |quality: &dyn Fn(&Entry) -> Option<Quality>| -> Vec<(Quality, &'a Entry)> {
        entries.clone().filter_map(|entry| Some((quality(entry)?, entry))).collect()
    };
    let mut found = matching(&|entry| entry.quality(wanted));
    // Only letters can be misspelt.
    if found.is_empty() && wanted.contains(char::is_alphanumeric) {
        found = matching(&|entry| Quality::near(&entry.searched_text(), wanted));
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
    /// Keys or a sign with the meaning and further search words.
    fn new(sign: impl Into<String>, words: impl Into<String>, search_words: &str) -> Self {
        let (sign, words, search_words) = (sign.into(), words.into(), search_words.into());
        Entry { sign, words, search_words, ..Entry::default() }
    }

    /// The keys of an action, with `words` as its meaning.
    fn for_action(ui: &Ui, action: Action, words: String) -> Self {
        let keys = ui.keymap.keys(action).iter().map(ToString::to_string);
        let keys = keys.collect::<Vec<_>>().join(" ");
        Entry { action: Some(action), ..Entry::new(keys, words, action.search_words()) }
    }

    /// Name of the action; empty for a sign.
    fn name(&self) -> &'static str {
        self.action.map_or("", Action::name)
    }

    /// All text in which a search looks: keys or sign, name of the action, meaning, and search words.
    fn searched_text(&self) -> String {
        format!("{} {} {}, {}", self.sign, self.name(), self.words, self.search_words)
    }

    /// How well the entry matches a search text; `None` if it does not.
    fn quality(&self, wanted: &str) -> Option<Quality> {
        // A sign may stand before a number.
        let is_sign = !wanted.is_ascii() && !wanted.contains(char::is_alphanumeric);
        let mut keys = self.sign.split(' ');
        let is_key = keys.any(|key| key == wanted || is_sign && key.contains(wanted));
        if is_key || self.metric.is_some_and(|metric| is_metric_name(metric, wanted)) {
            return Some(Quality::Whole);
        }
        Quality::literal(&self.searched_text(), wanted)
    }

    /// The sign, and beside it the meaning, wrapped to `columns` in all.
    fn lines(&self, columns: usize, theme: &Theme) -> Vec<Line<'static>> {
        let look: Style = self.badge.map_or(theme.key.into(), |badge| theme.badge(badge));
        let words = text::wrap(&self.words, columns.saturating_sub(SIGN_COLUMNS + 3)).into_iter();
        let line = |(at, words): (usize, String)| {
            let sign = if at == 0 { self.sign.as_str() } else { "" };
            let sign = format!("  {} ", text::pad(sign, SIGN_COLUMNS));
            Line::from_iter([Span::styled(sign, look), Span::raw(words)])
        };
        words.enumerate().map(line).collect()
    }
}

/// Whether `name` is a name of the metric in papers, or its key. The key may follow a ground truth, as a prefix.
fn is_metric_name(metric: &'static dyn Metric, name: &str) -> bool {
    let key = spelling::key(name).unwrap_or_else(|| name.to_lowercase());
    let starts = key.match_indices('_').map(|(at, _)| at + 1);
    let mut suffixes = std::iter::once(0).chain(starts).map(|start| &key[start..]);
    let spec = suffixes.find_map(|suffix| suffix.parse::<Spec>().ok());
    spec.is_some_and(|spec| spec.metric.key() == metric.key())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::standing::Standing;
    use crate::tui::keymap::Keymap;
    use crate::tui::theme::Theme;

    #[test]
    fn every_sign_is_listed_and_every_name_in_braces_replaced() {
        let (name, theme) = Theme::bundled(0);
        let ui = Ui::new(Keymap::load(None).unwrap(), (name.into(), theme), (80, 24));
        let sections = reference_sections(&ui);
        let entries: Vec<&Entry> = sections.iter().flat_map(|(_, entries)| entries).collect();
        let standings =
            [Standing::Positive, Standing::NotRelevant, Standing::NotListed, Standing::NotCovered];
        let others = [signs::NOTE, signs::UNKNOWN];
        for sign in standings.map(signs::standing).into_iter().chain(others) {
            assert!(entries.iter().any(|entry| entry.sign == sign), "{sign}");
        }
        assert!(!entries.iter().any(|entry| entry.words.contains(['{', '}'])));
    }

    #[test]
    fn keys_come_before_words_and_parts_of_words() {
        let entries = [
            Entry::new("x", "searching", ""),
            Entry::new("search", "a key of this name", ""),
            Entry::new("/", "search captions", ""),
        ];
        let signs = |wanted| -> Vec<&str> {
            search(&entries.iter(), wanted).into_iter().map(|entry| &*entry.sign).collect()
        };
        assert_eq!(signs("search"), ["search", "/", "x"]);
        assert_eq!(signs("serach"), ["search", "/"]);
        assert!(signs("shc").is_empty());
    }
}
