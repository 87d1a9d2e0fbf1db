//! Blocks onto the terminal: colours, and pictures between the lines.

use std::io::{Write as _, stdout};

use super::text::{Block, INDENT, Tone};
use crate::cli::explore::colours;
use crate::cli::say;
use crate::error::Result;
use crate::picture::{Limits, load, shrunk};
use crate::study::Study;
use crate::truth::standing::Badge;
use crate::tui::event::terminal::{self, Colours};
use crate::tui::pictures::{ImageMode, Way};

/// What the terminal is given.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    coloured: bool,
    pictures: Option<Way>,
}

/// Columns and rows of a picture.
const COLUMNS: u16 = 36;
const ROWS: u16 = 13;
/// Pixels that are enough for these.
const PIXELS: (u32, u32) = (800, 600);

impl Style {
    /// Text alone.
    pub(super) const PLAIN: Style = Style { coloured: false, pictures: None };

    /// Colours, and pictures as wished. A terminal that cannot be asked gets half-blocks.
    pub(super) fn of(wish: ImageMode, can_ask: bool) -> std::io::Result<Self> {
        let pictures = match wish {
            ImageMode::Off => None,
            // Only what the terminal says that it has: kitty's printer asks it again, and waits for the
            // answer without end.
            ImageMode::Auto | ImageMode::Way(Way::Kitty | Way::Iterm2) if can_ask => {
                terminal::way()?
            }
            ImageMode::Auto | ImageMode::Way(_) => Some(Way::Halfblocks),
        };
        Ok(Style { coloured: true, pictures })
    }
}

/// Columns of the terminal; 80 where there is none.
pub(super) fn columns() -> u16 {
    viuer::terminal_size().0
}

pub(super) fn print(
    blocks: &[Block],
    study: &Study,
    style: Style,
    width: u16,
) -> anyhow::Result<()> {
    for block in blocks {
        lines(&block.above, style)?;
        if let (Some(image), Some(way)) = (block.picture, style.pictures)
            && study.pictures.is_some()
        {
            picture(image, study, way, width)?;
        }
        lines(&block.below, style)?;
    }
    Ok(())
}

fn lines(lines: &[Vec<(Tone, String)>], style: Style) -> Result<()> {
    say::unchanged()?;
    write(lines, style).map_err(|error| say::lost(&error))
}

fn write(lines: &[Vec<(Tone, String)>], style: Style) -> std::io::Result<()> {
    let mut out = stdout().lock();
    for line in lines {
        for (tone, text) in line {
            match sgr(*tone).filter(|_| style.coloured) {
                Some(code) => write!(out, "\x1b[{code}m{text}\x1b[0m")?,
                None => write!(out, "{text}")?,
            }
        }
        writeln!(out)?;
    }
    out.flush()
}

/// The colours that every terminal has, so that they go with its background.
fn sgr(tone: Tone) -> Option<&'static str> {
    match tone {
        Tone::Plain => None,
        Tone::Dim | Tone::Badge(Badge::NotListed | Badge::NotJudged) => Some("2"),
        Tone::Strong => Some("1"),
        Tone::Badge(Badge::Original | Badge::Positive) => Some("32"),
        Tone::Badge(Badge::Extra) => Some("33"),
        Tone::Badge(Badge::NotRelevant) => Some("31"),
    }
}

/// A picture between the lines, or the reason why there is none.
fn picture(image: usize, study: &Study, way: Way, width: u16) -> anyhow::Result<()> {
    let found = study.picture(image);
    let picture = match found.and_then(|source| load(&source, Limits::default())) {
        Ok(picture) => shrunk(picture, PIXELS),
        Err(why) => {
            let line = format!("{}[{why}]", " ".repeat(INDENT));
            let style = Style { coloured: true, pictures: None };
            return Ok(lines(&[vec![(Tone::Dim, line)]], style)?);
        }
    };
    let columns = COLUMNS.min(width.saturating_sub(INDENT as u16)).max(1);
    // A cell is twice as high as wide. One side is given: the other follows from the picture's shape.
    let is_wide = picture.width() * u32::from(ROWS) * 2 > picture.height() * u32::from(columns);
    let config = viuer::Config {
        absolute_offset: false,
        x: INDENT as u16,
        width: is_wide.then_some(u32::from(columns)),
        height: (!is_wide).then_some(u32::from(ROWS)),
        truecolor: colours() == Colours::All,
        use_kitty: way == Way::Kitty,
        use_iterm: way == Way::Iterm2,
        ..viuer::Config::default()
    };
    viuer::print(&picture, &config)?;
    Ok(())
}
