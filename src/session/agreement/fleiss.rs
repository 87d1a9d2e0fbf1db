//! Fleiss' kappa: agreement of annotators of whom each pair has the same number.

/// Fleiss' kappa of subjects, by how many of the annotators gave each class. `None` where subjects have different
/// numbers of answers or fewer than two, or all answers are of one class.
///
/// Source: J. Fleiss, "Measuring nominal scale agreement among many raters", Psychological Bulletin 76(5), 1971.
pub fn fleiss<const N: usize>(subjects: &[[u64; N]]) -> Option<f64> {
    let raters: u64 = subjects.first()?.iter().sum();
    let is_even = |subject: &[u64; N]| subject.iter().sum::<u64>() == raters;
    if raters < 2 || !subjects.iter().all(is_even) {
        return None;
    }
    let all = (subjects.len() as u64 * raters) as f64;
    let pairs = (raters * (raters - 1)) as f64;
    let alike = |subject: &[u64; N]| {
        let alike: u64 = subject.iter().map(|count| count * count.saturating_sub(1)).sum();
        alike as f64 / pairs
    };
    let observed = subjects.iter().map(alike).sum::<f64>() / subjects.len() as f64;
    let share =
        |class: usize| subjects.iter().map(|subject| subject[class]).sum::<u64>() as f64 / all;
    let expected: f64 = (0..N).map(|class| share(class).powi(2)).sum();
    (expected < 1.0).then(|| (observed - expected) / (1.0 - expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of the textbook: ten subjects, five classes, fourteen raters.
    #[test]
    fn value_is_that_of_the_textbook() {
        let table = [
            [0, 0, 0, 0, 14],
            [0, 2, 6, 4, 2],
            [0, 0, 3, 5, 6],
            [0, 3, 9, 2, 0],
            [2, 2, 8, 1, 1],
            [7, 7, 0, 0, 0],
            [3, 2, 6, 3, 0],
            [2, 5, 3, 2, 2],
            [6, 5, 2, 1, 0],
            [0, 2, 2, 3, 7],
        ];
        assert!((fleiss(&table).unwrap() - 0.209_930_704_421_955_22).abs() < 1e-15);
    }

    #[test]
    fn it_is_undefined_where_numbers_of_answers_differ_or_nothing_varies() {
        assert_eq!(fleiss(&[[1, 1], [2, 1]]), None);
        assert_eq!(fleiss(&[[1, 0], [0, 1]]), None);
        assert_eq!(fleiss(&[[3, 0], [3, 0]]), None);
        assert_eq!(fleiss::<2>(&[]), None);
        assert_eq!(fleiss(&[[2, 0], [0, 2]]), Some(1.0));
    }
}
