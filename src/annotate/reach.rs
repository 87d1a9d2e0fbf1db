//! Which things a chain of wins leads from and to: where some are never beaten by the others, no strength
//! is great enough for them.

use super::wins::Wins;

/// The groups in which every thing was preferred to every other one, if not directly then by way of others;
/// each by index, in the order of the first.
pub(super) fn groups(wins: &Wins) -> Vec<Vec<usize>> {
    let size = wins.names.len();
    let reached: Vec<Vec<bool>> = (0..size).map(|from| reached(wins, from)).collect();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (one, from_it) in reached.iter().enumerate() {
        let is_mutual = |group: &Vec<usize>| from_it[group[0]] && reached[group[0]][one];
        match groups.iter_mut().find(|group| is_mutual(group)) {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    groups
}

/// What wins lead to from one thing, itself among it.
fn reached(wins: &Wins, from: usize) -> Vec<bool> {
    let mut is_reached = vec![false; wins.names.len()];
    is_reached[from] = true;
    let mut open = vec![from];
    while let Some(winner) = open.pop() {
        for (loser, &count) in wins.counts[winner].iter().enumerate() {
            if count > 0.0 && !std::mem::replace(&mut is_reached[loser], true) {
                open.push(loser);
            }
        }
    }
    is_reached
}
