//! Browse, compare and explain image-text retrieval.
//!
//! Files become a [`study::Study`]; a study becomes [`rank::Ranks`]; metrics are pure functions of
//! these, and [`evaluate`] applies them to a study; reports and the explorer show them. Imports go one
//! way, and `tests/house/layers` checks it:
//!
//! | module | holds | may use |
//! |---|---|---|
//! | [`error`] | what failed, in which file, what was expected | `data::text` |
//! | [`data`] | files in, typed arrays out | `error` |
//! | [`truth`] | what counts as right | `data` |
//! | [`picture`] | pictures found by name, decoded within limits | `data` |
//! | [`phrase`] | phrases of captions and boxes of pictures: Flickr30k Entities | `data` |
//! | [`study`] | gallery + models + truths, checked once; what of them is looked at | `data`, `truth`, `picture`, `phrase` |
//! | [`session`] | verdicts, picks, notes: what a person made, as a file | `study`, `truth`, `data` |
//! | [`rank`] | counted ranks, the ranking of one query | `data`, `truth` |
//! | [`doctor`] | what is wrong with a study, and the fix | `rank`, `study`, `picture`, `truth`, `data` |
//! | [`metric`] | metrics: pure functions of ranks | `rank`, `truth`, `data` |
//! | [`evaluate`] | metrics over a study: which lines, pools and folds, curves of mixtures | `metric`, `rank`, `study`, `truth`, `data` |
//! | [`filter`] | conditions over queries, as an expression | `metric`, `rank`, `study`, `phrase`, `truth`, `data` |
//! | [`semantic`] | similarities of captions as ground truths, and by human ratings | `rank`, `study`, `truth`, `data` |
//! | [`analysis`] | models side by side and why one fails: paired tests, similarity, hubs | `filter`, `evaluate`, `metric`, `rank`, `study`, `phrase`, `truth`, `data` |
//! | [`figure`] | queries, rankings and charts as figures for papers | `analysis`, `evaluate`, `metric`, `session`, `rank`, `study`, `truth`, `picture`, `data` |
//! | [`annotate`] | candidates, answers and preferences of people | `figure`, `analysis`, `filter`, `evaluate`, `metric`, `session`, `rank`, `study`, `truth`, `picture`, `data` |
//! | [`report`] | what subcommands find, as one value, and its formats | all above but `figure` |
//! | [`tui`] | the explorer | all above but `report`, and `jobs` |
//! | [`jobs`] | background work of the explorer, one file for each job | all above: its state, and what is computed of it |
//! | [`cli`] | arguments and one file per subcommand | all |

pub mod analysis;
pub mod annotate;
pub mod cli;
pub mod data;
pub mod doctor;
pub mod error;
pub mod evaluate;
pub mod figure;
pub mod filter;
pub mod jobs;
pub mod metric;
pub mod phrase;
pub mod picture;
pub mod rank;
pub mod report;
pub mod semantic;
pub mod session;
pub mod study;
pub mod truth;
pub mod tui;
