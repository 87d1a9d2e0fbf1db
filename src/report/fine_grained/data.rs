//! R@K, changes and queries for programs: shares from 0 to 1.

use serde_json::{Value, json};

use super::FineGrained;
use crate::analysis::fine_grained::{Change, metrics};
use crate::analysis::inference::Estimate;
use crate::data::Direction;
use crate::metric::Unit;
use crate::report::Table;
use crate::report::cell::{id, row};

impl FineGrained<'_> {
    /// One number a row.
    pub(super) fn data(&self) -> Table<'_> {
        let mut rows = Vec::new();
        for setting in 0..self.counted.settings.len() {
            for &direction in self.directions {
                let queries = self.of(setting, direction).map(|of| of.queries().len());
                for (at, metric) in metrics().iter().enumerate() {
                    let value = self.mean(setting, direction, at);
                    let [base, model] = [self.counted.baseline(setting), setting]
                        .map(|at| &self.study.models[self.counted.settings[at].model].name);
                    rows.push(row![
                        base,
                        model,
                        self.pool(setting),
                        self.texts_name(setting),
                        direction,
                        metric.key(),
                        queries,
                        value
                    ]);
                }
            }
        }
        let head = ["model", "scores", "pool", "captions", "direction", "metric", "n", "value"];
        Table::new("", head, 6, rows)
    }

    pub(super) fn json(&self) -> Value {
        let change = |one: &Change| {
            let [wins, _, losses] = one.paired.counts(Unit::Share);
            json!({
                "model": self.study.models[self.counted.settings[one.from].model].name,
                "scores": self.study.models[self.counted.settings[one.to].model].name,
                "pool": self.pool(one.to),
                "captions": self.texts_name(one.to),
                "direction": one.direction.key(),
                "metric": metrics()[one.metric].key(),
                "queries": one.paired.len(),
                "change": one.paired.means().map(|[now, before]| now - before),
                "interval": one.estimate.map(Estimate::interval),
                "gained": wins,
                "lost": losses,
                "p": one.estimate.map(Estimate::p),
                "p_holm": one.adjusted,
            })
        };
        let failed = |&direction: &Direction| {
            let ids = self.study.gallery.queries(direction);
            let list = |queries: &[u32]| {
                let ids = queries.iter().map(|&query| id(&ids[query as usize].to_string()));
                ids.collect::<Value>()
            };
            let of_direction = self.repaired.iter().filter(|one| one.direction == direction);
            let now = of_direction.map(|one| {
                json!({
                    "scores": self.study.models[self.counted.settings[one.setting].model].name,
                    "captions": self.texts_name(one.setting),
                    "now_right": list(&one.repaired),
                    "right_before": one.right,
                    "now_wrong": one.lost,
                })
            });
            let all = list(&self.counted.all_fail(direction));
            (direction.key().to_owned(), json!({"queries": all, "with": now.collect::<Value>()}))
        };
        json!({
            "truth": self.truth,
            "recalls": self.data().records().collect::<Value>(),
            "changes": self.wanted().map(change).collect::<Value>(),
            "all_models_fail": Value::Object(self.directions.iter().map(failed).collect()),
        })
    }
}
