//! A caption with its phrases in the colours of their chains.

use ratatui::style::{Modifier, Style};
use ratatui::text::Span;

use crate::phrase::{Chain, Phrases, Runs};
use crate::tui::theme::Theme;

/// Lines of a caption, one after the other.
pub struct Phrased<'a> {
    runs: Option<Runs<'a>>,
    theme: &'a Theme,
    /// The chain that stands out.
    chosen: Option<Chain>,
    look: Style,
}

impl<'a> Phrased<'a> {
    /// Of a caption by its gallery index, with the look of what is no phrase; before it stands a prefix,
    /// nothing if it is empty. Without annotation all has that look.
    pub fn new(
        phrases: Option<&'a Phrases>,
        (caption, prefix): (Option<usize>, &str),
        (theme, chosen): (&'a Theme, Option<Chain>),
        look: Style,
    ) -> Self {
        let known = phrases.zip(caption);
        let known = known.and_then(|(phrases, caption)| phrases.caption(caption));
        Phrased {
            runs: known.map(|caption| caption.runs(prefix)),
            theme,
            chosen,
            look,
        }
    }

    /// The next line.
    pub fn line(&mut self, line: &str) -> Vec<Span<'static>> {
        let Some(runs) = &mut self.runs else {
            return vec![Span::styled(line.to_owned(), self.look)];
        };
        let runs = runs.line(line).into_iter();
        let styled = runs.map(|run| {
            let style = run
                .chain
                .map_or(self.look, |of| phrase(self.theme, of, self.chosen));
            Span::styled(run.text, style)
        });
        styled.collect()
    }
}

/// The style of a phrase of a chain, by its place among those of the image.
pub fn phrase(theme: &Theme, (chain, place): (Chain, usize), chosen: Option<Chain>) -> Style {
    let style = theme.phrase(place);
    if chosen == Some(chain) {
        return style.add_modifier(Modifier::REVERSED);
    }
    style
}
