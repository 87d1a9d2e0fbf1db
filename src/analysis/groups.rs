//! Differences in groups that are drawn, or change sign, together.

use rustc_hash::FxHashMap;

/// The sums of differences by group. Five captions of one image are not independent: as one group
/// they count as one observation.
#[derive(Debug, Clone, PartialEq)]
pub struct Groups {
    sums: Vec<f64>,
    sizes: Vec<u32>,
    count: usize,
}

impl Groups {
    /// Each difference by itself.
    pub fn single(differences: Vec<f64>) -> Self {
        Groups {
            sizes: vec![1; differences.len()],
            count: differences.len(),
            sums: differences,
        }
    }

    /// Differences with equal labels together, in the order in which labels come.
    pub fn labelled(differences: &[f64], labels: &[u32]) -> Self {
        let mut groups = Groups::single(Vec::new());
        let mut places: FxHashMap<u32, usize> = FxHashMap::default();
        for (difference, label) in differences.iter().zip(labels) {
            let place = *places.entry(*label).or_insert(groups.sums.len());
            if place == groups.sums.len() {
                groups.sums.push(0.0);
                groups.sizes.push(0);
            }
            groups.sums[place] += difference;
            groups.sizes[place] += 1;
            groups.count += 1;
        }
        groups
    }

    /// The sum of each group's differences.
    pub fn sums(&self) -> &[f64] {
        &self.sums
    }

    /// The number of differences in each group.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// The size that all groups have; `None` where they differ, and without groups.
    pub fn common_size(&self) -> Option<u32> {
        let first = *self.sizes.first()?;
        self.sizes
            .iter()
            .all(|&size| size == first)
            .then_some(first)
    }

    /// Number of groups.
    pub fn len(&self) -> usize {
        self.sums.len()
    }

    /// Whether there is nothing to test.
    pub fn is_empty(&self) -> bool {
        self.sums.is_empty()
    }

    /// The mean difference; `None` without any.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sums.iter().sum::<f64>() / self.count as f64)
    }

    /// Number of differences.
    pub fn count(&self) -> usize {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_labels_count_as_one() {
        let groups = Groups::labelled(&[1.0, 2.0, -1.0, 0.5], &[7, 3, 7, 3]);
        assert_eq!(groups.sums(), [0.0, 2.5]);
        assert_eq!(
            (groups.sizes(), groups.common_size()),
            (&[2, 2][..], Some(2))
        );
        assert_eq!((groups.len(), groups.count()), (2, 4));
        assert_eq!(groups.mean(), Some(0.625));
        let uneven = Groups::labelled(&[1.0, 2.0, 3.0], &[1, 1, 2]);
        assert_eq!(uneven.common_size(), None);
        assert_eq!(Groups::single(Vec::new()).mean(), None);
    }
}
