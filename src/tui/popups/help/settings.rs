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
            format!("{theme} shows the next one, which stays; a file of your own is named by theme in config.toml"),
            "settings, configuration, colours, colors, dark, light, appearance",
        ),
    ]
}
