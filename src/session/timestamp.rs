//! Points in time as RFC 3339 writes them, in UTC and to the millisecond, which tells in which order answers of the
//! same second came.

use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A millisecond of the years 0 to 9999: `2026-11-21T10:00:00.250Z`, or `2026-11-21T10:00:00Z` for a whole second.
///
/// Other offsets and longer fractions of seconds are read, and written back in this form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// The first second of the year 0, since the start of 1970.
const FIRST: i64 = -62_167_219_200;
/// The last second of the year 9999.
const LAST: i64 = 253_402_300_799;
const DAY: i64 = 86_400;
/// Milliseconds of a second.
const MILLI: i64 = 1_000;

impl Timestamp {
    /// The present millisecond, in UTC.
    pub fn now() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        Timestamp(
            since
                .map_or(0, |since| since.as_millis() as i64)
                .min(LAST * MILLI),
        )
    }

    /// Seconds from an earlier time to this one; negative where it is later.
    pub fn seconds_since(self, earlier: Timestamp) -> i64 {
        (self.0 - earlier.0) / MILLI
    }

    /// Such as `2026-11-21 10:00 UTC`.
    pub fn to_the_minute(self) -> String {
        let text = self.to_string();
        format!("{} {} UTC", &text[..10], &text[11..16])
    }

    /// So many seconds after the start of 1970, or the nearest that can be written.
    pub fn of_seconds(seconds: i64) -> Self {
        Timestamp(seconds.clamp(FIRST, LAST) * MILLI)
    }
}

/// Days from the start of 1970 to a date of the Gregorian calendar (Howard Hinnant,
/// "chrono-Compatible Low-Level Date Algorithms"): years that begin in March end with the leap day.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// The way back.
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let month = (from_march + 2) % 12 + 1;
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    (year, month, day_of_year - (153 * from_march + 2) / 5 + 1)
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, millis) = (self.0.div_euclid(MILLI), self.0.rem_euclid(MILLI));
        let (year, month, day) = date(seconds.div_euclid(DAY));
        let second = seconds.rem_euclid(DAY);
        let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
        write!(
            f,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"
        )?;
        if millis > 0 {
            write!(f, ".{millis:03}")?;
        }
        f.write_str("Z")
    }
}

impl FromStr for Timestamp {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        parse(text.as_bytes()).ok_or(())
    }
}

fn parse(text: &[u8]) -> Option<Timestamp> {
    let (head, tail) = text.split_at_checked(19)?;
    let between = [head[4], head[7], head[10], head[13], head[16]];
    if !matches!(&between, b"--T::" | b"--t::" | b"-- ::") {
        return None;
    }
    let field = |from: usize, to: usize| number(&head[from..to]);
    let (year, month, day) = (field(0, 4)?, field(5, 7)?, field(8, 10)?);
    let (hour, minute, second) = (field(11, 13)?, field(14, 16)?, field(17, 19)?);
    let days = days(year, month, day);
    // The last second of a minute may be a leap second.
    if !(1..=12).contains(&month)
        || date(days) != (year, month, day)
        || hour > 23
        || minute > 59
        || second > 60
    {
        return None;
    }
    let seconds = days * DAY + hour * 3_600 + minute * 60 + second.min(59);
    let (millis, tail) = fraction(tail)?;
    let seconds = seconds - offset(tail)?;
    (FIRST..=LAST)
        .contains(&seconds)
        .then_some(Timestamp(seconds * MILLI + millis))
}

/// Milliseconds of the fraction of a second, cut off, and what stands behind it.
fn fraction(tail: &[u8]) -> Option<(i64, &[u8])> {
    let Some(fraction) = tail.strip_prefix(b".") else {
        return Some((0, tail));
    };
    let digits = fraction.iter().take_while(|b| b.is_ascii_digit()).count();
    let digit = |at: usize| {
        fraction[..digits]
            .get(at)
            .map_or(0, |b| i64::from(b - b'0'))
    };
    let millis = 100 * digit(0) + 10 * digit(1) + digit(2);
    (digits > 0).then(|| (millis, &fraction[digits..]))
}

/// Seconds that `Z` or `+01:30` is ahead of UTC.
fn offset(text: &[u8]) -> Option<i64> {
    let (sign, rest) = match text {
        b"Z" | b"z" => return Some(0),
        [b'+', rest @ ..] => (1, rest),
        [b'-', rest @ ..] => (-1, rest),
        _ => return None,
    };
    let &[_, _, b':', _, _] = rest else {
        return None;
    };
    let (hours, minutes) = (number(&rest[..2])?, number(&rest[3..])?);
    (hours < 24 && minutes < 60).then_some(sign * (hours * 3_600 + minutes * 60))
}

fn number(digits: &[u8]) -> Option<i64> {
    let digit = |sum: i64, &b: &u8| b.is_ascii_digit().then(|| sum * 10 + i64::from(b - b'0'));
    digits.iter().try_fold(0, digit)
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
            (FIRST, "0000-01-01T00:00:00Z"),
            (LAST, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(Timestamp::of_seconds(seconds).to_string(), text);
            assert_eq!(text.parse(), Ok(Timestamp::of_seconds(seconds)));
        }
    }

    #[test]
    fn other_forms_are_read_and_what_is_no_time_is_not() {
        let wanted = Timestamp::of_seconds(1_795_255_200);
        for same in [
            "2026-11-21 10:00:00.000456z",
            "2026-11-21t11:30:00+01:30",
            "2026-11-20T22:00:00-12:00",
        ] {
            assert_eq!(same.parse(), Ok(wanted), "{same}");
        }
        let finer: Timestamp = "2026-11-21T11:00:00.1256+01:00".parse().unwrap();
        assert_eq!(finer.to_string(), "2026-11-21T10:00:00.125Z");
        assert!(finer > wanted && finer.seconds_since(wanted) == 0);
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
        fn every_millisecond_reads_back(millis in FIRST * MILLI..=LAST * MILLI) {
            prop_assert_eq!(Timestamp(millis).to_string().parse(), Ok(Timestamp(millis)));
        }
    }
}
