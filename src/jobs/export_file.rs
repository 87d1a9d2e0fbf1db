//! Figures, charts and rows written to files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Asks, ItemsKey, ItemsOrder, Job, ListedItems, Run, Wanted};
use crate::analysis::first_items::Which;
use crate::data::index::ModelIx;
use crate::data::output::write_whole;
use crate::error::{Error, Result};
use crate::figure::chart::{Chart, chart};
use crate::figure::localisation::BoxedFigure;
use crate::figure::{self, Figure, Format, HeightAdvice, Options, Scene};
use crate::filter::{self, Column, Filter, FilterMatches, Marks, MatchedQuery, Question};
use crate::rank::pass::CancelToken;
use crate::report::formats::{FileFormat, OF_ROWS};
use crate::report::items::{Found, Items, OfDirection};
use crate::study::Study;
use crate::truth::verdict::Verdicts;
use crate::tui::app::App;
use crate::tui::model::dirty::Dirty;

/// What is said of a figure that is higher than a page: what the screen of the picks can change.
const ADVICE: HeightAdvice = HeightAdvice {
    fewer: "fewer items",
    split: "a .pdf, which has pages, `of` this pick or its group, another layout or column, or `figure --pages`",
    narrow: "another layout or column, or `figure --width MM --max-height MM`",
};

/// What is to be written to a file.
#[derive(Debug)]
pub struct Export {
    /// What it shows.
    pub shows: Shows,
    /// The file as it is named; its ending tells the format.
    pub path: PathBuf,
    /// The ending of a name without any.
    pub ending: &'static str,
    /// What is done where a file has that name.
    pub if_exists: IfExists,
    /// The file of the session, which is never written over.
    pub session: Option<PathBuf>,
}

/// What is done where a file has the name of one that is to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IfExists {
    /// Nothing is written.
    Refuse,
    /// The new one takes its place.
    Replace,
    /// The new one gets a number.
    Number,
}

/// Why nothing is written.
#[derive(Debug)]
pub enum NotWritten {
    /// The file must not have this name.
    Refused(PathBuf, String),
    /// It cannot be written.
    Failed(Error),
}

/// What a file shows.
#[derive(Debug)]
pub enum Shows {
    /// Queries with the best items of each model.
    Queries(Picked),
    /// A chart.
    Chart(Box<Chart>),
    /// The rows of a list of items.
    Rows(Arc<ListedRows>),
    /// Pictures with boxes of phrases.
    Boxes(BoxedFigure),
}

/// The queries of a figure.
#[derive(Debug)]
pub struct Picked {
    /// The study that the queries are in.
    pub study: Arc<Study>,
    /// The queries.
    pub wanted: Vec<figure::Wanted>,
    /// Why others were left out: what they show is not in the study.
    pub left_out: Vec<Error>,
    /// What a person said of their pairs.
    pub verdicts: Verdicts,
    /// How they are drawn.
    pub options: Options,
    /// The height of a page, in millimetres: a format that has pages begins another one there, no other for paper
    /// is higher.
    pub page_height: f32,
}

/// A file that was written.
#[derive(Debug)]
pub struct Exported {
    /// The file.
    pub path: PathBuf,
    /// How many pages it has.
    pub pages: usize,
    /// What could not be shown as it is, a line each.
    pub warnings: Vec<String>,
}

/// Writes figures, charts and rows to files.
#[derive(Default)]
pub struct ExportFile;

impl Job for ExportFile {
    const NAME: &'static str = "exports";
    /// What is written over meanwhile is found before the file is there.
    const READS_SCORES: bool = false;
    const IS_LONG: bool = false;
    /// What is written is written.
    type Key = ();
    type Part = ();
    type Input = Arc<Export>;
    type Output = (Arc<Export>, std::result::Result<Exported, NotWritten>);

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        run.send((run.input.clone(), run.input.write()));
    }
}

impl Export {
    fn write(&self) -> std::result::Result<Exported, NotWritten> {
        let mut path = self.path.clone();
        if let Err(why) = self.name(&mut path) {
            return Err(NotWritten::Refused(path, why.into()));
        }
        match self.write_to(&path) {
            Ok((pages, warnings)) => Ok(Exported { path, pages, warnings }),
            Err(error) => Err(NotWritten::Failed(error)),
        }
    }

    /// Makes the name of the file whole, unless it must not be written.
    fn name(&self, path: &mut PathBuf) -> std::result::Result<(), &'static str> {
        if path.is_dir() || path.to_string_lossy().ends_with('/') {
            return Err("this is a folder");
        }
        if path.extension().is_none() {
            path.set_extension(self.ending);
        }
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if self.session.as_ref().is_some_and(|session| real(session) == real(path)) {
            return Err("names that end so are those of sessions");
        }
        match self.if_exists {
            IfExists::Refuse if path.exists() => Err("file exists: Enter again replaces it"),
            IfExists::Number => {
                *path = numbered(path);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Gives the number of pages, and what could not be shown as it is, a line each.
    fn write_to(&self, path: &Path) -> Result<(usize, Vec<String>)> {
        match &self.shows {
            Shows::Queries(picked) => picked.write(path, self.if_exists == IfExists::Replace),
            Shows::Chart(of) => Ok((1, figure::draw(&chart(of, &Options::default())?, path)?)),
            Shows::Rows(rows) => rows.write(path).map(|()| (1, Vec::new())),
            Shows::Boxes(figure) => {
                let (missing, mut warnings) = figure.clone().write(path)?;
                warnings.extend((missing > 0).then(|| format!("{missing} without picture")));
                Ok((1, warnings))
            }
        }
    }
}

/// The name, or the first with a number that no file has.
fn numbered(path: &Path) -> PathBuf {
    let [stem, ending] = [path.file_stem(), path.extension()]
        .map(|part| part.unwrap_or_default().to_string_lossy().into_owned());
    let others = (2..1000).map(|n| path.with_file_name(format!("{stem}-{n}.{ending}")));
    let mut names = std::iter::once(path.to_owned()).chain(others);
    names.find(|path| !path.exists()).unwrap_or_else(|| path.to_owned())
}

impl Picked {
    fn write(&self, path: &Path, replaces: bool) -> Result<(usize, Vec<String>)> {
        let format = figure::format_of(path)?;
        let mut figures = match format.pages {
            Some(_) => {
                figure::in_pages(&self.wanted, self.page_height, |some| self.figure(some, format))?
            }
            None => vec![self.figure(&self.wanted, format)?],
        };
        for figure in figures.iter_mut().filter(|_| format.is_paper) {
            figure.check_height(self.page_height, ADVICE)?;
        }
        Ok((figures.len(), figure::export(&figures, format, path, replaces)?))
    }

    fn figure(&self, wanted: &[figure::Wanted], format: &Format) -> Result<Figure> {
        let scene = Scene::of(&self.study, wanted, &self.verdicts)?;
        let figure = Figure::new(&self.study, scene, self.options.clone())?;
        Ok(figure.as_format(format))
    }
}

impl Asks for ExportFile {
    const MUST_FINISH: bool = true;

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let export = app.model.exporting.as_ref()?;
        Some(Wanted::one((), || export.clone()))
    }

    fn take(app: &mut App, (): (), (export, outcome): Self::Output) {
        match outcome {
            Ok(exported) => app.model.take_export(&export, Ok(exported)),
            Err(NotWritten::Failed(error)) => app.model.take_export(&export, Err(error)),
            Err(NotWritten::Refused(path, why)) => {
                let model = &mut app.model;
                (model.exporting, model.message) = (None, Some(why));
                model.refused_export = Some(path);
                model.dirty |= Dirty::POPUP;
            }
        }
    }

    fn fail(app: &mut App) {
        app.model.exporting = None;
        app.model.dirty |= Dirty::POPUP;
    }
}

/// The rows of a list of items, as they are listed.
#[derive(Debug)]
pub struct ListedRows {
    /// The study that they are of.
    pub study: Arc<Study>,
    /// Whose items they are, how deep and in which order.
    pub key: ItemsKey,
    /// All items that were found.
    pub items: Arc<ListedItems>,
    /// Which of them are listed.
    pub which: Which,
    /// The condition that their queries meet, whose values are columns; empty where there is none.
    pub condition: String,
    /// The number that their queries are sorted by, whose values are columns too.
    pub sort: Option<String>,
    /// What a person made.
    pub marks: Marks,
    /// Whether the verdicts are a column.
    pub has_verdicts: bool,
    /// The command that lists the same, but for its format; `None` where none does.
    pub command: Option<String>,
}

/// What is told of the queries of rows.
struct OfQueries {
    /// The queries in the order of the list; none where no column is of them.
    found: FilterMatches,
    columns: Vec<Column>,
    /// The models that the rows speak of.
    models: Vec<ModelIx>,
}

impl ListedRows {
    /// The endings of files that they are written to, each with what it is.
    pub fn formats() -> impl Iterator<Item = (&'static str, &'static str)> {
        OF_ROWS.iter().map(|format| (format.ending, format.doc))
    }

    /// How many they are.
    pub fn count(&self) -> usize {
        self.items.count(self.which)
    }

    /// The command that writes the same rows to a file of this format; `None` where none does.
    pub fn command_for(&self, file: &Path) -> Option<String> {
        let FileFormat { ending, format, .. } = FileFormat::of(file).ok()?;
        let command = self.command.as_ref()?;
        let word = format.key;
        Some(format!("{command} --format {word} > items.{ending}"))
    }

    /// Whether they stand in the order of that command: query by query, as sorted or as in the gallery.
    pub fn is_in_order_of_command(&self) -> bool {
        let is_sorted = self.sort.is_some() || self.key.queries.is_sorted();
        self.key.order == ItemsOrder::Queries && is_sorted
    }

    /// Writes them to a file, which appears whole or not at all.
    pub(super) fn write(&self, file: &Path) -> Result<()> {
        let format = FileFormat::of(file)?.format;
        // Captions are those that the model was given.
        let with_texts = self.study.with_texts_of(self.key.view.model);
        let study = with_texts.as_ref().unwrap_or(&self.study);
        let asked = self.asked(study)?;
        let items = self.items(study, &asked);
        let report = items.report().among(study, study.pool, &asked.models);
        write_whole(file, |out| (format.write)(report, out))
    }

    fn items<'a>(&'a self, study: &'a Study, asked: &'a OfQueries) -> Items<'a> {
        let view = self.key.view;
        Items {
            study,
            condition: &self.condition,
            model: &study.models[view.model].name,
            truth: &study.truths[view.truth].name,
            which: self.which,
            depth: self.key.depth as u32,
            columns: asked.columns.iter().map(|one| one.text.as_str()).collect(),
            verdicts: self.has_verdicts.then_some(&self.marks.verdicts),
            directions: vec![OfDirection {
                direction: view.direction,
                found: &asked.found,
                drawn: None,
                items: Found::listed(self.items.all(self.which)),
            }],
        }
    }

    /// Asks what the columns of the condition and of the order are.
    fn asked(&self, study: &Study) -> Result<OfQueries> {
        let view = self.key.view;
        let condition = match &*self.condition {
            "" => filter::ALL,
            condition => condition,
        };
        let filter = Filter::parse(condition, study, view).ok();
        let named =
            filter.as_ref().map_or([None; 2], |_| [Some(&*self.condition), self.sort.as_deref()]);
        let columns = Column::each_once((named, true), [], (study, view));
        let models = filter.as_ref().map(Filter::models);
        let found = match &filter {
            Some(filter) if !columns.is_empty() => self.values(study, filter, &columns)?,
            _ => FilterMatches {
                queries: Vec::new(),
                met: self.key.queries.len(),
                of: self.key.queries.len(),
                unknown: 0,
            },
        };
        Ok(OfQueries { found, columns, models: models.unwrap_or_else(|| vec![view.model]) })
    }

    /// The values of all queries, in the order in which these are listed.
    fn values(&self, study: &Study, filter: &Filter, columns: &[Column]) -> Result<FilterMatches> {
        let question =
            Question { filter, key: None, columns, limit: usize::MAX, marks: &self.marks };
        let found = filter::find(study, self.key.view, question, &CancelToken::default())?;
        let of_query = found.queries.into_iter().map(|one| (one.query, one));
        let mut by_query: FxHashMap<u32, MatchedQuery> = of_query.collect();
        let queries = self.key.queries.iter().map(|query| by_query.remove(query));
        let queries: Option<Vec<MatchedQuery>> = queries.collect();
        let changed = || {
            Error::new("items", "queries that do not meet the condition any more")
                .mend("open the list again")
        };
        Ok(FilterMatches { queries: queries.ok_or_else(changed)?, ..found })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_a_file_has_gets_a_number() {
        let folder = tempfile::tempdir().unwrap();
        let first = folder.path().join("lsa-picks.pdf");
        assert_eq!(numbered(&first), first);
        std::fs::write(&first, "").unwrap();
        assert_eq!(numbered(&first), folder.path().join("lsa-picks-2.pdf"));
        let svg = folder.path().join("lsa-picks.svg");
        assert_eq!(numbered(&svg), svg);
    }
}
