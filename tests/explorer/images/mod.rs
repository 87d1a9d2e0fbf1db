//! Image files: what is decoded, what is not, and what the screen shows then. Every file is made here.

use crate::common;
mod files;
mod loaded;
mod phrases;
mod screen;
