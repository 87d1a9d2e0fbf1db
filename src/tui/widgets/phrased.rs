//! A caption with its phrases in the colours of their chains.

use ratatui::style::{Modifier, Style};
use ratatui::text::Span;

use crate::phrase::{Chain, Phrases, Run, Runs};
use crate::tui::theme::Theme;

/// A caption that is to be drawn.
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
        Phrased { runs: known.map(|caption| caption.runs(prefix)), theme, chosen, look }
    }

    /// It in one line.
    pub fn line(self, line: &str) -> Vec<Span<'static>> {
        self.lines(&[line.to_owned()]).concat()
    }

    /// It in lines.
    pub fn lines(self, lines: &[String]) -> Vec<Vec<Span<'static>>> {
        let Some(mut runs) = self.runs else {
            let plain = |line: &String| vec![Span::styled(line.clone(), self.look)];
            return lines.iter().map(plain).collect();
        };
        let span = |run: Run| {
            let style = run.chain.map_or(self.look, |of| phrase(self.theme, of, self.chosen));
            Span::styled(run.text, style)
        };
        let line = |line: &String| runs.line(line).into_iter().map(span).collect();
        lines.iter().map(line).collect()
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
