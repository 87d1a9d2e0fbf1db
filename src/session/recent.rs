//! A study that was opened in the explorer, as it can be opened again.

use serde::{Deserialize, Serialize};

use super::Timestamp;

/// A study that was opened: the arguments of the command line, and the folder in which they were typed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecentStudy {
    /// When it was last opened.
    pub at: Timestamp,
    /// The folder in which it was opened; none where nothing hangs on it.
    pub folder: String,
    /// The arguments, the program's name left out.
    pub arguments: Vec<String>,
}

impl RecentStudy {
    /// Whether another one is opened in the same way.
    pub(super) fn is_as(&self, other: &Self) -> bool {
        self.folder == other.folder && self.arguments == other.arguments
    }
}
