//! How many answers there are, and how fast they come.

use super::Model;
use crate::session::Timestamp;

/// Seconds of a day, and of the last minutes in which the pace is measured.
const DAY: i64 = 86_400;
const LATELY: i64 = 300;
const MINUTE: f64 = 60.0;

/// My answers, counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    /// All of them.
    pub all: usize,
    /// Those of the last 24 hours.
    pub of_day: usize,
    /// A minute, over the last five; over one at least.
    pub a_minute: f64,
}

impl Pace {
    fn of(times: impl Iterator<Item = Timestamp>, now: Timestamp) -> Self {
        let ages: Vec<i64> = times.map(|at| now.seconds_since(at)).collect();
        let within = |seconds: i64| ages.iter().filter(move |age| **age < seconds);
        let oldest = within(LATELY).max().copied().unwrap_or(0);
        Pace {
            all: ages.len(),
            of_day: within(DAY).count(),
            a_minute: within(LATELY).count() as f64 / (oldest as f64 / MINUTE).max(1.0),
        }
    }
}

impl Pace {
    /// How long so many more answers take at this pace, in words; `None` while there is none.
    pub fn time_for(&self, left: usize) -> Option<String> {
        let minutes = (left as f64 / self.a_minute).ceil();
        let is_known = self.a_minute > 0.0 && minutes < 1e6;
        is_known.then(|| match minutes as usize {
            minutes @ ..60 => format!("{minutes} min"),
            minutes => format!("{} h {:02} min", minutes / 60, minutes % 60),
        })
    }
}

impl Model {
    /// My answers in this session, counted now.
    pub fn pace(&self) -> Pace {
        Pace::of(self.session.times(), Timestamp::now())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_is_that_of_the_last_five_minutes() {
        let now = 1_000_000;
        let pace = |ages: &[i64]| {
            let times = ages.iter().map(|age| Timestamp::of_seconds(now - age));
            Pace::of(times, Timestamp::of_seconds(now))
        };
        let none = pace(&[]);
        assert_eq!((none.all, none.of_day, none.a_minute), (0, 0, 0.0));
        // Within the first minute it is what was answered in it.
        assert!((pace(&[30, 20, 10]).a_minute - 3.0).abs() < 1e-12);
        let long = pace(&[90_000, 400, 240, 120, 60, 0]);
        assert_eq!((long.all, long.of_day), (6, 5));
        assert!((long.a_minute - 1.0).abs() < 1e-12);
        assert_eq!(none.time_for(9), None);
        assert_eq!(long.time_for(9).as_deref(), Some("9 min"));
        assert_eq!(long.time_for(125).as_deref(), Some("2 h 05 min"));
        assert_eq!(long.time_for(0).as_deref(), Some("0 min"));
    }
}
