//! The header's two metrics of the mixture over alpha: what is asked for, and what is there of it.

use super::Model;
use super::demand::Asked;
use crate::error::Error;
use crate::evaluate::curve::Point;
use crate::jobs::CurveKey;
use crate::study::Dials;

impl Model {
    /// The curve of what is looked at: of the mixture, or else of the model with the next. `None` with
    /// one model.
    pub fn curve_key(&self) -> Option<CurveKey> {
        let mix = self.mix_or_next()?;
        Some(CurveKey {
            models: mix.models,
            scaling: mix.scaling,
            truth: self.view.truth,
            dials: Dials { mix: None, ..self.study_dials },
            specs: self.header.specs(),
        })
    }

    /// The points of it that are there, by alpha.
    ///
    /// # Errors
    /// Why there are none.
    pub fn curve_points(&self) -> Result<&[Point], &Error> {
        if self.known.curve.key != self.curve_key() {
            return Ok(&[]);
        }
        match &self.known.curve.error {
            Some(error) => Err(error),
            None => Ok(&self.known.curve.points),
        }
    }

    /// The curve that is open and not whole yet.
    pub fn wanted_curve(&self) -> Option<CurveKey> {
        if !matches!(self.demand.popup, Asked::Curve) {
            return None;
        }
        let is_missing = match self.curve_points() {
            Ok(points) => points.last().is_none_or(|last| last.alpha < 1.0),
            Err(_) => false,
        };
        self.curve_key().filter(|_| is_missing)
    }
}
