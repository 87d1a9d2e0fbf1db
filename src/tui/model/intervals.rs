//! How sure R@1 and mAP@R are: what is shown of it.

/// Half widths of the intervals that the header shows beside R@1 and mAP@R.
#[derive(Debug, Default)]
pub struct Intervals {
    pub(in crate::tui::model) is_shown: bool,
    pub(in crate::tui::model) half_widths: [Option<f64>; 2],
    /// The image of each caption, where it is known; looked up when intervals are first shown.
    pub(in crate::tui::model) images: Option<Vec<u32>>,
    pub(in crate::tui::model) is_looked_up: bool,
}

impl Intervals {
    /// The half widths for R@1 and mAP@R, where they are shown.
    pub fn shown(&self) -> Option<[Option<f64>; 2]> {
        self.is_shown.then_some(self.half_widths)
    }
}
