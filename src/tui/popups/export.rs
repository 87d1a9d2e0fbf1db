//! The form for a file of picks, a chart or rows.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::data::output::ending_of;
use crate::data::text::{count, grouped};
use crate::figure::chart::Chart;
use crate::figure::{self, page_height};
use crate::jobs::{Export, IfExists, ListedRows, Picked, Shows};
use crate::session::ENDING;
use crate::session::place::is_own;
use crate::tui::action::Action;
use crate::tui::context::{Context, Ui};
use crate::tui::keymap::{Code, Key};
use crate::tui::popup::{Answer, Popup};
use crate::tui::state::Model;
use crate::tui::ui::hits::Target;
use crate::tui::ui::prompt::{PromptLine, Typed};
use crate::tui::ui::{pane, text};

/// Columns of the names of the fields.
const LABEL: usize = 9;

/// What is written.
enum Content {
    /// The picks of the figure's scope.
    Picks,
    /// A chart, and its word in the name of the file.
    Chart(Box<Chart>, &'static str),
    /// The rows of a list, with their description.
    Rows(Arc<ListedRows>, String),
}

/// The fields of the form, from top to bottom: what is written, the format, the file.
const FIELDS: [&str; 3] = [" of", " format", " file"];
const FORMAT: usize = 1;
const FILE: usize = 2;

/// The form as it is filled in.
pub struct ExportForm {
    content: Content,
    /// The field that keys go to.
    field: usize,
    /// Endings of the formats that hold the content, each with a description.
    formats: Vec<(&'static str, &'static str)>,
    /// Place of the chosen one.
    format: usize,
    file: PromptLine,
    /// The file that the next Enter replaces.
    replaced: Option<PathBuf>,
    is_writing: bool,
}

impl ExportForm {
    /// The form for picks; `None` without any, which is then said.
    pub fn open(model: &mut Model) -> Option<Self> {
        if model.session.picks().is_empty() {
            model.message = Some("no query is picked".into());
            return None;
        }
        ExportForm::new(model, Content::Picks)
    }

    /// The form for a chart, whose file is named after a word; `None` while another file is written.
    pub fn of_chart(model: &mut Model, word: &'static str, chart: Chart) -> Option<Self> {
        ExportForm::new(model, Content::Chart(Box::new(chart), word))
    }

    /// The form for rows, with their description.
    pub fn of_rows(model: &mut Model, rows: ListedRows, words: String) -> Option<Self> {
        ExportForm::new(model, Content::Rows(Arc::new(rows), words))
    }

    fn new(model: &mut Model, content: Content) -> Option<Self> {
        if model.exporting.is_some() {
            model.message = Some("a file is being written".into());
            return None;
        }
        let figures = figure::FORMATS.iter();
        let formats: Vec<(&str, &str)> = match content {
            Content::Rows(..) => ListedRows::formats().collect(),
            _ => figures.map(|one| (one.key, one.doc)).collect(),
        };
        // Papers take PDF.
        let format = formats.iter().position(|(key, _)| *key == "pdf").unwrap_or(0);
        let mut form = ExportForm {
            content,
            field: FILE,
            formats,
            format,
            file: PromptLine::proposing(String::new()),
            replaced: None,
            is_writing: false,
        };
        form.rename(model);
        Some(form)
    }

    fn format_of(&self, file: &Path) -> Option<usize> {
        self.formats.iter().position(|(key, _)| *key == ending_of(file))
    }

    /// Gives the file the ending of the format; while no name was typed, one beside the session.
    fn rename(&mut self, model: &Model) {
        let (key, _) = self.formats[self.format];
        if !self.file.is_proposed() {
            let path = Path::new(self.file.text()).with_extension(key);
            self.file = PromptLine::new(path.display().to_string());
            return;
        }
        let word = match self.content {
            Content::Picks => "picks",
            Content::Chart(_, word) => word,
            Content::Rows(..) => "items",
        };
        let session = model.session.path().filter(|path| !is_own(path));
        let path = beside(session, word, key);
        self.file = PromptLine::proposing(path.display().to_string());
    }

    /// Goes from the format to the file, or back.
    fn step_field(&mut self) {
        self.field = if self.field == FILE { FORMAT } else { FILE };
    }

    /// Chooses the next format, or the previous one.
    fn choose(&mut self, by: isize, model: &Model) {
        let count = self.formats.len() as isize;
        self.format = (self.format as isize + by).rem_euclid(count) as usize;
        self.rename(model);
    }

    /// Has the file written, or says why it cannot be.
    fn enter(&mut self, model: &mut Model) {
        if model.exporting.is_some() {
            return;
        }
        if let Some(export) = model.attempt(|model| self.export(model)) {
            model.export(export);
            self.is_writing = model.exporting.is_some();
        }
    }

    fn export(&self, model: &Model) -> Result<Export, String> {
        let path = PathBuf::from(self.file.text().trim());
        if path.as_os_str().is_empty() {
            return Err("a file needs a name".into());
        }
        if path.to_string_lossy().ends_with(ENDING) {
            return Err(format!("{ENDING} is for sessions"));
        }
        if path.extension().is_some() && self.format_of(&path).is_none() {
            let known: Vec<String> =
                self.formats.iter().map(|(key, _)| format!(".{key}")).collect();
            return Err(format!(".{}: known are {}", ending_of(&path), known.join(", ")));
        }
        let if_exists = match &self.replaced {
            Some(replaced) if *replaced == path => IfExists::Replace,
            _ if self.file.is_proposed() => IfExists::Number,
            _ => IfExists::Refuse,
        };
        Ok(Export {
            shows: self.shows(model)?,
            path,
            ending: self.formats[self.format].0,
            if_exists,
            session: model.session.path().map(Path::to_owned),
        })
    }

    fn shows(&self, model: &Model) -> Result<Shows, String> {
        match &self.content {
            Content::Picks => {}
            Content::Chart(chart, _) => return Ok(Shows::Chart(chart.clone())),
            Content::Rows(rows, _) => return Ok(Shows::Rows(rows.clone())),
        }
        let (wanted, left_out) = model.drawable(model.figure.scope);
        if let Some(error) = left_out.first().filter(|_| wanted.is_empty()) {
            return Err(error.found().to_owned());
        }
        Ok(Shows::Queries(Picked {
            study: model.study.clone(),
            wanted,
            left_out,
            verdicts: model.judgements.verdicts.clone(),
            options: model.figure.options(),
            page_height: page_height(model.figure.columns),
        }))
    }

    /// The content in words.
    fn words(&self, model: &Model) -> String {
        let scope = match &self.content {
            Content::Chart(chart, _) => return chart.title.clone(),
            Content::Rows(_, words) => return words.clone(),
            Content::Picks => model.figure.scope,
        };
        let (wanted, left_out) = model.drawable(scope);
        let left_out = match left_out.len() {
            0 => String::new(),
            count => format!(", {} left out", grouped(count)),
        };
        format!("{}: {}{left_out}", scope.words(), count(wanted.len(), "query"))
    }
}

/// A name beside the session, or in the current folder without one.
fn beside(session: Option<&Path>, word: &str, key: &str) -> PathBuf {
    let name = session.and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    let stem = name.strip_suffix(ENDING).or_else(|| name.strip_suffix(".json")).unwrap_or(&name);
    let file = match stem {
        "" => format!("{word}.{key}"),
        stem => format!("{stem}-{word}.{key}"),
    };
    session.map_or_else(|| PathBuf::from(&file), |path| path.with_file_name(&file))
}

impl Popup for ExportForm {
    fn opened_by(&self) -> Action {
        Action::Export
    }

    fn key(&mut self, key: Key, model: &mut Model) -> Answer {
        let chooses = self.field != FILE;
        match key.code {
            Code::Named("Tab" | "Down" | "BackTab" | "Up") => self.step_field(),
            Code::Named("Left") if chooses => self.choose(-1, model),
            Code::Named("Right") | Code::Char(' ') if chooses => self.choose(1, model),
            // Whatever is typed is the name of the file, on every field.
            _ => match self.file.key(key, &[]) {
                Typed::Closed => return Answer::Close,
                Typed::Entered => self.enter(model),
                Typed::Edited => self.edited(model),
                Typed::Ignored => {}
            },
        }
        Answer::Stay
    }

    fn prompt(&mut self) -> Option<&mut PromptLine> {
        Some(&mut self.file)
    }

    /// The ending of the name chooses the format.
    fn edited(&mut self, _model: &Model) {
        self.field = FILE;
        let format = self.format_of(Path::new(self.file.text().trim()));
        self.format = format.unwrap_or(self.format);
    }

    /// A click on the format or the file goes there.
    fn point(&mut self, target: Target, _model: &mut Model, _ui: &Ui) {
        if let Target::Row(_, field @ (FORMAT | FILE)) = target {
            self.field = field;
        }
    }

    /// Takes a refusal, after which Enter replaces the file.
    fn refresh(&mut self, model: &Model) {
        if self.is_writing
            && model.exporting.is_none()
            && let Some(path) = &model.refused_export
        {
            self.file = PromptLine::new(path.display().to_string());
            (self.is_writing, self.replaced) = (false, Some(path.clone()));
        }
    }

    /// Where writing failed, the form stays open.
    fn is_done(&self, model: &Model) -> bool {
        self.is_writing && model.exporting.is_none() && model.lost_export.is_none()
    }

    fn typed_keys(&self) -> &'static [(&'static str, &'static str)] {
        &[("Enter", "write"), ("Tab", "next line"), ("←→", "choose")]
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        let size = (screen.width.saturating_sub(4).min(90), FIELDS.len() as u16 + 2);
        let inner = pane::popup("export", "", size, cx.ui, screen, buf);
        let (key, doc) = self.formats[self.format];
        let values = [self.words(cx.model), format!("‹ {key}: {doc} ›"), String::new()];
        let mut cursor = None;
        for (field, y) in (0..FIELDS.len()).zip(inner.top()..inner.bottom()) {
            let row = Rect { y, height: 1, ..inner };
            cx.ui.hit(row, Target::Row("export", field));
            let label = text::pad(FIELDS[field], LABEL);
            if field == FILE {
                cursor = self.file.draw(&label, ("", cx.theme.dim), row, cx.theme, buf);
                continue;
            }
            let room = usize::from(row.width).saturating_sub(LABEL + 1);
            let value = text::fit(&values[field], room);
            let line = Line::from_iter([Span::styled(label, cx.theme.key), Span::raw(value)]);
            pane::lines(&[line], 0, row, buf);
            if field == self.field {
                pane::mark(true, cx.theme, row, buf);
            }
        }
        cursor.filter(|_| self.field == FILE)
    }
}
