//! Metrics as spelled in papers: `R@1`, `mAP@R`, `R-P`, `nDCG@10`.

use super::rsum::{RECALLS, Sum};
use super::{CLOSE, METRICS, rsum};

/// Spellings that differ from the title of a metric, and its key.
const OTHER_SPELLINGS: [(&str, &str); 5] = [
    ("AP@R", "map_at_r"),
    ("R-Precision", "rprecision"),
    ("RSUM", rsum::KEY),
    ("NSUM", "nsum"),
    ("NSUM-N", "nsum_n"),
];

/// The key of a metric written as in papers, in upper or lower case; `None` for other text. R@K may have a ground truth
/// as prefix: `eccv_recall@1` is `eccv_r1`.
pub fn key(written: &str) -> Option<String> {
    let is_written = |name: &str| name.eq_ignore_ascii_case(written);
    if let Some(key) = recall_key(written) {
        return Some(key);
    }
    let parts = || written.match_indices('_').map(|(at, _)| written.split_at(at + 1));
    let prefixed = parts().find_map(|(truth, rest)| Some((truth, recall_key(rest)?)));
    if let Some((truth, key)) =
        prefixed.filter(|(truth, _)| *truth != "ir_" && !truth.ends_with("_ir_"))
    {
        return Some(format!("{truth}{key}"));
    }
    let other = OTHER_SPELLINGS.iter().find(|(name, _)| is_written(name));
    let titled = || METRICS.iter().find(|metric| is_written(metric.title()));
    other
        .map(|(_, key)| (*key).to_owned())
        .or_else(|| titled().map(|metric| metric.key().to_owned()))
        .or_else(|| key_at_depth(written))
        .or_else(|| key_with_phi(written))
        .or_else(|| rbp_key(written))
}

/// The depth in a name of R@K, such as `R@1`, `Recall@1`, `recall_at_1` or `r1`; `k` for `R@K`; `None` for other text.
pub fn depth_of_hit(written: &str) -> Option<String> {
    let lower = written.to_ascii_lowercase();
    let rest = lower.strip_prefix("recall").or(lower.strip_prefix('r'))?;
    let signed = rest.strip_prefix('@').or(rest.strip_prefix("_at_"));
    let depth = signed.unwrap_or(rest);
    let is_depth = signed.is_some() && depth == "k" || depth.parse::<u32>().is_ok();
    is_depth.then(|| depth.to_owned())
}

/// The key of R@1, R@5 or R@10 from any name that [`depth_of_hit`] accepts; `None` for other text.
fn recall_key(written: &str) -> Option<String> {
    let depth = depth_of_hit(written)?;
    let mut keys = RECALLS.iter().map(|metric| metric.key());
    keys.find(|key| key[1..] == depth).map(str::to_owned)
}

/// The key of a metric, or sum of metrics, under the ground truth of a phi: `ncs[spice]_at_10` is `spice_ncs_at_10`;
/// `None` for other text.
fn key_with_phi(written: &str) -> Option<String> {
    let (stem, rest) = written.split_once('[')?;
    let (phi, depth) = rest.split_once(']')?;
    let is_stem = |key: &str| key.strip_suffix("_at_k") == Some(stem);
    let is_metric = METRICS.iter().any(|metric| metric.needs_phi() && is_stem(metric.key()));
    let is_sum = Sum::ALL.iter().any(|sum| sum.needs_phi() && sum.key() == stem);
    let is_known = is_sum && depth.is_empty() || is_metric && depth.starts_with("_at_");
    is_known.then(|| format!("{phi}_{stem}{depth}"))
}

/// The key of rank-biased precision written with its persistence p, as K = 1 / (1 - p): `rbp[0.8]` is `rbp_at_5`;
/// `None` for other text, or if K is no integer.
fn rbp_key(written: &str) -> Option<String> {
    let (stem, rest) = written.split_once('[')?;
    let p: f64 = rest.strip_suffix(']')?.parse().ok()?;
    let k = 1.0 / (1.0 - p);
    let is_whole = (k - k.round()).abs() < CLOSE && (1.0..1e6).contains(&k);
    let is_rbp = ["rbp", "rbp_residual"].contains(&stem);
    (is_rbp && is_whole).then(|| format!("{stem}_at_{k:.0}"))
}

/// The key of a metric at a depth: `nDCG@10` is `ndcg_at_10`; `None` for other text.
fn key_at_depth(written: &str) -> Option<String> {
    let (name, depth) = written.split_once('@')?;
    let depth: u32 = depth.parse().ok()?;
    METRICS.iter().find_map(|metric| {
        let title = metric.title().strip_suffix("@K")?;
        let stem = metric.key().strip_suffix("_at_k")?;
        let is_match = title.eq_ignore_ascii_case(name);
        is_match.then(|| format!("{stem}_at_{depth}"))
    })
}

/// Maximum characters of a metric's name that [`name_length`] finds.
const MAX_NAME_CHARS: usize = 24;

/// The length in bytes of the longest metric name at the start of `text` that contains `@` or `-`, such as `R@1` or
/// `R-P`; `None` if no such name is there.
pub fn name_length(text: &str) -> Option<usize> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '@' || c == '-';
    let parts = text.chars().take(MAX_NAME_CHARS).take_while(|&c| is_part(c));
    // All of these characters are ASCII: their number is a length in bytes.
    let end = parts.count();
    let has_sign = |name: &&str| name.contains(['@', '-']);
    // `R-P-1` is a difference.
    let ends = text[..end].match_indices('-').map(|(at, _)| at);
    let mut longest_first: Vec<&str> = ends.map(|at| &text[..at]).collect();
    longest_first.push(&text[..end]);
    let named = longest_first.into_iter().rev().filter(has_sign);
    named.filter(|name| key(name).is_some()).map(str::len).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_are_known_as_papers_write_them() {
        for (written, wanted) in [
            ("R@1", "r1"),
            ("r@10", "r10"),
            ("mAP@R", "map_at_r"),
            ("AP@R", "map_at_r"),
            ("R-P", "rprecision"),
            ("R-Precision", "rprecision"),
            ("nDCG@10", "ndcg_at_10"),
            ("Recall@5", "r5"),
            ("recall@1", "r1"),
            ("recall_at_1", "r1"),
            ("r@1", "r1"),
            ("r1", "r1"),
            ("R1", "r1"),
            ("eccv_recall_at_10", "eccv_r10"),
            ("IR-Recall@5", "ir_recall_at_5"),
            ("RSUM", "rsum"),
            ("MRR", "mrr"),
            ("NCS@10", "ncs_at_10"),
            ("ncs[spice]_at_10", "spice_ncs_at_10"),
            ("ncs_n[cider]_at_5", "cider_ncs_n_at_5"),
            ("nsum[cider]", "cider_nsum"),
            ("rbp[0.8]", "rbp_at_5"),
            ("rbp_residual[0.95]", "rbp_residual_at_20"),
            ("RBP@10", "rbp_at_10"),
        ] {
            assert_eq!(key(written).as_deref(), Some(wanted), "{written}");
        }
        for unknown in [
            "R@3",
            "R@",
            "@1",
            "recall_at_3",
            "ir_recall_at_1",
            "eccv_ir_recall_at_1",
            "nDCG@x",
            "ground-truth",
            "r1[x]",
            "r1[0.8]",
            "rbp[0.83]",
            "rbp[1]",
            "ncs[x",
            "ncs[x]",
        ] {
            assert_eq!(key(unknown), None, "{unknown}");
        }
    }

    /// A metric's title is a valid spelling.
    #[test]
    fn every_title_is_a_spelling() {
        for metric in METRICS {
            assert_eq!(key(metric.title()).as_deref(), Some(metric.key()));
        }
    }

    #[test]
    fn name_length_stops_at_the_end_of_the_name() {
        for (text, wanted) in [
            ("R@1 == 0", Some("R@1")),
            ("R@10==0", Some("R@10")),
            ("mAP@R < 0.5", Some("mAP@R")),
            ("R-P > 0", Some("R-P")),
            ("R-P-R@1", Some("R-P")),
            ("R@1-R@5", Some("R@1")),
            ("R-Precision", Some("R-Precision")),
            ("rank-words", None),
            ("MRR", None),
            ("a-b", None),
        ] {
            let found = name_length(text).map(|length| &text[..length]);
            assert_eq!(found, wanted, "{text}");
        }
    }
}
