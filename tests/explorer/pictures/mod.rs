//! Pictures: what is decoded, what is not, and what the screen shows then. Every file is made here.

use crate::common;
mod files;
mod loaded;
mod localised;
mod phrases;
#[path = "../../house/readme/predictions.rs"]
mod predictions;
mod screen;
