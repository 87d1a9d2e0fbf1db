//! R@1 and mAP@R of the mixture over alpha: what is asked for, and what is there of it.

use super::app::App;
use super::dials::TAKES_TWO;
use super::popups::Curve;
use crate::engine::CurveKey;
use crate::error::Error;
use crate::evaluate::curve::Point;
use crate::study::Dials;

/// A curve, as far as it is computed. It stays when it is closed.
#[derive(Debug, Default)]
pub struct Traced {
    key: Option<CurveKey>,
    /// By alpha, from 0 on.
    points: Vec<Point>,
    error: Option<Error>,
}

impl App {
    /// Opens the curve.
    pub(super) fn open_curve(&mut self) {
        if self.curve_key().is_some() {
            self.open(Curve);
        } else {
            self.message = Some(TAKES_TWO.into());
        }
    }

    /// The curve of what is looked at: of the mixture, or else of the model with the next. `None` with
    /// one model.
    pub fn curve_key(&self) -> Option<CurveKey> {
        let mix = self.mix_or_next()?;
        Some(CurveKey {
            models: mix.models,
            scaling: mix.scaling,
            truth: self.look.truth,
            dials: Dials {
                mix: None,
                ..self.study_dials
            },
        })
    }

    /// The points of it that are there, by alpha.
    ///
    /// # Errors
    /// Why there are none.
    pub fn curve_points(&self) -> Result<&[Point], &Error> {
        if self.curve.key != self.curve_key() {
            return Ok(&[]);
        }
        match &self.curve.error {
            Some(error) => Err(error),
            None => Ok(&self.curve.points),
        }
    }

    /// The curve that is open and not whole yet.
    pub fn wanted_curve(&self) -> Option<CurveKey> {
        if self.popup::<Curve>().is_none() {
            return None;
        }
        let is_missing = match self.curve_points() {
            Ok(points) => points.last().is_none_or(|last| last.alpha < 1.0),
            Err(_) => false,
        };
        self.curve_key().filter(|_| is_missing)
    }

    /// Takes a point, or the news that there is none.
    pub(super) fn take_point(&mut self, key: CurveKey, point: Result<Point, Error>) {
        if Some(key) != self.curve_key() {
            return;
        }
        if self.curve.key != Some(key) {
            self.curve = Traced {
                key: Some(key),
                ..Traced::default()
            };
        }
        let points = &mut self.curve.points;
        match point {
            // Asked for again, it begins again.
            Ok(point) if points.last().is_some_and(|last| last.alpha >= point.alpha) => {}
            Ok(point) => points.push(point),
            Err(error) => self.curve.error = Some(error),
        }
    }
}
