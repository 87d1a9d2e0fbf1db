//! The header's two metrics over alpha, as far as they are computed.

use crate::error::Error;
use crate::evaluate::curve::Point;
use crate::jobs::CurveKey;

/// A curve, as far as it is computed. It stays when it is closed.
#[derive(Debug, Default)]
pub struct Traced {
    pub(in crate::tui::model) key: Option<CurveKey>,
    /// By alpha, from 0 on.
    pub(in crate::tui::model) points: Vec<Point>,
    pub(in crate::tui::model) error: Option<Error>,
}

impl Traced {
    /// Takes a point, or the news that there is none.
    pub(crate) fn take(&mut self, key: CurveKey, point: Result<Point, Error>) {
        if self.key != Some(key) {
            *self = Traced { key: Some(key), ..Traced::default() };
        }
        match point {
            // Asked for again, it begins again.
            Ok(point) if self.points.last().is_some_and(|last| last.alpha >= point.alpha) => {}
            Ok(point) => self.points.push(point),
            Err(error) => self.error = Some(error),
        }
    }
}
