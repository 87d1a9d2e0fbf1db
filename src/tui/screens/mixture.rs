//! What the header says of a mixture: alpha as a slider between both names, or in words.

use super::headline::FIXED;
use crate::data::scores::Scaling;
use crate::study::Mix;
use crate::tui::widgets::text;

/// Alpha as a knob on a track. At the right end is the model whose weight alpha is, so that the knob is
/// nearer to what counts more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::tui) struct Slider {
    /// What stands before the track.
    pub(super) before: String,
    /// Columns of the track.
    pub(super) track: u16,
    /// Place of the knob on it.
    pub(super) knob: u16,
    /// What stands after the track.
    pub(super) after: String,
}

/// A track that is long enough to be dragged on, and one that is there where names would be cut beside it.
const SHORT: usize = 7;
const SHORTEST: usize = 4;
/// A track on which every step of alpha has its column.
const LONGEST: usize = 21;
/// Columns of a model's name beside a track.
const NAME: std::ops::RangeInclusive<usize> = 4..=16;
/// One step of alpha, in hundredths.
const STEP: u32 = 5;

impl Slider {
    /// A slider of at most `room` columns, with the names of both models; `None` where there is no room for these, and
    /// where they are whole without it alone.
    pub(super) fn fitted(mix: Mix, names: [&str; 2], room: usize) -> Option<Self> {
        let alpha = alpha(mix);
        // Two blanks around the track, one before alpha.
        let beside = |track: usize| {
            let left = room.checked_sub(track + text::width(&alpha) + 3)?;
            named(mix.scaling, names, left)
        };
        let whole = |track: usize| beside(track).filter(|(_, both)| *both == names);
        let is_whole_without =
            || named_alone(mix, names, room).is_some_and(|(_, both)| both == names);
        let cut = || beside(SHORT).filter(|_| !is_whole_without());
        let found = whole(SHORT).or_else(|| whole(SHORTEST)).or_else(cut);
        let (scaled, [first, second]) = found?;
        let (before, after) = (format!("{scaled}{second} "), format!(" {first} {alpha}"));
        let track = room.checked_sub(text::width(&before) + text::width(&after))?;
        let track = track.min(LONGEST);
        Some(Slider {
            track: track as u16,
            knob: (mix.percent * (track as u32 - 1) + 50) as u16 / 100,
            before,
            after,
        })
    }

    /// The first column of the track on the screen.
    fn start(&self) -> u16 {
        (text::width(FIXED[0]) + text::width(&self.before)) as u16
    }

    /// Whether a column of the screen is on the track, or beside its ends.
    pub(in crate::tui) fn is_at(&self, x: u16) -> bool {
        (self.start() - 1..=self.start() + self.track).contains(&x)
    }

    /// Alpha, in hundredths, at a column of the screen; beyond the ends it is that of the end.
    pub(in crate::tui) fn percent_at(&self, x: u16) -> u32 {
        let last = u32::from(self.track - 1);
        let place = u32::from(x.saturating_sub(self.start())).min(last);
        (place * (100 / STEP) * 2 + last) / (2 * last) * STEP
    }
}

/// A mixture without a slider: its names as far as there is room for them, and alpha at the model whose weight it is.
pub(super) fn without_slider(mix: Mix, names: [&str; 2], room: usize) -> String {
    let alpha = alpha(mix);
    if let Some((scaled, [first, second])) = named_alone(mix, names, room) {
        return format!("{scaled}{first} {alpha}+{second}");
    }
    let word = match mix.scaling {
        Scaling::Raw => "mix",
        scaled => scaled.key(),
    };
    format!("{word} {alpha}")
}

/// The scaling and both names without a slider, beside alpha, the sign between them and a blank.
fn named_alone(mix: Mix, names: [&str; 2], room: usize) -> Option<(&'static str, [String; 2])> {
    let left = room.checked_sub(text::width(&alpha(mix)) + 2)?;
    named(mix.scaling, names, left)
}

/// Columns that a mixture without a slider needs for its names.
pub(super) fn least_named(mix: Mix, names: [&str; 2]) -> usize {
    let scaled = scaled_words(mix.scaling).iter().map(|words| text::width(words));
    let least = names.map(|name| text::width(name).min(*NAME.start()));
    // The sign between the names, and a blank before alpha.
    scaled.min().unwrap_or(0) + least[0] + least[1] + 2 + text::width(&alpha(mix))
}

/// The scaling and both names in so many columns together: fewer words of the scaling rather than names that are
/// cut. `None` where there is no room for these.
fn named(scaling: Scaling, names: [&str; 2], room: usize) -> Option<(&'static str, [String; 2])> {
    let ways = scaled_words(scaling).iter().filter_map(|&scaled| {
        let both = fit_both(names, room.checked_sub(text::width(scaled))?)?;
        Some((scaled, both))
    });
    let ways: Vec<_> = ways.collect();
    let is_whole = |(_, both): &&(&str, [String; 2])| *both == names;
    let whole = ways.iter().find(is_whole);
    whole.or(ways.first()).cloned()
}

/// What stands of the scaling before the names, in ever fewer columns.
fn scaled_words(scaling: Scaling) -> &'static [&'static str] {
    match scaling {
        Scaling::Raw => &[""],
        Scaling::ZScore => &["zscore ", "z "],
        Scaling::MinMax => &["minmax ", "mm "],
    }
}

/// Both names in so many columns together; what a short one leaves, the other has. `None` where they would tell too
/// little.
fn fit_both(names: [&str; 2], room: usize) -> Option<[String; 2]> {
    let [first, second] = names.map(|name| text::width(name).min(*NAME.end()));
    let least = |width: usize| width.min(*NAME.start());
    if room < least(first) + least(second) {
        return None;
    }
    let half = room / 2;
    let of_first = if second <= half {
        room - second
    } else {
        half.max(least(first)).min(room - least(second))
    };
    let of_first = of_first.min(first);
    Some([
        text::fit_apart(names[0], &names, of_first),
        text::fit_apart(names[1], &names, (room - of_first).min(second)),
    ])
}

fn alpha(mix: Mix) -> String {
    format!("{:.2}", f64::from(mix.percent) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::index::ModelIx;

    fn slider(percent: u32, scaling: Scaling, room: usize) -> Option<Slider> {
        let mix = Mix { models: [0, 1].map(ModelIx::new), percent, scaling };
        Slider::fitted(mix, ["careful", "a rather long name"], room)
    }

    #[test]
    fn a_slider_fits_its_room_and_names_both_models() {
        for scaling in Scaling::ALL {
            for room in 0..90 {
                for percent in (0..=100).step_by(5) {
                    let Some(slider) = slider(percent, scaling, room) else {
                        assert!(room < 29, "{room}");
                        continue;
                    };
                    let around = text::width(&slider.before) + text::width(&slider.after);
                    assert!(around + usize::from(slider.track) <= room);
                    assert!(usize::from(slider.track) >= SHORT);
                    assert!(slider.knob < slider.track);
                    let is_named = slider.before.contains("a ") && slider.after.contains("ca");
                    assert!(is_named, "{slider:?}");
                }
            }
        }
    }

    #[test]
    fn a_mixture_without_a_slider_names_its_models_too() {
        let words = |scaling: Scaling, room: usize| {
            let mix = Mix { models: [0, 1].map(ModelIx::new), percent: 45, scaling };
            without_slider(mix, ["lsa", "minilm"], room)
        };
        assert_eq!(words(Scaling::Raw, 20), "lsa 0.45+minilm");
        assert_eq!(words(Scaling::ZScore, 24), "zscore lsa 0.45+minilm");
        assert_eq!(words(Scaling::ZScore, 20), "z lsa 0.45+minilm");
        assert_eq!(words(Scaling::MinMax, 22), "minmax lsa 0.45+minilm");
        assert_eq!(words(Scaling::MinMax, 20), "mm lsa 0.45+minilm");
        assert_eq!(words(Scaling::ZScore, 10), "zscore 0.45");
        let mix = Mix { models: [0, 1].map(ModelIx::new), percent: 45, scaling: Scaling::ZScore };
        let least = least_named(mix, ["lsa", "minilm"]);
        assert_eq!(words(Scaling::ZScore, least), "z lsa 0.45+mi…m");
        assert_eq!(words(Scaling::ZScore, least - 1), "zscore 0.45");
    }

    /// A name is not cut for a longer track, nor for one at all.
    #[test]
    fn names_come_before_the_track() {
        let mix = Mix { models: [0, 1].map(ModelIx::new), percent: 50, scaling: Scaling::MinMax };
        let fitted = |room| Slider::fitted(mix, ["lsa", "minilm"], room);
        for room in 23..60 {
            let slider = fitted(room).unwrap();
            assert!(slider.before.ends_with("minilm ") && slider.after.starts_with(" lsa "));
        }
        // Without a track they are whole.
        assert!((18..23).all(|room| fitted(room).is_none()));
    }

    #[test]
    fn what_a_short_name_leaves_the_other_has() {
        let both = |room| fit_both(["lsa", "minilm-long"], room).map(|both| both.join(" "));
        assert_eq!(both(14).as_deref(), Some("lsa minilm-long"));
        assert_eq!(both(10).as_deref(), Some("lsa min…ong"));
        assert_eq!(both(7).as_deref(), Some("lsa mi…g"));
        assert_eq!(both(6), None);
    }

    #[test]
    fn the_pointer_finds_alpha_where_the_knob_is() {
        for room in 24..90 {
            for percent in (0..=100).step_by(5) {
                let slider = slider(percent, Scaling::Raw, room).unwrap();
                let found = slider.percent_at(slider.start() + slider.knob);
                let column = 100 / (u32::from(slider.track) - 1);
                assert!(found.abs_diff(percent) <= column.div_ceil(2) + 2, "{slider:?}");
                assert!(usize::from(slider.track) < LONGEST || found == percent);
                assert_eq!((slider.percent_at(0), slider.percent_at(500)), (0, 100));
            }
        }
    }
}
