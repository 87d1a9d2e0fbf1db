//! Browse, compare and explain image-text retrieval.
//!
//! Files become a [`study::Study`]; a study becomes [`rank::Ranks`]; metrics are pure functions of these, and
//! [`evaluate`] applies them to a study; reports and the explorer show them. Imports are one-way, checked by
//! `tests/house/layers`:
//!
//! | module | holds | may use |
//! |---|---|---|
//! | [`error`] | error messages: file, found, expected, fix | `data::text` |
//! | [`data`] | files in, typed arrays out | `error` |
//! | [`truth`] | ground truths | `data` |
//! | [`image_file`] | image files, found by name, decoded within limits | `data` |
//! | [`phrase`] | phrases of captions, boxes of images: Flickr30k Entities | `data` |
//! | [`study`] | gallery + models + truths, checked once; the view | `data`, `truth`, `image_file`, `phrase` |
//! | [`session`] | a person's judgments, picks and notes, as a file | `study`, `truth`, `data` |
//! | [`rank`] | ranks, the ranking of one query | `data`, `truth` |
//! | [`doctor`] | checks of a study, with fixes | `rank`, `study`, `image_file`, `truth`, `data` |
//! | [`metric`] | metrics: pure functions of ranks | `rank`, `truth`, `data` |
//! | [`evaluate`] | metrics over a study: rows, pools, folds, mixture curves | `metric`, `rank`, `study`, `truth`, `data` |
//! | [`filter`] | conditions over queries, as an expression | `metric`, `rank`, `study`, `phrase`, `truth`, `data` |
//! | [`semantic`] | similarities of captions as ground truths, and by human ratings | `rank`, `study`, `truth`, `data` |
//! | [`analysis`] | model comparison and error analysis: paired tests, similarity, hubs | `filter`, `evaluate`, `metric`, `rank`, `study`, `phrase`, `truth`, `data` |
//! | [`figure`] | queries, rankings and charts as figures for papers | `analysis`, `evaluate`, `metric`, `session`, `rank`, `study`, `truth`, `image_file`, `data` |
//! | [`annotate`] | candidates, answers and preferences of people | `figure`, `analysis`, `filter`, `evaluate`, `metric`, `session`, `rank`, `study`, `truth`, `image_file`, `data` |
//! | [`report`] | results of subcommands, as one value, and its formats | all above but `figure` |
//! | [`tui`] | the explorer | all above but `report`, and `jobs` |
//! | [`jobs`] | background work of the explorer, one file per job | all above: its state, and results |
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
pub mod image_file;
pub mod jobs;
pub mod metric;
pub mod phrase;
pub mod rank;
pub mod report;
pub mod semantic;
pub mod session;
pub mod study;
pub mod truth;
pub mod tui;
