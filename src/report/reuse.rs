//! Whether a pooled ground truth can be used for other models: see [`crate::annotate::reuse`].

use super::cell::{Cell, row};
use super::union::{effect_rows, effects_table, legend, share};
use super::{Json, Report, Table};
use crate::annotate::effect::Effect;
use crate::annotate::proposers::Share;
use crate::annotate::reuse::{DEPTHS, Reused};
use crate::data::Direction;
use crate::data::text::shown;
use crate::metric::Unit;

/// What nobody judged, and what each model loses without its own proposals.
pub fn report<'a>(truth: &'a str, models: &'a [Reused], losses: &'a [Effect]) -> Report<'a> {
    let truth_name = shown(truth);
    let mut tables = vec![unjudged(models)];
    let shares = of_pool(models).map(|(one, direction, of)| (&*one.model, direction, of));
    tables.extend(proposers_table(shares));
    let title = format!("{truth_name}, and without the positives that the model alone proposed");
    tables.extend(effects_table(title, ["whole", "without"], losses));
    let notes = [
        "unjudged: items that neither the pool has, nor the ground truth, nor --base; over the queries of the pool; a direction that the \
         pool does not ask is left out"
            .to_owned(),
        format!("whole and without: {}", legend()),
    ];
    Report { notes: notes.into(), ..Report::new(tables, data(models, losses), Json::Rows) }
}

fn unjudged(models: &[Reused]) -> Table<'_> {
    let head = ["model".to_owned(), String::new()].into_iter();
    let head = head.chain(DEPTHS.map(|k| format!("top {k}")));
    let rows = models.iter().flat_map(|one| {
        Direction::BOTH.into_iter().filter_map(|direction| {
            let shares = one.unjudged[direction]?;
            let mut cells = row![shown(&one.model), direction];
            let value = |share: Option<f64>| share.map(|share| Cell::Value(share, Unit::Share));
            cells.extend(shares.map(|share| Cell::from(value(share))));
            Some(cells)
        })
    });
    Table::new("unjudged, %", head, 2, rows)
}

/// A direction's share of a model that was in the pool.
fn of_pool(models: &[Reused]) -> impl Iterator<Item = (&Reused, Direction, Share)> {
    models.iter().flat_map(|one| {
        Direction::BOTH
            .into_iter()
            .filter_map(move |direction| Some((one, direction, one.shares.as_ref()?[direction]?)))
    })
}

/// The positives that each proposed, and those that it alone did; `None` where nobody proposed any.
pub(super) fn proposers_table<'a>(
    all: impl Iterator<Item = (&'a str, Direction, Share)> + 'a,
) -> Option<Table<'a>> {
    let rows = all.map(|(name, direction, of)| {
        let percent = share(of.alone, of.positives);
        row![shown(name), direction, of.positives, of.proposed, of.alone, percent]
    });
    let head = ["model", "", "positives", "it proposed", "it alone", "%"];
    Table::new("who proposed the positives", head, 2, rows).if_any()
}

/// One number a row.
fn data<'a>(models: &'a [Reused], losses: &'a [Effect]) -> Table<'a> {
    let unjudged = models.iter().flat_map(|one| {
        let of = move |direction: Direction| Some((direction, one.unjudged[direction]?));
        let known = Direction::BOTH.into_iter().filter_map(of);
        known.flat_map(move |(direction, shares)| {
            let line = move |(k, share): (u32, Option<f64>)| {
                row![&one.model, direction, "", format!("unjudged_at_{k}"), share]
            };
            DEPTHS.into_iter().zip(shares).map(line)
        })
    });
    let shares = of_pool(models).flat_map(|(one, direction, of)| {
        [("positives", of.positives), ("proposed", of.proposed), ("alone", of.alone)]
            .map(|(number, count)| row![&one.model, direction, "", number, count])
    });
    let losses = losses.iter().flat_map(effect_rows);
    let head = ["model", "direction", "metric", "number", "value"];
    Table::new("", head, 4, unjudged.chain(shares).chain(losses))
}
