//! Why a model fails: kinds of failure, hubs, words.

pub mod evidence;
pub mod hubs;
pub mod kinds;
pub mod rescale;
pub mod retrieved;
pub mod survey;
pub mod texts;
pub mod words;
