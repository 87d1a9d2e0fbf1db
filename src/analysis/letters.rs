//! Compact letter display of pairwise tests: items that share a letter do not differ.
//!
//! Source: Piepho 2004, *An algorithm for a letter-based representation of all-pairwise comparisons*,
//! doi:10.1198/1061860043515 (insert and absorb).

use super::paired_values::all_pairs;

/// Letters of `count` items: two share one if and only if `differs` is false. The first item has an `a`.
pub fn letters(count: usize, differs: impl Fn(usize, usize) -> bool) -> Vec<String> {
    let mut groups: Vec<Vec<usize>> = vec![(0..count).collect()];
    for [one, other] in all_pairs(count).filter(|&[one, other]| differs(one, other)) {
        let has_both = |group: &Vec<usize>| group.contains(&one) && group.contains(&other);
        let (split, mut kept): (Vec<_>, Vec<_>) = groups.into_iter().partition(has_both);
        for group in split {
            for removed in [one, other] {
                let part: Vec<usize> = group.iter().copied().filter(|of| *of != removed).collect();
                let holds_part =
                    |group: &Vec<usize>| part.iter().all(|of| group.binary_search(of).is_ok());
                if !kept.iter().any(holds_part) {
                    kept.push(part);
                }
            }
        }
        groups = kept;
    }
    groups.sort();
    let member_letters = |member: usize| {
        let own = groups.iter().enumerate().filter(|(_, group)| group.contains(&member));
        own.map(|(at, _)| letter(at)).collect()
    };
    (0..count).map(member_letters).collect()
}

/// The letter of a group by index: `a` to `z`, `A` to `Z`, then `.a` to `.Z`, `..a` and so on.
fn letter(at: usize) -> String {
    let letters: Vec<char> = ('a'..='z').chain('A'..='Z').collect();
    let dots = ".".repeat(at / letters.len());
    format!("{dots}{}", letters[at % letters.len()])
}

/// Whether the letters of two models have one in common: the models do not differ significantly.
pub fn share_letter(one: &str, other: &str) -> bool {
    let split = |letters| str::split_inclusive(letters, |sign| sign != '.');
    split(one).any(|letter| split(other).any(|of| of == letter))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn two_share_a_letter_if_and_only_if_they_do_not_differ(
            (count, differ) in (0_usize..14).prop_flat_map(|count| {
                (Just(count), proptest::collection::vec(any::<bool>(), count * count))
            })
        ) {
            let found = letters(count, |one, other| differ[one * count + other]);
            prop_assert_eq!(found.len(), count);
            for [one, other] in all_pairs(count) {
                let is_shared = share_letter(&found[one], &found[other]);
                prop_assert_eq!(is_shared, !differ[one * count + other], "{:?}", &found);
            }
            prop_assert!(found.iter().all(|of| !of.is_empty()));
        }
    }

    /// Only neighbours do not differ.
    #[test]
    fn the_best_has_the_first_letter() {
        let near = |one: usize, other: usize| one.abs_diff(other) > 1;
        assert_eq!(letters(4, near), ["a", "ab", "bc", "c"]);
        assert_eq!(letters(3, |_, _| false), ["a", "a", "a"]);
        assert_eq!(letters(3, |_, _| true), ["a", "b", "c"]);
        assert_eq!(letters(1, |_, _| true), ["a"]);
        assert_eq!(letters(0, |_, _| true), [""; 0]);
    }

    #[test]
    fn letters_never_run_out() {
        let found = letters(110, |_, _| true);
        assert_eq!([25, 26, 52, 105].map(|at| &*found[at]), ["z", "A", ".a", "..b"]);
    }
}
