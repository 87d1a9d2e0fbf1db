//! Pairs up files of the two directions of one model, by name.

use super::loaded_scores::{LoadedForm, LoadedScores};
use super::runs::RunFile;
use crate::data::Direction;

/// The models of ranked lists. Two files are one model if their names differ only in a direction word: `ours_i2t.run`
/// and `ours_t2i.run`.
pub(super) fn pair_up(runs: Vec<RunFile>) -> Vec<LoadedScores> {
    let mut models: Vec<(String, Vec<RunFile>)> = Vec::new();
    for mut run in runs {
        let parsed = bare_stem(&run.stem);
        run.direction = run.direction.or(parsed.as_ref().map(|(_, direction)| *direction));
        let name = parsed.map_or(run.stem.clone(), |(bare, _)| bare);
        let partner = models.iter_mut().find(|(other, runs)| {
            let lacks = runs.iter().all(|r| r.direction.is_some() && r.direction != run.direction);
            *other == name && run.direction.is_some() && lacks
        });
        match partner {
            Some((_, runs)) => runs.push(run),
            None => models.push((name, vec![run])),
        }
    }
    models.into_iter().map(|(name, runs)| LoadedScores::from_lists(name, runs)).collect()
}

/// Pairs up matrices of queries x items whose names differ only in a direction word, as written by re-rankers:
/// `score_matrix_i2t.npy` and `score_matrix_t2i.npy`.
pub(super) fn pair_up_matrices(models: Vec<LoadedScores>) -> Vec<LoadedScores> {
    let mut paired: Vec<LoadedScores> = Vec::new();
    for model in models {
        let partner = paired.iter().position(|other| are_one_model(other, &model));
        let Some(place) = partner else {
            paired.push(model);
            continue;
        };
        let [LoadedForm::Matrix(mut one), LoadedForm::Matrix(mut other)] =
            [paired.remove(place), model].map(|model| model.form)
        else {
            unreachable!("only matrices are two");
        };
        if split_stem(&one.npy.source().stem()).is_some_and(|(_, one)| one == Direction::T2i) {
            std::mem::swap(&mut one, &mut other);
        }
        paired.insert(place, LoadedScores::from_matrices(one, other));
    }
    paired
}

/// Whether two matrices are the directions of one model: in one folder or archive, with transposed shapes.
fn are_one_model(one: &LoadedScores, other: &LoadedScores) -> bool {
    let (LoadedForm::Matrix(one), LoadedForm::Matrix(other)) = (&one.form, &other.form) else {
        return false;
    };
    let [one, other] = [&one.npy, &other.npy];
    let names = [one, other].map(|npy| {
        let source = npy.source();
        let (bare, direction) = split_stem(&source.stem())?;
        Some((source.path().parent()?.to_owned(), bare, direction))
    });
    let [Some((folder, bare, direction)), Some((beside, same, flipped))] = names else {
        return false;
    };
    let are_transposed =
        matches!((&one.shape[..], &other.shape[..]), ([a, b], [c, d]) if (a, b) == (d, c));
    folder == beside && bare == same && direction != flipped && are_transposed
}

/// Like [`split_stem`], but `None` also if nothing is left without the direction word.
pub(super) fn bare_stem(stem: &str) -> Option<(String, Direction)> {
    split_stem(stem).filter(|(bare, _)| !bare.is_empty())
}

/// File name without its direction word, such as `i2t`, and the direction; `None` without a direction word. The name
/// may be empty.
pub(super) fn split_stem(stem: &str) -> Option<(String, Direction)> {
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
        let between = if before.is_empty() || after.is_empty() { "" } else { "-" };
        let bare = format!("{before}{between}{after}");
        Some((bare, direction))
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
        let models = pair_up(runs.into());
        let models: Vec<[&str; 2]> =
            models.iter().map(|model| [&*model.name, &*model.source]).collect();
        let expected =
            [["a", "a_t2i, a_i2t"], ["b", "b_i2t"], ["c", "c"], ["c", "c"], ["a", "a_i2t"]];
        assert_eq!(models, expected);
    }
}
