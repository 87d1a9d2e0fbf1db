//! Model comparison and error analysis: paired tests, similarity of rankings, correlation of metrics; error types,
//! hubs, words.
//!
//! Mostly pure functions of per-query values, ranks or averages; [`compare`] and [`survey`] have ranks computed,
//! [`similarity`] reads scores. Undefined values are `None`, and the number of remaining queries is reported. Random
//! draws use a seed, with a separate stream each: results do not depend on the number of threads, nor on library
//! versions.

pub mod association;
pub mod bootstrap;
pub mod breakdown;
#[cfg(test)]
mod calibration;
pub mod clusters;
pub mod compare;
pub mod conclusion;
pub mod correlate;
pub mod draw;
pub mod evidence;
pub mod fine_grained;
pub mod flips;
pub mod held_out;
pub mod holm;
pub mod inference;
pub mod intervals;
pub mod kendall;
pub mod kinds;
pub mod leaderboard;
pub mod letters;
pub mod listed_items;
pub mod localisation;
pub mod nearest;
pub mod overlap;
pub mod paired_values;
pub mod per_query;
pub mod published_models;
pub mod ratings;
pub mod results;
pub mod right_wrong;
pub mod runs;
pub mod semantic_recall;
pub mod series;
pub mod similarity;
pub mod slices;
mod student;
pub mod survey;
pub mod words;
