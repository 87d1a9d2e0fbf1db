//! Names of metrics that no query has a value of.

use crate::error::Error;

/// That a metric is compared by no query's value, and what is.
pub(super) fn no_value(name: &str) -> Error {
    Error::new("--metrics", format!("{name} does not have a value for each query"))
        .expected("metrics that are means over queries, such as r1, map_at_r, mrr, mean_rank")
        .mend(match name.strip_prefix("coco_1k_") {
            Some(of_folds) if of_folds != "rsum" => {
                format!("--pool folds --metrics {of_folds} has it, as original@folds_{of_folds}")
            }
            None if name == "rsum" => {
                "--format latex has RSUM beside r1,r5,r10; elsewhere eval prints it".into()
            }
            _ => "rsum is a sum, median_rank a median: eval prints them".into(),
        })
}
