//! What is set once, and for one start of the program.

use crate::tui::action::Action;
use crate::tui::popups::entries::Entry;
use crate::tui::popups::sheet::Tone;
use crate::tui::ui::Ui;

/// Files and options of settings.
pub(super) fn entries(ui: &Ui) -> Vec<Entry> {
    let theme = ui.keymap.hint(Action::Theme);
    let row = |sign: &str, words: String, also: &str| {
        let entry = Entry::new(Tone::Key, sign, words);
        let also = also.to_owned();
        Entry { also, ..entry }
    };
    let filter = ui.keymap.hint(Action::Filter);
    vec![
        row(
            "config.toml",
            "settings, in $XDG_CONFIG_HOME/itm-explore/ (else ~/.config/itm-explore/): annotator, theme, keys, truth, \
             direction, pictures, mouse, header, reload, judge, [filters]"
                .into(),
            "configuration, configure, options, preferences, setup, customise, customize",
        ),
        row(
            "--help",
            "options of one start, which go before settings: itm-explore --help; --theme NAME or FILE, --annotator NAME, \
             --truth, --direction, --model, --watch among them"
                .into(),
            "settings, configuration, flags, command line, arguments, switches",
        ),
        row(
            "themes",
            format!("{theme} shows the next one, which stays unless config.toml names one; a file of your own is named there"),
            "settings, configuration, colours, colors, dark, light, appearance",
        ),
        row(
            "saved filters",
            format!("{filter}, then Ctrl-s, keeps the condition that is typed under a name; @NAME is that condition"),
            "save a filter, named conditions",
        ),
        row(
            "--recent",
            "lists the studies that were open last; --recent 2 opens the second again".into(),
            "recent studies, last study, reopen",
        ),
        row(
            "--watch",
            "reads files again that change, as a training writes them".into(),
            "reload, live, follow a training, checkpoint",
        ),
        row(
            "mouse",
            "a click selects, sorts by a heading, and does what a word of the header or a hint of the footer says; the wheel \
             scrolls"
                .into(),
            "click, wheel, scroll",
        ),
        row(
            "completions",
            "itm-explore completions bash, zsh or fish prints what the shell needs; itm-explore man a manual page".into(),
            "completion, tab, shell, manual",
        ),
    ]
}
