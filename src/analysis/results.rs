//! Averages of models as `eval --format json` wrote them.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::runs;
use crate::data::json;
use crate::data::own_files::{OwnFile, refuse_others};
use crate::data::source::Source;
use crate::data::text::shown;
use crate::error::{Error, Result};

/// One model's values by metric.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelValues {
    /// Its name.
    pub name: String,
    /// The family of a published model; `None` for others.
    pub family: Option<String>,
    /// Key and value: the average of both directions, or the sum over both for RSUM.
    pub averages: Vec<(String, f64)>,
}

impl ModelValues {
    /// Models that are no independent evidence: variants of one method, or `NAME@SEED` with one name. Any
    /// other model is a family of its own.
    pub fn family(&self) -> &str {
        let of_name = || runs::stem(&self.name).unwrap_or(&self.name);
        self.family.as_deref().unwrap_or_else(of_name)
    }

    /// The average under a metric; `None` where it has none.
    pub fn average(&self, key: &str) -> Option<f64> {
        let found = self.averages.iter().find(|(known, _)| known == key);
        found.map(|(_, value)| *value)
    }
}

/// The models of a file.
#[derive(Debug, Clone)]
pub struct Results {
    /// The models.
    pub models: Vec<ModelValues>,
    /// The gallery that they were evaluated on; `None` where the file does not say.
    pub gallery: Option<Sizes>,
}

/// How large a gallery is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Sizes {
    /// Images.
    pub images: usize,
    /// Captions.
    pub captions: usize,
}

/// What is read of the file.
#[derive(Deserialize)]
struct Written {
    study: Option<Value>,
    models: Vec<OneModel>,
}

#[derive(Deserialize)]
struct OneModel {
    name: String,
    metrics: Map<String, Value>,
}

#[derive(Deserialize)]
struct OneValue {
    i2t: Option<f64>,
    t2i: Option<f64>,
    both: Option<f64>,
}

/// The models of a file that `eval --format json` wrote. A metric that is undefined or missing in one
/// direction has no average.
///
/// # Errors
/// A file of another form, with its place, or without models.
pub fn read(source: &Source) -> Result<Results> {
    let expected = "what `itm-explore eval FILES --format json` prints";
    refuse_others((&source.display(), source.bytes()), &[OwnFile::Results], expected)?;
    let fix = "itm-explore eval FILES --format json > results.json, then correlate results.json";
    let other = |error: Error| error.expected(expected).mend(fix);
    let results: Written = json::parse(source).map_err(other)?;
    if results.models.is_empty() {
        return Err(Error::new(source.display(), "no models in it").expected(expected));
    }
    let model = |one: OneModel| {
        let mut averages = Vec::new();
        for (key, value) in one.metrics {
            let value = OneValue::deserialize(value).map_err(|error| {
                let place = format!("{}: metric {key} of {}", source.display(), one.name);
                Error::json(place, &error).expected("{\"i2t\": number, \"t2i\": number}")
            })?;
            averages.extend(average(&value).map(|value| (key, value)));
        }
        Ok(ModelValues { name: shown(&one.name), family: None, averages })
    };
    let models = results.models.into_iter().map(model);
    Ok(Results {
        models: models.collect::<Result<_>>()?,
        gallery: results.study.and_then(|of| Sizes::deserialize(of).ok()),
    })
}

fn average(value: &OneValue) -> Option<f64> {
    value.both.or_else(|| Some(f64::midpoint(value.i2t?, value.t2i?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<Vec<ModelValues>> {
        Ok(read(&Source::in_memory("r.json", text.into()))?.models)
    }

    #[test]
    fn averages_of_both_directions() {
        let found = of(r#"{"study": {}, "models": [{"name": "a", "source": "a.npy", "metrics": {
            "eccv_r1": {"i2t": 0.25, "t2i": 0.75}, "coco_1k_rsum": {"both": 418.9},
            "x_r1": {"i2t": 0.5}, "y_r1": {"i2t": 0.5, "t2i": null}}, "judged": {}}]}"#)
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
        let said = |text| of(text).unwrap_err().to_string();
        for text in ["[1, 2]", "{\"images\": []}", "{\"models\": []}", "{"] {
            let message = said(text);
            assert!(message.contains("r.json") && message.contains("eval FILES"), "{message}");
        }
        let broken = said(r#"{"models": [{"name": "a", "metrics": {"eccv_r1": {"i2t": "x"}}}]}"#);
        assert!(broken.contains("r.json: metric eccv_r1 of a"), "{broken}");
    }
}
