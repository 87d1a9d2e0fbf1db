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
use crate::session::place::is_own;
use crate::tui::action::Action;
use crate::tui::context::Context;
use crate::tui::keymap::Key;
use crate::tui::popup::{Answer, Popup};
use crate::tui::state::{Model, Refusal};
use crate::tui::ui::prompt::{PromptLine, Typed};

/// Export prompt.
pub struct ExportPrompt {
    content: Arc<ExportContent>,
    /// Description of the content.
    note: String,
    /// Extensions of its formats.
    endings: Vec<&'static str>,
    /// Default extension.
    ending: &'static str,
    file: PromptLine,
    /// The name entered last: entered again, it overwrites the file.
    entered: Option<PathBuf>,
}

impl ExportPrompt {
    /// Prompt for the picks of the figure's scope; `None`, with a message, if they show nothing.
    pub fn of_picks(model: &mut Model) -> Option<Self> {
        let picked = model.attempt(|model| model.picked_figure())?;
        let left_out = match picked.left_out.len() {
            0 => String::new(),
            count => format!(", {} excluded", grouped(count)),
        };
        let (scope, queries) = (model.figure.scope.label(), count(picked.queries.len(), "query"));
        let note = format!("{scope}: {queries}{left_out}");
        ExportPrompt::new(model, ExportContent::Queries(picked), "picks", note)
    }

    /// Prompt for a file named after `name`; `note` describes its content. `None` while another file is written.
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
            _ => figure::FORMATS.iter().map(|one| one.key).collect(),
        };
        // Papers use PDF.
        let ending = if endings.contains(&"pdf") { "pdf" } else { endings[0] };
        let session = model.session.path().filter(|path| !is_own(path));
        let path = beside(session, name, ending);
        let file = PromptLine::proposing(path.display().to_string());
        let content = Arc::new(content);
        Some(ExportPrompt { content, note, endings, ending, file, entered: None })
    }

    /// Starts the export, or shows why it cannot.
    fn enter(&mut self, model: &mut Model) {
        let path = PathBuf::from(self.file.text().trim());
        if model.exporting.is_some() || model.attempt(|_| self.check_name(&path)).is_none() {
            return;
        }
        model.export(Export {
            content: self.content.clone(),
            replaces: self.entered.as_ref() == Some(&path),
            path: path.clone(),
            ending: self.ending,
            session: model.session.path().map(Path::to_owned),
        });
        self.entered = model.exporting.is_some().then_some(path);
    }

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

/// A path beside the session, or in the current folder.
fn beside(session: Option<&Path>, name: &str, ending: &str) -> PathBuf {
    let own = session.and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    let stem = own.strip_suffix(ENDING).or_else(|| own.strip_suffix(".json")).unwrap_or(&own);
    let file = match stem {
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
            Typed::Closed => return Answer::Close,
            Typed::Entered => self.enter(model),
            Typed::Edited | Typed::Ignored => {}
        }
        Answer::Stay
    }

    fn prompt(&mut self) -> Option<&mut PromptLine> {
        Some(&mut self.file)
    }

    /// If writing failed, the prompt stays open.
    fn is_done(&self, model: &Model) -> bool {
        self.entered.is_some() && model.exporting.is_none() && model.lost_export.is_none()
    }

    fn draw(&self, cx: Context<'_>, _screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        let note = format!("{}  .{}", self.note, self.endings.join(" ."));
        let (note, footer) = ((&*note, cx.theme.dim), cx.ui.frame().footer);
        self.file.draw_over(" write to ", note, footer, cx.theme, buf)
    }
}
