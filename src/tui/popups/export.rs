//! The name of a file for picks, a chart or rows, whose ending is the format.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::data::output::ending_of;
use crate::data::text::{count, grouped};
use crate::figure::chart::Chart;
use crate::figure::{self, page_height};
use crate::jobs::{Export, ListedRows, Picked, Shows};
use crate::session::ENDING;
use crate::session::place::is_own;
use crate::tui::action::Action;
use crate::tui::context::Context;
use crate::tui::keymap::Key;
use crate::tui::popup::{Answer, Popup};
use crate::tui::state::Model;
use crate::tui::ui::prompt::{PromptLine, Typed};

/// What is written.
enum Content {
    /// The picks of the figure's scope.
    Picks,
    /// A chart, and its word in the name of the file.
    Chart(Box<Chart>, &'static str),
    /// The rows of a list, with their description.
    Rows(Arc<ListedRows>, String),
}

/// The line over the footer.
pub struct ExportPrompt {
    content: Content,
    /// Endings of the formats that hold the content.
    endings: Vec<&'static str>,
    /// That of a name without any.
    ending: &'static str,
    file: PromptLine,
    /// The file that the next Enter replaces.
    replaced: Option<PathBuf>,
    is_writing: bool,
}

impl ExportPrompt {
    /// The prompt for picks; `None` without any, which is then said.
    pub fn open(model: &mut Model) -> Option<Self> {
        if model.session.picks().is_empty() {
            model.message = Some("no query is picked".into());
            return None;
        }
        ExportPrompt::new(model, Content::Picks)
    }

    /// The prompt for a chart, whose file is named after a word; `None` while another file is written.
    pub fn of_chart(model: &mut Model, word: &'static str, chart: Chart) -> Option<Self> {
        ExportPrompt::new(model, Content::Chart(Box::new(chart), word))
    }

    /// The prompt for rows, with their description.
    pub fn of_rows(model: &mut Model, rows: ListedRows, words: String) -> Option<Self> {
        ExportPrompt::new(model, Content::Rows(Arc::new(rows), words))
    }

    fn new(model: &mut Model, content: Content) -> Option<Self> {
        if model.exporting.is_some() {
            model.message = Some("a file is being written".into());
            return None;
        }
        let (word, endings): (_, Vec<&str>) = match &content {
            Content::Rows(..) => ("items", ListedRows::endings().collect()),
            Content::Picks => ("picks", figure_endings()),
            Content::Chart(_, word) => (*word, figure_endings()),
        };
        // Papers take PDF.
        let ending = if endings.contains(&"pdf") { "pdf" } else { endings[0] };
        let session = model.session.path().filter(|path| !is_own(path));
        let path = beside(session, word, ending);
        let file = PromptLine::proposing(path.display().to_string());
        Some(ExportPrompt { content, endings, ending, file, replaced: None, is_writing: false })
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
        if path.extension().is_some() && !self.endings.contains(&&*ending_of(&path)) {
            let known: Vec<String> = self.endings.iter().map(|key| format!(".{key}")).collect();
            return Err(format!(".{}: known are {}", ending_of(&path), known.join(", ")));
        }
        Ok(Export {
            shows: self.shows(model)?,
            replaces: self.replaced.as_ref() == Some(&path),
            path,
            ending: self.ending,
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

fn figure_endings() -> Vec<&'static str> {
    figure::FORMATS.iter().map(|one| one.key).collect()
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

impl Popup for ExportPrompt {
    fn opened_by(&self) -> Action {
        Action::Export
    }

    fn key(&mut self, key: Key, model: &mut Model) -> Answer {
        match self.file.key(key, &[]) {
            Typed::Closed => return Answer::Close,
            Typed::Entered => self.enter(model),
            Typed::Edited | Typed::Ignored => {}
        }
        Answer::Stay
    }

    fn prompt(&mut self) -> Option<&mut PromptLine> {
        Some(&mut self.file)
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

    /// Where writing failed, the prompt stays open.
    fn is_done(&self, model: &Model) -> bool {
        self.is_writing && model.exporting.is_none() && model.lost_export.is_none()
    }

    fn draw(&self, cx: Context<'_>, _screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        let note = format!("{}  .{}", self.words(cx.model), self.endings.join(" ."));
        let (note, footer) = ((&*note, cx.theme.dim), cx.ui.frame().footer);
        self.file.draw_over(" write to ", note, footer, cx.theme, buf)
    }
}
