//! How sure R@1 and mAP@R are: what is shown of it.

/// Half widths of the intervals of what is looked at.
#[derive(Debug, Default)]
pub struct HalfWidths {
    /// Those of the header's two metrics.
    pub of: [Option<f64>; 2],
    /// The image of each caption, where it is known; looked up when intervals are first shown.
    pub(in crate::tui::model) images: Option<Vec<u32>>,
    pub(in crate::tui::model) is_looked_up: bool,
}
