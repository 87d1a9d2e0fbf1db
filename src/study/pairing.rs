//! Files of the two directions of one model, told by their names.

use super::runs::RunFile;
use crate::data::Direction;

/// Puts runs in files of their own together where only the word for the direction in their names
/// tells them apart: `ours_i2t.run` and `ours_t2i.run` are one model.
pub(super) fn pair_up(runs: Vec<RunFile>) -> Vec<(String, Vec<RunFile>)> {
    let mut models: Vec<(String, Vec<RunFile>)> = Vec::new();
    for mut run in runs {
        let named = bare_stem(&run.stem);
        run.direction = run
            .direction
            .or(named.as_ref().map(|(_, direction)| *direction));
        let name = named.map_or(run.stem.clone(), |(bare, _)| bare);
        let partner = models.iter_mut().find(|(other, runs)| {
            let lacks = runs
                .iter()
                .all(|r| r.direction.is_some() && r.direction != run.direction);
            *other == name && run.direction.is_some() && lacks
        });
        match partner {
            Some((_, runs)) => runs.push(run),
            None => models.push((name, vec![run])),
        }
    }
    models
}

/// A file's name without the word for the direction, and the direction; `None` without such a word,
/// or where nothing else is left.
pub(super) fn bare_stem(stem: &str) -> Option<(String, Direction)> {
    let words = [
        ("i2t", Direction::I2t),
        ("t2i", Direction::T2i),
        ("image_to_caption", Direction::I2t),
        ("caption_to_image", Direction::T2i),
    ];
    let join = |c: char| !c.is_alphanumeric();
    words.iter().find_map(|&(word, direction)| {
        let (before, after) = stem.split_once(word)?;
        let before = before.trim_end_matches(join);
        let after = after.trim_start_matches(join);
        let between = if before.is_empty() || after.is_empty() {
            ""
        } else {
            "-"
        };
        let bare = format!("{before}{between}{after}");
        (!bare.is_empty()).then_some((bare, direction))
    })
}

#[cfg(test)]
mod tests {
    use super::super::runs::Listing;
    use super::*;
    use crate::truth::pairs::Pairs;

    #[test]
    fn the_word_for_the_direction_is_taken_off() {
        let bare = |stem| bare_stem(stem).map(|(bare, direction)| format!("{bare} {direction}"));
        assert_eq!(bare("ours_i2t"), Some("ours i2t".into()));
        assert_eq!(bare("t2i.ours"), Some("ours t2i".into()));
        assert_eq!(bare("clip-i2t-top100"), Some("clip-top100 i2t".into()));
        assert_eq!(bare("i2t"), None);
        assert_eq!(bare("ours"), None);
    }

    #[test]
    fn two_runs_of_one_name_are_one_model() {
        let run = |stem: &str| RunFile {
            file: stem.into(),
            stem: stem.into(),
            direction: None,
            listing: Listing::Pairs(Pairs::default(), Vec::new()),
            contradicting: 0,
        };
        let runs = ["a_t2i", "b_i2t", "a_i2t", "c", "c", "a_i2t"].map(run);
        let models: Vec<(String, usize)> = pair_up(runs.into())
            .into_iter()
            .map(|(name, runs)| (name, runs.len()))
            .collect();
        let expected = [("a", 2), ("b", 1), ("c", 1), ("c", 1), ("a", 1)];
        assert_eq!(models, expected.map(|(name, n)| (name.to_owned(), n)));
    }
}
