//! What the help tells beside the actions: files, settings, metrics, and what the signs on the screens mean.

use super::{Entry, Section};
use crate::engine::ListedRows;
use crate::figure;
use crate::metric::METRICS;
use crate::metric::rsum::Sum;
use crate::truth::response::Response;
use crate::truth::standing::{Badge, Standing};
use crate::truth::verdict::Verdict;
use crate::tui::action::Action;
use crate::tui::signs;
use crate::tui::ui::Ui;

/// All of it under headings.
pub(super) fn sections(ui: &Ui) -> Vec<Section> {
    let badges = Badge::ALL.map(|badge| {
        let sign = format!("{} {}", signs::badge(badge), badge.words());
        Entry { badge: Some(badge), ..Entry::new(sign, signs::meaning(badge), "") }
    });
    let sections = [
        ("files", files(ui)),
        ("settings", settings(ui)),
        ("metrics", metrics(ui)),
        ("signs of a retrieved item, over all ground truths", badges.into()),
        (
            "marks in the column of one ground truth",
            told([
                (signs::standing(Standing::Positive), "listed as positive"),
                (signs::standing(Standing::NotRelevant), "judged not relevant: somebody said no"),
                (
                    signs::standing(Standing::NotListed),
                    "the query is judged, the item not listed: nobody said no",
                ),
                (
                    signs::standing(Standing::NotJudged),
                    "the ground truth does not judge this query",
                ),
            ]),
        ),
        (
            "beside an item under several models",
            told([
                (
                    "▲3 ▼12 ▼2k =",
                    "its rank against the first model: higher, lower (2k: some 2,000), the same",
                ),
                ("new", "the first model does not rank it"),
                (signs::ONLY, "among the first 10 of this model alone"),
            ]),
        ),
        ("your verdicts, beside the sign of the item", verdicts()),
        (
            "beside a line",
            told([
                (signs::MARKED, "marked: Space and verdicts are about all that are marked"),
                ("▎", "among the first R items of a ranking, which AP@R and R-Precision look at"),
                ("▸", "the ground truth looked at"),
                ("★", "picked"),
                (signs::NOTE, "a note"),
            ]),
        ),
        (
            "in the header",
            told([(
                "▁▄█",
                "beside a number: how it went over the last steps, from its least to its greatest value; begins anew \
                 with another model, direction, ground truth, pool or filter. The history has all steps",
            )]),
        ),
        (
            "in the list of queries",
            told([(
                signs::UNKNOWN,
                "top-1 is no positive; whether somebody judged it not relevant is not known yet",
            )]),
        ),
        (
            "the mouse",
            told([
                ("click on a heading", "sorts by the column, again the other way round"),
                (
                    "click on a header word",
                    "model, direction, ground truth, pool, number of queries: as their key does",
                ),
                ("click on a hint", "in the last line: as its key does"),
                ("click on a line", "selects it; the wheel scrolls"),
                ("drag", "alpha of a mixture, in the header"),
            ]),
        ),
        (
            "the search",
            told([(
                "'",
                "before a text asks for it as it stands; without, whole words are found first, then parts of words, \
                 then all words in any place; where no text has any of that, texts spelt alike: with the letters in \
                 this order",
            )]),
        ),
    ];
    sections.map(|(heading, entries)| (heading.to_owned(), entries)).into()
}

fn told<const N: usize>(rows: [(&str, &str); N]) -> Vec<Entry> {
    rows.map(|(sign, words)| Entry::new(sign, words, "")).into()
}

/// What is written to files: by keys, by itself, and by the command line.
fn files(ui: &Ui) -> Vec<Entry> {
    let keys = [Action::Export, Action::Picks, Action::Metrics, Action::Items];
    let [export, picks, metrics, items] = keys.map(|of| ui.keymap.hint(of));
    let figures: Vec<&str> = figure::FORMATS.iter().map(|format| format.key).collect();
    let rows: Vec<&str> = ListedRows::formats().map(|(key, _)| key).collect();
    let (figures, rows) = (figures.join(", "), rows.join(", "));
    vec![
        Entry::new(
            export,
            format!(
                "on screen {picks} the figure of picks, on screen {metrics} the chart, as {figures}; in the list of \
                 items ({items}) its rows, as {rows}"
            ),
            "export, save, write, screenshot, picture of the screen, image, LaTeX, Markdown, paper, table, spreadsheet, pandas",
        ),
        Entry::new(
            "--format",
            "numbers as csv, json, markdown, latex, html and others, after itm-explore eval, compare, errors or find and \
             the files: --help names all",
            "export, save, write, print, table, spreadsheet, Excel, pandas, LaTeX, paper",
        ),
        Entry::new(
            "saved by itself",
            "the session: verdicts, picks, notes and the view, one NAME.itm.json for each gallery and annotator, which is \
             named when you leave; only where it cannot be written you are asked",
            "save, write, export, autosave, store, backup, where",
        ),
        Entry::new(
            "truth mine",
            "a ground truth with your verdicts (such as eccv+mine), or your verdicts alone, as json, qrels or a bundle: \
             itm-explore truth mine NAME.itm.json FILES -o FOLDER",
            "export answers, export verdicts, export labels, export annotations, save, write, my ground truth, json, qrels",
        ),
        Entry::new(
            "truth merge",
            "what several annotators say as one, with agreement and kappa: itm-explore truth merge --help",
            "agreement, kappa, annotators, consensus, inter-annotator, other annotator",
        ),
    ]
}

/// What is set once, and for one start of the program.
fn settings(ui: &Ui) -> Vec<Entry> {
    let [theme, filter] = [Action::Theme, Action::Filter].map(|of| ui.keymap.hint(of));
    vec![
        Entry::new(
            "config.toml",
            "settings, in $XDG_CONFIG_HOME/itm-explore/ (else ~/.config/itm-explore/): annotator, theme, keys, truth, \
             direction, pictures, mouse, header, reload, judge, [filters]",
            "configuration, configure, options, preferences, setup, customise, customize",
        ),
        Entry::new(
            "--help",
            "options of one start, which go before settings: itm-explore --help; --theme NAME or FILE, --annotator NAME, \
             --truth, --direction, --model, --watch among them",
            "settings, configuration, flags, command line, arguments, switches",
        ),
        Entry::new(
            "themes",
            format!(
                "{theme} shows the next one, which stays unless config.toml names one; a file of your own is named there"
            ),
            "settings, configuration, colours, colors, dark, light, appearance",
        ),
        Entry::new(
            "saved filters",
            format!(
                "{filter}, then Ctrl-s, keeps the condition that is typed under a name; @NAME is that condition"
            ),
            "save a filter, named conditions",
        ),
        Entry::new(
            "--recent",
            "lists the studies that were open last; --recent 2 opens the second again",
            "recent studies, last study, reopen",
        ),
        Entry::new(
            "--watch",
            "reads files again that change, as a training writes them",
            "reload, live, follow a training, checkpoint",
        ),
        Entry::new(
            "mouse",
            "a click selects, sorts by a heading, and does what a word of the header or a hint of the footer says; the wheel \
             scrolls",
            "click, wheel, scroll",
        ),
        Entry::new(
            "completions",
            "itm-explore completions bash, zsh or fish prints what the shell needs; itm-explore man a manual page",
            "completion, tab, shell, manual",
        ),
    ]
}

/// Every metric, and the keys that show and define it.
fn metrics(ui: &Ui) -> Vec<Entry> {
    let [shows, defines] = [Action::Metrics, Action::Define].map(|of| ui.keymap.hint(of));
    let told = |title: &str, key: &str| {
        Entry::new(title, format!("{key}: {shows} shows it, {defines} there defines it"), "")
    };
    let metrics = METRICS
        .iter()
        .map(|&metric| Entry { metric: Some(metric), ..told(&metric.title(), metric.key()) });
    metrics.chain(Sum::ALL.map(|sum| told(sum.title(), sum.key()))).collect()
}

fn verdicts() -> Vec<Entry> {
    let verdicts = Verdict::ALL.map(|verdict| {
        let sign = format!("{} {}", signs::verdict(verdict), verdict.key());
        let counts = match verdict {
            Verdict::Partial => "counts as positive in every ground truth, as half in nDCG",
            _ if verdict.is_positive() => "counts as positive in every ground truth",
            _ => "counts as not relevant in every ground truth",
        };
        Entry::new(sign, counts, "")
    });
    let sign = format!("{} {}", signs::response(Response::CantTell), Response::CantTell);
    let cant_tell = Entry::new(sign, "counts as nothing, and is not asked again", "");
    verdicts.into_iter().chain([cant_tell]).collect()
}
