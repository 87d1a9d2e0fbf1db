//! NaN and infinities.

use super::exam::{Exam, Table};
use super::{Check, Finding, Needs};
use crate::data::Direction;
use crate::data::scores::{Model, Scores};
use crate::data::text::{grouped, shell_word};

pub(super) const CHECK: Check = Check {
    name: "values",
    doc: "NaN and infinities among the scores",
    needs: Needs::Matrix,
    find,
};

fn find(exam: &Exam) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    for table in &exam.tables {
        found.extend(nan(table));
        found.extend(infinities(table));
    }
    found.extend(exam.samples().filter_map(|(model, samples)| {
        let queries = Direction::both(|d| samples[d].as_ref().map_or(0, |s| s.odd));
        of_products(model, queries.iter().sum())
    }));
    found
}

fn nan(table: &Table) -> Option<Finding> {
    let nan = table.scan.nan;
    let (image, caption) = nan.first(table.matrix)?;
    let cells = cells(nan.count);
    let found = format!(
        "NaN in {cells}, the first at image {}, caption {} (counted from 0)",
        grouped(image),
        grouped(caption)
    );
    let mend = format!(
        "find where the model's score becomes NaN; or rank such cells last: python3 -c \"import sys, numpy as np; \
         np.save(sys.argv[2], np.nan_to_num(np.load(sys.argv[1]), nan=-np.inf, posinf=np.inf, neginf=-np.inf))\" {} \
         finite.npy",
        shell_word(&table.file())
    );
    Some(
        Finding::problem(table.subject(), found)
            .effect("NaN has no rank: the model is refused")
            .mend(mend),
    )
}

fn infinities(table: &Table) -> Option<Finding> {
    let [high, low] = [table.scan.high, table.scan.low];
    let told = [("+infinity", high), ("-infinity", low)].into_iter();
    let told = told.filter_map(|(what, found)| {
        let (image, caption) = found.first(table.matrix)?;
        let (image, caption) = (grouped(image), grouped(caption));
        let cells = cells(found.count);
        Some(format!(
            "{what} in {cells}, the first at image {image}, caption {caption}"
        ))
    });
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| {
        Finding::note(table.subject(), told.join("; "))
            .effect("infinities are scores, first and last of all; equal ones rank by index")
    })
}

/// Embeddings are finite, but their products may overflow.
fn of_products(model: &Model, queries: usize) -> Option<Finding> {
    let overflows = queries > 0 && matches!(model.scores, Scores::Embeddings(_));
    overflows.then(|| {
        let subject = format!("model {} ({})", model.name, model.source);
        let found = format!(
            "products overflow in {} queries looked at",
            grouped(queries)
        );
        Finding::problem(subject, found)
            .effect("they are infinite or NaN, and have no order")
            .mend("--cosine, or save the embeddings as float64")
    })
}

fn cells(count: usize) -> String {
    match count {
        1 => "1 cell".into(),
        count => format!("{} cells", grouped(count)),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::data::npy::Npy;
    use crate::data::scores::Embeddings;
    use crate::data::source::Source;
    use crate::doctor::testing::{assert_note, assert_nothing, assert_problem, good, study, with};

    fn at(place: (usize, usize), value: f64) -> crate::study::Study {
        study(|image, caption| {
            if (image, caption) == place {
                value
            } else {
                good(image, caption)
            }
        })
    }

    #[test]
    fn nan_is_counted_and_placed() {
        assert_nothing(&CHECK, &study(good));
        assert_problem(
            &CHECK,
            &at((3, 41), f64::NAN),
            &["1 cell,", "image 3, caption 41", "nan_to_num"],
        );
    }

    #[test]
    fn infinities_are_a_note() {
        assert_note(
            &CHECK,
            &at((3, 41), f64::INFINITY),
            &["+infinity in 1 cell", "caption 41"],
        );
        assert_note(
            &CHECK,
            &at((0, 1), f64::NEG_INFINITY),
            &["-infinity in 1 cell"],
        );
    }

    #[test]
    fn products_that_overflow_are_seen() {
        let side = |rows: usize, cells: [f32; 2]| {
            let header =
                format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, 2), }}\n");
            let mut file = b"\x93NUMPY\x01\x00".to_vec();
            file.extend((header.len() as u16).to_le_bytes());
            file.extend(header.bytes());
            file.extend(cells.map(f32::to_le_bytes).concat().repeat(rows));
            Npy::open(Arc::new(Source::in_memory("e.npy", file))).unwrap()
        };
        let mut study = study(good);
        let captions = side(60, [1e30, 1e30]);
        for (value, problem) in [(1.0, false), (1e30, true)] {
            let embeddings = Embeddings::new(&side(20, [value, -value]), &captions, false).unwrap();
            with(&mut study, Scores::Embeddings(Arc::new(embeddings)));
            if problem {
                assert_problem(&CHECK, &study, &["--cosine"]);
            } else {
                assert_nothing(&CHECK, &study);
            }
        }
    }
}
