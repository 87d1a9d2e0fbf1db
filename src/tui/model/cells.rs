//! The table of metrics: its rows, and the value of each cell.

use super::Model;
use super::measures::{Cell, Column, Measure, Row};
use super::numbers::Numbers;
use crate::data::index::{ModelIx, TruthIx};
use crate::data::{Direction, PerDirection};
use crate::engine::specs;
use crate::evaluate::plan::{has_sum, key, sum_key};
use crate::metric::rsum::{self, Sum};
use crate::metric::{Shortage, Spec, Summary, best, hit, is_defined_under, map_at_r};
use crate::study::{Pool, Study};

impl Model {
    /// The rows of the table, those of a truth together: every metric that `eval` knows of it, as loaded;
    /// then the same with verdicts, where they change a number.
    pub fn metrics_rows(&self) -> Vec<Row> {
        let truths = TruthIx::all(&self.study.truths);
        let truths = truths.flat_map(|truth| {
            let mine = self.is_changed(truth).then_some((truth, true));
            std::iter::once((truth, false)).chain(mine)
        });
        let measures = || {
            let sums = Sum::ALL.map(Measure::Sum);
            specs().map(Measure::Of).chain(sums)
        };
        let of_truth =
            |(truth, is_mine)| measures().map(move |measure| Row { truth, is_mine, measure });
        let rows = truths.flat_map(of_truth);
        rows.filter(|row| self.metrics_key(*row).is_some()).collect()
    }

    /// The key that `eval` gives a row; `None` where the metric is of another truth alone.
    pub fn metrics_key(&self, row: Row) -> Option<String> {
        let (study, pool) = (&self.study, self.study.pool);
        match row.measure {
            _ if row.is_mine => self.mine_key(row),
            Measure::Of(spec) => key(study, row.truth, pool, spec),
            Measure::Sum(sum) => {
                let is_there = self.has_both(row) && has_sum(study, row.truth, pool, sum);
                is_there.then(|| sum_key(study, row.truth, pool, sum))
            }
        }
    }

    /// Whether the truth of a row has both directions.
    fn has_both(&self, row: Row) -> bool {
        let both = &self.study.truths[row.truth].relevance;
        Direction::BOTH.iter().all(|&one| both[one].is_some())
    }

    /// The key that `eval` gives a row of a truth that `truth mine` wrote.
    fn mine_key(&self, row: Row) -> Option<String> {
        let Study { truths, pool, .. } = &*self.study;
        let truth = self.study.name_with_verdicts(&truths[row.truth].name);
        let place = match pool {
            Pool::All => truth,
            pool => format!("{truth}@{}", self.study.pool_name(*pool)),
        };
        match row.measure {
            Measure::Of(spec) if spec.metric.only_under().is_some() => None,
            Measure::Of(spec) if !is_defined_under(spec.metric, &truths[row.truth]) => None,
            Measure::Of(spec) => Some(format!("{place}_{spec}")),
            Measure::Sum(sum) => {
                let is_there = self.has_both(row) && has_sum(&self.study, row.truth, *pool, sum);
                is_there.then(|| format!("{place}_{}", sum.key()))
            }
        }
    }

    /// The number of a cell: of the truth as loaded, or with verdicts.
    pub fn cell(&self, row: Row, column: Column) -> Cell {
        match row.measure {
            Measure::Of(spec) => self.cell_of(spec, row, column),
            Measure::Sum(sum) => self.sum_cell(sum, row, column.model),
        }
    }

    /// The sum of a model, from the six cells that it is of.
    fn sum_cell(&self, sum: Sum, row: Row, model: ModelIx) -> Cell {
        let cells = PerDirection::from_fn(|direction| {
            sum.parts().map(|spec| {
                let column = Column { model, direction };
                self.cell_of(spec, row, column)
            })
        });
        let mut sum = Summary::default();
        for cell in Direction::BOTH.into_iter().flat_map(|one| cells[one]) {
            match cell {
                Cell::Known(summary, _) => {
                    sum.shortage = Shortage::joined(sum.shortage, summary.shortage);
                }
                unknown => return unknown,
            }
        }
        let judged = Direction::both(|one| match cells[one][0] {
            Cell::Known(summary, _) => summary.judged,
            Cell::Absent | Cell::Waiting => 0,
        });
        let of = |part: fn(Cell) -> Option<f64>| {
            let six = PerDirection::from_fn(|one| cells[one].map(part));
            rsum::rsum(&six)
        };
        sum.judged = judged.into_iter().sum();
        sum.value = of(Cell::value);
        Cell::Known(sum, of(Cell::ceiling))
    }

    fn cell_of(&self, spec: Spec, row: Row, column: Column) -> Cell {
        let view = row.view(column);
        let truth = &self.study.truths[row.truth];
        if truth.relevance[column.direction].is_none() {
            return Cell::Absent;
        }
        let scored = if row.is_mine { self.scored_at(view) } else { self.counted_at(view) };
        let Some(scored) = scored else {
            let is_lost = matches!(self.numbers[column.model], Numbers::Failed(_));
            return if is_lost { Cell::Absent } else { Cell::Waiting };
        };
        let mut measured = scored.measured().into_iter().flatten();
        if let Some(found) = measured.find(|one| one.spec == spec) {
            return Cell::Known(found.summary, found.ceiling);
        }
        // The two numbers of the header are there before all others.
        match spec {
            spec if spec == Spec::new(&hit::R1) => Cell::Known(scored.r1, None),
            spec if spec == Spec::new(&map_at_r::MapAtR) => Cell::Known(scored.map_at_r, None),
            _ => Cell::Waiting,
        }
    }

    /// The best value of a row in a direction, where any is better and another is worse.
    pub fn best_of(&self, row: Row, direction: Direction) -> Option<f64> {
        let models = ModelIx::all(&self.numbers);
        let cells = models.map(|model| self.cell(row, Column { model, direction }));
        let values: Vec<f64> = cells.filter_map(Cell::value).collect();
        let best = best::of(&values, row.measure.unit());
        best.filter(|_| row.measure.is_merit())
    }
}
