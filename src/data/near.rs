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
}
