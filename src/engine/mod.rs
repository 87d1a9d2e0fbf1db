//! Background work for the explorer: one file for each [`Job`], and one [`Runner`] that they all have:
//! newest wins, answers arrive with their keys, dropping it cancels.
//!
//! Each job has a thread of its own, so that a long count never delays the ranking of the query on
//! screen; it starts when it is first needed and stays, whatever study is asked about. Long work runs on
//! threads of low priority (`pool`).

mod charting;
mod checks;
mod counting;
mod curve;
mod derive_study;
mod error_analysis;
mod export_file;
mod filtering;
mod job;
mod listed_rows;
mod listing_items;
mod localisation;
mod measuring;
mod overlap;
mod paint_boxes;
mod paired_tests;
mod pass_picture;
mod phi_truths;
mod pictures;
mod places;
mod pool;
mod preview_figure;
mod query_phi;
mod ranking;
mod reading_others;
mod reloading;
mod rescaling;
mod runner;
mod save_remembered;
mod save_session;
mod scored;
pub mod search;
mod stamp;
mod watching;
mod write_boxes;

pub use charting::{ChartKey, Charting};
pub use checks::Checking;
pub use counting::Counting;
pub use curve::{AlphaCurve, CurveKey};
pub use derive_study::DeriveStudy;
pub use error_analysis::{AnalysisPart, AnalysisRequest, AnalysisResult, ErrorAnalysis, Lists};
pub use export_file::{Export, ExportFile, Exported, Picked, Shows};
pub use filtering::{FilterRequest, Filtering};
pub use job::{Job, Run, Wanted};
pub use listed_rows::ListedRows;
pub use listing_items::{ItemsKey, ItemsOrder, ListedItems, ListingItems};
pub use localisation::{BoxedFigure, Localisation};
pub use measuring::{Measuring, Unmeasured};
pub use overlap::{Overlapping, PairKey};
pub use paint_boxes::{BoxedPicture, PaintBoxes};
pub use paired_tests::{PairedTest, PairedTests, Tested, tested_metrics};
pub use pass_picture::{PassPicture, PassTo, Passing, Scratch};
pub use phi_truths::{PhiTruths, WithPhiTruths};
pub use pictures::{Paint, PaintPictures, PictureKey};
pub use places::{PlaceKey, Placed, Placing};
pub use preview_figure::{Draft, Drafted, PreviewFigure};
pub use query_phi::QueryPhi;
pub use ranking::{QueryRanking, RankingKey};
pub use reading_others::ReadingOthers;
pub use reloading::{Reloaded, Reloading};
pub use rescaling::{RescaleKey, Rescaling, WAYS};
pub use runner::{Outcome, Runner, inject_panic};
pub use save_remembered::SaveRemembered;
pub use save_session::SaveSession;
pub use scored::{DEPTH, Measured, ModelScores, Scored, specs};
pub use search::Searching;
pub use stamp::Stamp;
pub use watching::{DiskChange, Watching};
pub use write_boxes::WriteBoxes;
