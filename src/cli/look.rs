//! How a figure or a chart looks on paper: flags that `figure` and `plot` share.

use clap::Args;

use crate::figure::{LEAST_TEXT, Options, Preset};

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Layout")]
pub(super) struct LookArgs {
    /// Paper layout: one column (121 mm) or one of two (83.3 mm)
    #[arg(long, value_name = "1|2", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=2))]
    pub(super) columns: u32,
    /// Width in millimetres [default: that of --columns]
    #[arg(long, value_name = "MM")]
    width: Option<f32>,
    /// Text size in points [default: that of --columns]
    #[arg(long, value_name = "PT", hide_short_help = true)]
    text_size: Option<f32>,
    /// Resolution of images, and of PNG
    #[arg(long, default_value_t = Options::default().dpi, hide_short_help = true)]
    dpi: u32,
    /// Font family [default: the bundled Liberation Sans]
    #[arg(long, value_name = "FAMILY", hide_short_help = true)]
    font: Option<String>,
}

impl LookArgs {
    /// What is drawn so, in the layout of its direction.
    pub(super) fn options(&self) -> Options {
        let preset = Preset::of_columns(self.columns);
        Options {
            layout: None,
            width: self.width.unwrap_or(preset.width),
            text: self.text_size.unwrap_or(preset.text),
            dpi: self.dpi,
            font: self.font.clone(),
            least_text: self.text_size.unwrap_or(LEAST_TEXT),
            ..Options::default()
        }
    }
}
