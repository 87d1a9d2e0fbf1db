//! File prompt for picks, a chart or rows; the extension sets the format.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::data::output::ending_of;
use crate::data::text::{count, grouped};
use crate::figure;
use crate::jobs::{Export, ExportContent, ListedRows};
use crate::session::ENDING;
use crate::session::place::is_default_location;
use crate::tui::action::Action;
use crate::tui::context::Context;
use crate::tui::keymap::Key;
use crate::tui::popup::{Answer, Popup};
use crate::tui::state::{Model, Refusal};
use crate::tui::ui::prompt::{KeyEffect, PromptLine};

/// Prompt for the file that an export writes.
pub struct ExportPrompt {
    content: Arc<ExportContent>,
    /// Description of the content.
    note: String,
    /// File extensions, without the dot, of the formats that the content can be written in.
    endings: Vec<&'static str>,
    /// Extension that applies if the entered name has none.
    ending: &'static str,
    file: PromptLine,
    /// The path entered last: entered again, it overwrites the file.
    last_entered: Option<PathBuf>,
}

impl ExportPrompt {
    /// Prompt for the picks of the figure's scope; `None`, with a message, if they show nothing.
    pub fn for_picks(model: &mut Model) -> Option<Self> {
        let picked = model.attempt(|model| model.picked_figure())?;
        let excluded = match picked.excluded.len() {
            0 => String::new(),
            count => format!(", {} excluded", grouped(count)),
        };
        let (scope, queries) = (model.figure.scope.label(), count(picked.queries.len(), "query"));
        let note = format!("{scope}: {queries}{excluded}");
        ExportPrompt::new(model, ExportContent::Queries(picked), "picks", note)
    }

    /// Prompt for a file named after `name`; `note` describes its content. `None`, with a message, while another file
    /// is written.
    pub fn new(
        model: &mut Model,
        content: ExportContent,
        name: &str,
        note: String,
    ) -> Option<Self> {
        if model.exporting.is_some() {
            model.message = Some("a file is being written".into());
            return None;
        }
        let endings: Vec<&str> = match &content {
            ExportContent::Rows(_) => ListedRows::endings().collect(),
            _ => figure::FORMATS.iter().map(|format| format.key).collect(),
        };
        // Papers use PDF.
        let ending = if endings.contains(&"pdf") { "pdf" } else { endings[0] };
        let session = model.session.path().filter(|path| !is_default_location(path));
        let path = path_beside(session, name, ending);
        let file = PromptLine::with_proposal(path.display().to_string());
        let content = Arc::new(content);
        Some(ExportPrompt { content, note, endings, ending, file, last_entered: None })
    }

    /// Starts the export to the entered path, or shows why it cannot.
    fn start_export(&mut self, model: &mut Model) {
        let path = PathBuf::from(self.file.text().trim());
        if model.exporting.is_some() || model.attempt(|_| self.check_name(&path)).is_none() {
            return;
        }
        model.export(Export {
            content: self.content.clone(),
            replaces: self.last_entered.as_ref() == Some(&path),
            path: path.clone(),
            ending: self.ending,
            session: model.session.path().map(Path::to_owned),
        });
        self.last_entered = model.exporting.is_some().then_some(path);
    }

    /// Checks that the path is not empty, and that its extension, if any, is known and not that of sessions.
    fn check_name(&self, path: &Path) -> Result<(), Refusal> {
        if path.as_os_str().is_empty() {
            return Err("a file needs a name".into());
        }
        if path.to_string_lossy().ends_with(ENDING) {
            return Err(format!("{ENDING} is for sessions"));
        }
        if path.extension().is_some() && !self.endings.contains(&&*ending_of(path)) {
            let known: Vec<String> = self.endings.iter().map(|key| format!(".{key}")).collect();
            return Err(format!(".{}: known are {}", ending_of(path), known.join(", ")));
        }
        Ok(())
    }
}

/// Path of a file in the folder of the session, or else the current one: its name begins with that of the session and
/// ends with `name` and the extension.
fn path_beside(session: Option<&Path>, name: &str, ending: &str) -> PathBuf {
    let session_name = session.and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    let stem = session_name.strip_suffix(ENDING).or_else(|| session_name.strip_suffix(".json"));
    let file = match stem.unwrap_or(&session_name) {
        "" => format!("{name}.{ending}"),
        stem => format!("{stem}-{name}.{ending}"),
    };
    session.map_or_else(|| PathBuf::from(&file), |path| path.with_file_name(&file))
}

impl Popup for ExportPrompt {
    fn opened_by(&self) -> Action {
        Action::Export
    }

    fn key(&mut self, key: Key, model: &mut Model) -> Answer {
        match self.file.key(key, &[]) {
            KeyEffect::Closed => return Answer::Close,
            KeyEffect::Entered => self.start_export(model),
            KeyEffect::Edited | KeyEffect::Ignored => {}
        }
        Answer::Stay
    }

    fn prompt(&mut self) -> Option<&mut PromptLine> {
        Some(&mut self.file)
    }

    /// Whether the file is written; if that failed, the prompt stays open.
    fn is_done(&self, model: &Model) -> bool {
        self.last_entered.is_some() && model.exporting.is_none() && model.lost_export.is_none()
    }

    fn draw(&self, cx: Context<'_>, _screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        let note = format!("{}  .{}", self.note, self.endings.join(" ."));
        let (note, footer) = ((&*note, cx.theme.dim), cx.ui.frame().footer);
        self.file.draw_over(" write to ", note, footer, cx.theme, buf)
    }
}
