//! R@1 and mAP@R of the mixture over alpha: what is asked for, and what is there of it.

use super::app::App;
use super::backend::AppJob;
use super::dials::TAKES_TWO;
use super::popups::Curve;
use crate::engine::{AlphaCurve, CurveKey, Wanted};
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

impl AppJob for AlphaCurve {
    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        Some(Wanted::one(app.wanted_curve()?, || app.study.clone()))
    }

    fn take(app: &mut App, key: CurveKey, point: Result<Point, Error>) {
        app.curve.take(key, point);
    }
}

impl Traced {
    /// Takes a point, or the news that there is none.
    fn take(&mut self, key: CurveKey, point: Result<Point, Error>) {
        if self.key != Some(key) {
            *self = Traced {
                key: Some(key),
                ..Traced::default()
            };
        }
        match point {
            // Asked for again, it begins again.
            Ok(point)
                if self
                    .points
                    .last()
                    .is_some_and(|last| last.alpha >= point.alpha) => {}
            Ok(point) => self.points.push(point),
            Err(error) => self.error = Some(error),
        }
    }
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
            truth: self.view.truth,
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
        self.popup::<Curve>()?;
        let is_missing = match self.curve_points() {
            Ok(points) => points.last().is_none_or(|last| last.alpha < 1.0),
            Err(_) => false,
        };
        self.curve_key().filter(|_| is_missing)
    }
}
