//! What is written to files: by keys, by itself, and by the command line.

use super::{Entry, Row};
use crate::figure;
use crate::jobs::ListedRows;
use crate::tui::action::Action;
use crate::tui::popups::sheet::Tone;
use crate::tui::ui::Ui;

/// What is written, under its heading.
pub(super) fn rows(ui: &Ui) -> Vec<Row> {
    let keys = [Action::Export, Action::Picks, Action::Metrics, Action::Items];
    let [export, picks, metrics, items] = keys.map(|of| ui.keymap.hint(of));
    let figures: Vec<&str> = figure::FORMATS.iter().map(|format| format.key).collect();
    let rows: Vec<&str> = ListedRows::formats().map(|(key, _)| key).collect();
    let row = |sign: &str, words: String, also: &str| {
        let entry = Entry::new(Tone::Key, sign, words);
        let also = also.to_owned();
        Row::Entry(Entry { also, ..entry })
    };
    vec![
        Row::Heading("files".into()),
        row(
            &export,
            format!(
                "on screen {picks} the figure of picks, on screen {metrics} the chart, as {}; in the list of items ({items}) \
                 its rows, as {}",
                figures.join(", "),
                rows.join(", ")
            ),
            "export, save, write, screenshot, picture of the screen, image, LaTeX, Markdown, paper, table, spreadsheet, pandas",
        ),
        row(
            "--format",
            "numbers as csv, json, markdown, latex, html and others, after itm-explore eval, compare, errors or find and \
             the files: --help names all"
                .into(),
            "export, save, write, print, table, spreadsheet, Excel, pandas, LaTeX, paper",
        ),
        row(
            "saved by itself",
            "the session: verdicts, picks, notes and the view, one NAME.itm.json for each gallery and annotator, which is \
             named when you leave; only where it cannot be written you are asked"
                .into(),
            "save, write, export, autosave, store, backup, where",
        ),
        row(
            "truth mine",
            "a ground truth with your verdicts (such as eccv+mine), or your verdicts alone, as json, qrels or a bundle: \
             itm-explore truth mine NAME.itm.json FILES -o FOLDER"
                .into(),
            "export answers, export verdicts, export labels, export annotations, save, write, my ground truth, json, qrels",
        ),
        row(
            "truth merge",
            "what several annotators say as one, with agreement and kappa: itm-explore truth merge --help".into(),
            "agreement, kappa, annotators, consensus, inter-annotator, other annotator",
        ),
    ]
}
