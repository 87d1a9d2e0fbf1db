//! RFC 3339 times in UTC, to the millisecond: this keeps the order of responses within a second.

use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use chrono::{DateTime, SecondsFormat};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A time in the years 0 to 9999: `2026-11-21T10:00:00.250Z`, or `2026-11-21T10:00:00Z` for a whole second.
///
/// Other offsets and longer fractions are read, but written in this form. Counted in milliseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// The first second of the year 0, since the start of 1970.
const FIRST_SECOND: i64 = -62_167_219_200;
/// The last second of the year 9999.
const LAST_SECOND: i64 = 253_402_300_799;
/// Milliseconds per second.
const MILLIS: i64 = 1_000;

impl Timestamp {
    /// The current time.
    pub fn now() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        Timestamp(since.map_or(0, |since| since.as_millis() as i64).min(LAST_SECOND * MILLIS))
    }

    /// This many seconds after 1970, clamped to the valid range.
    pub fn from_seconds(seconds: i64) -> Self {
        Timestamp(seconds.clamp(FIRST_SECOND, LAST_SECOND) * MILLIS)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let precision = match self.0 % MILLIS {
            0 => SecondsFormat::Secs,
            _ => SecondsFormat::Millis,
        };
        let time = DateTime::from_timestamp_millis(self.0).unwrap_or_default();
        f.write_str(&time.to_rfc3339_opts(precision, true))
    }
}

impl FromStr for Timestamp {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let time = DateTime::parse_from_rfc3339(text).map_err(|_| ())?;
        let is_in_range = (FIRST_SECOND..=LAST_SECOND).contains(&time.timestamp());
        is_in_range.then_some(Timestamp(time.timestamp_millis())).ok_or(())
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|()| {
            de::Error::custom(format!("{text:?} is no time such as 2026-11-21T10:00:00Z"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_seconds() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_795_255_200, "2026-11-21T10:00:00Z"),
            (FIRST_SECOND, "0000-01-01T00:00:00Z"),
            (LAST_SECOND, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(Timestamp::from_seconds(seconds).to_string(), text);
            assert_eq!(text.parse(), Ok(Timestamp::from_seconds(seconds)));
        }
    }

    #[test]
    fn other_forms_are_read_and_what_is_no_time_is_not() {
        let wanted = Timestamp::from_seconds(1_795_255_200);
        for same in [
            "2026-11-21 10:00:00.000456z",
            "2026-11-21t11:30:00+01:30",
            "2026-11-20T22:00:00-12:00",
        ] {
            assert_eq!(same.parse(), Ok(wanted), "{same}");
        }
        let finer: Timestamp = "2026-11-21T11:00:00.1256+01:00".parse().unwrap();
        assert_eq!(finer.to_string(), "2026-11-21T10:00:00.125Z");
        assert!(finer > wanted);
        for other in [
            "",
            "2026-11-21",
            "2026-11-21T10:00:00",
            "2026-02-29T10:00:00Z",
            "2026-13-01T10:00:00Z",
            "2026-11-21T24:00:00Z",
            "2026-11-21T10:00:00.Z",
            "2026-11-21T10:00:00+1:00",
            "2026-11-21T10:00:00Zé",
            "0000-01-01T00:00:00+00:01",
        ] {
            assert_eq!(other.parse::<Timestamp>(), Err(()), "{other}");
        }
    }

    proptest! {
        #[test]
        fn every_millisecond_reads_back(millis in FIRST_SECOND * MILLIS..=LAST_SECOND * MILLIS) {
            prop_assert_eq!(Timestamp(millis).to_string().parse(), Ok(Timestamp(millis)));
        }
    }
}
