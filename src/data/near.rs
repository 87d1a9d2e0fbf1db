//! Which known name somebody meant who wrote another.

/// The known name nearest to one that is not known, if it is near enough to be meant; cases are alike.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    let far = |known: &str| strsim::osa_distance(&name, &known.to_lowercase());
    let near = known.into_iter().map(|known| (far(known), known));
    let (distance, nearest) = near.min_by_key(|(distance, _)| *distance)?;
    let most = (name.chars().count() / 3).clamp(1, 3);
    (distance <= most).then_some(nearest)
}

/// The known name that somebody meant: the nearest, else the only one that has what was written as a part.
pub fn meant<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let part = name.to_lowercase();
    let has_part = |known: &&&str| known.to_lowercase().contains(&part);
    let only = || {
        let mut with_part = known.iter().filter(has_part).copied();
        with_part.next().filter(|_| with_part.next().is_none())
    };
    nearest(name, known.iter().copied()).or_else(only)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_one_that_may_be_meant() {
        let known = ["eval", "rank", "map_at_r"];
        assert_eq!(nearest("rnak", known), Some("rank"));
        assert_eq!(nearest("MAP_at_R", known), Some("map_at_r"));
        assert_eq!(nearest("evl", known), Some("eval"));
        assert_eq!(nearest("colour", known), None);
    }

    #[test]
    fn a_part_of_one_name_alone_means_it() {
        let known = ["careful", "broad", "carefree", "naive"];
        assert_eq!(meant("Naiv", &known), Some("naive"));
        assert_eq!(meant("ful", &known), Some("careful"));
        assert_eq!(meant("care", &known), None);
    }
}
