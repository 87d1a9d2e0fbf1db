//! Averages of models from `eval --format json`.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::leaderboard::{Entry, Leaderboard, RankedMetric};
use super::published_models::published;
use super::runs;
use crate::data::Direction;
use crate::data::json;
use crate::data::own_files::{OwnFile, refuse_other_kinds};
use crate::data::source::Source;
use crate::data::text::shown;
use crate::error::{Error, Result};
use crate::metric::{Spec, Unit};
use crate::truth::Kind;

/// Metric values of one model.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelValues {
    /// Name of the model.
    pub name: String,
    /// The family of a published model; `None` for others.
    pub family: Option<String>,
    /// Key and value: the average over the requested directions, or the sum over both for RSUM.
    pub averages: Vec<(String, f64)>,
}

impl ModelValues {
    /// Name of the group of dependent models: variants of one published method, or runs `NAME@SEED`. Any other model is
    /// a family by itself, under its own name.
    pub fn family(&self) -> &str {
        let stem = || runs::stem(&self.name).unwrap_or(&self.name);
        self.family.as_deref().unwrap_or_else(stem)
    }

    /// Average of the metric with this key; `None` if missing.
    pub fn average(&self, key: &str) -> Option<f64> {
        let found = self.averages.iter().find(|(known, _)| known == key);
        found.map(|(_, value)| *value)
    }

    /// Leaderboard entry with the averages of these metrics, not tested and not yet ranked.
    pub fn entry(&self, keys: &[&str]) -> Entry {
        Entry {
            name: self.name.clone(),
            is_result: true,
            values: keys.iter().map(|key| self.average(key)).collect(),
            letters: vec![None; keys.len()],
            ..Entry::default()
        }
    }
}

/// Contents of a results file.
#[derive(Debug, Clone)]
pub struct Results {
    /// Models with their averages.
    pub models: Vec<ModelValues>,
    /// The evaluated gallery; `None` if the file has no sizes.
    pub gallery: Option<Sizes>,
}

/// Gallery sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Sizes {
    /// Number of images.
    pub images: usize,
    /// Number of captions.
    pub captions: usize,
}

/// The fields of results JSON that are read.
#[derive(Deserialize)]
struct ResultsJson {
    study: Option<Value>,
    models: Vec<ModelJson>,
}

/// Name of a model, and a [`MetricJson`] by key of the metric.
#[derive(Deserialize)]
struct ModelJson {
    name: String,
    metrics: Map<String, Value>,
}

/// Value of a metric in each direction and over both; `None` if undefined or not in the file.
#[derive(Deserialize)]
struct MetricJson {
    i2t: Option<f64>,
    t2i: Option<f64>,
    both: Option<f64>,
}

/// Reads results of `eval --format json`, averaged over some directions. Metrics undefined or missing in one of them
/// have no average.
///
/// # Errors
/// Another format, with position, or no models.
pub fn read(source: &Source, directions: &[Direction]) -> Result<Results> {
    let expected = "what `itm-explore eval FILES --format json` prints";
    refuse_other_kinds((&source.display(), source.bytes()), &[OwnFile::Results], expected)?;
    let fix = "itm-explore eval FILES --format json > results.json, then correlate results.json";
    let explain = |error: Error| error.expected(expected).fix(fix);
    let results: ResultsJson = json::parse(source).map_err(explain)?;
    if results.models.is_empty() {
        return Err(Error::new(source.display(), "no models in it").expected(expected));
    }
    let model = |one: ModelJson| {
        let mut averages = Vec::new();
        for (key, value) in one.metrics {
            let value = MetricJson::deserialize(value).map_err(|error| {
                let place = format!("{}: metric {key} of {}", source.display(), one.name);
                Error::json(place, &error).expected("{\"i2t\": number, \"t2i\": number}")
            })?;
            averages.extend(average(&value, directions).map(|value| (key, value)));
        }
        Ok(ModelValues { name: shown(&one.name), family: None, averages })
    };
    let models = results.models.into_iter().map(model);
    Ok(Results {
        models: models.collect::<Result<_>>()?,
        gallery: results.study.and_then(|of| Sizes::deserialize(of).ok()),
    })
}

/// Average over the requested directions; `None` if one of them lacks a value.
fn average(value: &MetricJson, directions: &[Direction]) -> Option<f64> {
    match directions {
        [Direction::I2t] => value.i2t,
        [Direction::T2i] => value.t2i,
        _ => value.both.or_else(|| Some(f64::midpoint(value.i2t?, value.t2i?))),
    }
}

/// Leaderboard of models from their results in JSON, under `truth`; by default the last rich ground truth with all
/// metrics, else the first. `gallery`: sizes of the evaluated gallery. `pool`: `all`, or name of a candidate pool.
/// `metrics`: keys without the ground truth, such as `map_at_r`, at least one.
///
/// # Errors
/// No ground truth under which a model has all metrics.
pub fn leaderboard(
    models: &[ModelValues],
    gallery: Option<Sizes>,
    (truth, pool): (Option<&str>, &str),
    (metrics, directions): (&[String], &[Direction]),
) -> Result<Leaderboard> {
    let mut truths: Vec<&str> = Vec::new();
    for (key, _) in models.iter().flat_map(|model| &model.averages) {
        let truth = metrics.first().and_then(|metric| key.strip_suffix(metric)?.strip_suffix('_'));
        // `coco_1k` is no ground truth: its metrics are means over the folds of the original.
        truths.extend(truth.filter(|truth| !truths.contains(truth) && *truth != "coco_1k"));
    }
    let keys = |truth: &str| -> Vec<String> {
        metrics.iter().map(|metric| format!("{truth}_{metric}")).collect()
    };
    let has_all = |truth: &&str| {
        let keys = keys(truth);
        truth.split_once('@').map_or("all", |(_, pool)| pool) == pool
            && models.iter().any(|model| keys.iter().all(|key| model.average(key).is_some()))
    };
    truths.retain(has_all);
    let name = |of: &str| match of.split('@').next() {
        Some("coco_5k") => "original".to_owned(),
        of => of.unwrap_or_default().to_owned(),
    };
    let is_named = |of: &&&str| truth.is_some_and(|truth| truth == **of || truth == name(of));
    // A session's judgments do not change the kind of a ground truth.
    let kind = |of: &str| Kind::from_name(name(of).split('+').next().unwrap_or_default());
    let is_rich = |of: &&&str| kind(of) == Kind::Rich;
    let found = match truth {
        Some(_) => truths.iter().find(is_named),
        None => truths.iter().rev().find(is_rich).or(truths.first()),
    };
    let Some(&truth) = found else {
        let under = truth.map_or(String::new(), |truth| format!(" under {truth}"));
        let found = format!("no model has {}{under}", metrics.join(" and "));
        let error = Error::new("results", found).expected(match truths.as_slice() {
            [] => "metrics that `eval` has with these names".to_owned(),
            truths => format!("--truth of {}", truths.join(", ")),
        });
        return Err(match directions {
            [_] => error,
            _ => error.fix("--direction t2i or --direction i2t, if the results have only one"),
        });
    };
    let is_coco = gallery == Some(Sizes { images: 5_000, captions: 25_000 });
    let keys = keys(truth);
    let ranked = keys.iter().zip(metrics).map(|(key, name)| {
        let spec = name.parse::<Spec>().ok();
        RankedMetric {
            key: key.clone(),
            title: spec.map_or_else(|| name.clone(), |spec| spec.title()),
            unit: spec.map_or(Unit::Share, |spec| spec.metric.unit()),
            is_published: is_coco && published().metrics.contains(key),
        }
    });
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let entries = models.iter().map(|model| model.entry(&keys)).collect();
    Ok(Leaderboard::new(truth, directions, ranked.collect(), entries))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Vec<ModelValues>> {
        Ok(read(&Source::in_memory("r.json", text.into()), &Direction::BOTH)?.models)
    }

    #[test]
    fn averages_of_both_directions() {
        let found = parse(
            r#"{"study": {}, "models": [{"name": "a", "source": "a.npy", "metrics": {
            "eccv_r1": {"i2t": 0.25, "t2i": 0.75}, "coco_1k_rsum": {"both": 418.9},
            "x_r1": {"i2t": 0.5}, "y_r1": {"i2t": 0.5, "t2i": null}}, "judged": {}}]}"#,
        )
        .unwrap();
        let expected = [("eccv_r1".to_owned(), 0.5), ("coco_1k_rsum".to_owned(), 418.9)];
        assert_eq!(found[0].averages, expected);
        assert_eq!(found[0].average("eccv_r1"), Some(0.5));
        assert_eq!(found[0].average("x_r1"), None);
    }

    #[test]
    fn seeds_of_one_name_are_a_family() {
        let family = |name: &str, family: Option<&str>| {
            let model = ModelValues {
                name: name.into(),
                family: family.map(str::to_owned),
                averages: Vec::new(),
            };
            model.family().to_owned()
        };
        assert_eq!(family("ours@1", None), family("ours@2-2", None));
        assert_eq!(family("ours", None), "ours");
        assert_eq!(family("@1", None), "@1");
        assert_eq!(family("PCME@x", Some("PCME family")), "PCME family");
    }

    #[test]
    fn other_files_are_refused_by_name() {
        let error_text = |text| parse(text).unwrap_err().to_string();
        for text in ["[1, 2]", "{\"images\": []}", "{\"models\": []}", "{"] {
            let message = error_text(text);
            assert!(message.contains("r.json") && message.contains("eval FILES"), "{message}");
        }
        let broken =
            error_text(r#"{"models": [{"name": "a", "metrics": {"eccv_r1": {"i2t": "x"}}}]}"#);
        assert!(broken.contains("r.json: metric eccv_r1 of a"), "{broken}");
    }
}
