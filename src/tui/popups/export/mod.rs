//! The form for a file: of picks, a chart, or rows.

mod name;
mod of;
mod view;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use name::beside;
use of::{Format, Of};

use crate::data::output::ending_of;
use crate::figure::chart::Chart;
use crate::jobs::{Export, IfExists, ListedRows};
use crate::session::ENDING;
use crate::session::place::is_own;
use crate::tui::action::Action;
use crate::tui::keymap::{Code, Key};
use crate::tui::line::TextLine;
use crate::tui::model::Model;
use crate::tui::model::export::Scope;
use crate::tui::model::export::one_line;
use crate::tui::popup::{Answer, Pasted, Popup};
use crate::tui::ui::Context;

/// A line of the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// Of which picks.
    Scope,
    /// In which format.
    Format,
    /// The name of the file.
    File,
}

impl Field {
    /// Every line, from top to bottom.
    pub const ALL: [Field; 3] = [Field::Scope, Field::Format, Field::File];
}

/// The form as it is filled in.
pub struct ExportForm {
    of: Of,
    /// The line that keys go to.
    field: Field,
    formats: Vec<Format>,
    /// Place of the chosen one.
    format: usize,
    line: TextLine,
    /// Whether the name was typed.
    is_typed: bool,
    /// The file that may be replaced: it was asked for twice.
    asked: Option<PathBuf>,
    /// What keeps it from being written, or has to be said first.
    told: Option<String>,
    /// What became of the file.
    state: State,
    /// The list that it was opened from.
    below: Option<Box<dyn Popup>>,
}

/// How far the writing of the file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Asked,
    Writing,
    Written,
}

/// The format of a fresh form, where it is among them: what papers take.
const FIRST: &str = "pdf";

impl ExportForm {
    /// The form, filled in as far as can be guessed; `None` where there is nothing to write, which is then
    /// said.
    pub fn open(model: &mut Model) -> Option<Self> {
        if model.session.picks().is_empty() {
            model.message = Some("no query is picked: there is nothing to write".into());
            return None;
        }
        // Who picked several queries wants all of them, unless the screen shows another figure.
        let scope = match model.figure.scope {
            Scope::Pick => Scope::All,
            shown => shown,
        };
        ExportForm::unless_busy(model, Of::Picks(scope))
    }

    /// The form for a chart, whose file is named after this word; `None` while another file is written, which is
    /// then said.
    pub fn of_chart(model: &mut Model, word: &'static str, chart: Chart) -> Option<Self> {
        ExportForm::unless_busy(model, Of::Chart(Box::new(chart), word))
    }

    /// The form for rows, which are this in ever fewer words, over the list that has them; else as
    /// [`ExportForm::of_chart`].
    pub fn of_rows(
        model: &mut Model,
        rows: ListedRows,
        words: [String; 7],
        list: Box<dyn Popup>,
    ) -> Option<Self> {
        let form = ExportForm::unless_busy(model, Of::Rows(Arc::new(rows), words))?;
        Some(ExportForm { below: Some(list), ..form })
    }

    fn unless_busy(model: &mut Model, of: Of) -> Option<Self> {
        let is_busy = model.exporting.is_some();
        if is_busy {
            model.message = Some("a file is being written".into());
        }
        (!is_busy).then(|| ExportForm::new(model, of))
    }

    fn new(model: &Model, of: Of) -> Self {
        let formats = of.formats();
        let first = formats.iter().position(|format| format.key == FIRST);
        let mut form = ExportForm {
            of,
            formats,
            field: Field::File,
            format: first.unwrap_or(0),
            line: TextLine::default(),
            is_typed: false,
            asked: None,
            told: None,
            state: State::Asked,
            below: None,
        };
        form.name(model);
        form
    }

    /// The chosen format.
    fn format(&self) -> &Format {
        &self.formats[self.format]
    }

    /// The place of the format that a name tells.
    fn format_of(&self, file: &Path) -> Option<usize> {
        let ending = ending_of(file);
        self.formats.iter().position(|one| one.key == ending)
    }

    /// Gives the file a name that none has, or one that was typed another extension.
    fn name(&mut self, model: &Model) {
        let key = self.format().key;
        let named = |path: PathBuf| path.display().to_string();
        self.line = if self.is_typed {
            TextLine::new(named(Path::new(self.line.text()).with_extension(key)))
        } else {
            TextLine::proposing(named(beside(
                model.session.path().filter(|path| !is_own(path)),
                self.of.word(),
                key,
            )))
        };
    }

    /// The name was typed: its extension tells the format.
    fn typed(&mut self) {
        self.is_typed = true;
        self.told = None;
        let told = self.format_of(Path::new(self.line.text().trim()));
        self.format = told.unwrap_or(self.format);
    }

    fn step(&mut self, by: isize) {
        let fields = self.of.fields();
        let here = fields.iter().position(|field| *field == self.field);
        let to = here.unwrap_or(0) as isize + by;
        self.field = fields[to.rem_euclid(fields.len() as isize) as usize];
    }

    /// The keys that go to another line and change it.
    fn way_to(&self, field: Field) -> &'static str {
        let fields = self.of.fields();
        let place = |wanted: Field| fields.iter().position(|field| *field == wanted);
        match (place(self.field), place(field)) {
            (Some(here), Some(there)) if (here + 1) % fields.len() == there => "Tab, then ←→",
            _ => "Shift-Tab, then ←→",
        }
    }

    /// Chooses the next scope or format, or the one before.
    fn choose(&mut self, by: isize, model: &Model) {
        self.told = None;
        if let (Field::Scope, Of::Picks(scope)) = (self.field, &mut self.of) {
            *scope = scope.stepped(by);
        } else {
            self.step_format(by);
            self.name(model);
        }
    }

    /// Chooses the next format, or the one before.
    fn step_format(&mut self, by: isize) {
        let count = self.formats.len() as isize;
        self.format = (self.format as isize + by).rem_euclid(count) as usize;
    }

    /// Has the file written, unless something is to be said first.
    fn enter(&mut self, model: &mut Model) -> Answer {
        if self.state == State::Writing {
            return Answer::Stay;
        }
        match self.export(model) {
            Ok(export) => {
                model.export(export);
                if model.exporting.is_none() {
                    return Answer::Close;
                }
                (self.state, self.told) = (State::Writing, Some("writing …".into()));
            }
            Err(told) => self.told = Some(told),
        }
        Answer::Stay
    }

    fn export(&self, model: &Model) -> Result<Export, String> {
        let path = PathBuf::from(self.line.text().trim());
        if path.as_os_str().is_empty() {
            return Err("a file needs a name".into());
        }
        if path.to_string_lossy().ends_with(ENDING) {
            return Err("names that end so are those of sessions".into());
        }
        if path.extension().is_some() && self.format_of(&path).is_none() {
            return Err(self.unknown(&path));
        }
        let if_exists = match &self.asked {
            Some(asked) if *asked == path => IfExists::Replace,
            _ if self.is_typed => IfExists::Refuse,
            _ => IfExists::Number,
        };
        Ok(Export {
            shows: self.of.shows(model)?,
            path,
            ending: self.format().key,
            if_exists,
            session: model.session.path().map(Path::to_owned),
        })
    }

    /// That a name tells no format, and which there are.
    fn unknown(&self, file: &Path) -> String {
        let known = self.formats.iter().map(|one| format!(".{}", one.key));
        let known: Vec<String> = known.collect();
        let (ending, noun) = (ending_of(file), self.of.noun());
        format!("a .{ending} holds no {noun}; known are {}", known.join(", "))
    }
}

impl Popup for ExportForm {
    fn opened_by(&self) -> Action {
        Action::Export
    }

    fn key(&mut self, key: Key, model: &mut Model) -> Answer {
        match (key.code, key.ctrl) {
            _ if key.closes() => return Answer::Close,
            (Code::Named("Enter"), _) => return self.enter(model),
            (Code::Named("Tab" | "Down"), _) => self.step(1),
            (Code::Named("BackTab" | "Up"), _) => self.step(-1),
            (Code::Named("Left"), _) if self.field != Field::File => self.choose(-1, model),
            (Code::Named("Right") | Code::Char(' '), _) if self.field != Field::File => {
                self.choose(1, model);
            }
            // What is typed is the file's name, wherever one is.
            (Code::Char(_), false) | (Code::Named("Backspace"), _) => {
                self.field = Field::File;
                if self.line.edit(key) {
                    self.typed();
                }
            }
            _ if self.field == Field::File && self.line.edit(key) => self.typed(),
            _ => {}
        }
        Answer::Stay
    }

    fn paste(&mut self, text: &str, _model: &Model) -> Pasted {
        self.field = Field::File;
        let is_whole = self.line.insert(text);
        self.typed();
        is_whole.into()
    }

    fn refresh(&mut self, model: &Model) {
        if self.state != State::Writing || model.exporting.is_some() {
            return;
        }
        if let Some((path, why)) = model.refused_export.clone() {
            self.line = TextLine::new(path.display().to_string());
            (self.state, self.told, self.asked) = (State::Asked, Some(why), Some(path));
            return;
        }
        let lost = model.lost_export.as_ref().map(one_line);
        self.state = if lost.is_some() { State::Asked } else { State::Written };
        self.told = lost;
    }

    fn is_done(&self, _model: &Model) -> bool {
        self.state == State::Written
    }

    fn below(&mut self) -> Option<Box<dyn Popup>> {
        self.below.take()
    }

    fn is_typed(&self) -> bool {
        true
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        if let Some(list) = &self.below {
            list.draw(cx, screen, buf);
        }
        view::draw(self, cx, screen, buf)
    }
}
