//! The history: every step with R@1 and mAP@R after it; Enter goes back to one.

/// The list of steps, and the chosen one.
#[derive(Debug, Clone, Copy)]
pub struct Steps {
    /// Place of the chosen step.
    pub selected: usize,
}
