//! Values of queries summed by cluster.

/// Sums and sizes of clusters. The five captions of an image are not independent: as one cluster they count as one
/// observation.
///
/// For a mean of the means of parts (the 1K folds), each value is weighted so that every part counts alike; sizes are then
/// sums of these weights.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Groups {
    /// Sum of the values of each cluster.
    pub(super) sums: Vec<f64>,
    /// Number of values in each cluster.
    pub(super) sizes: Vec<f64>,
}

impl Groups {
    /// Clusters of one value each.
    pub fn single(values: Vec<f64>) -> Self {
        Groups { sizes: vec![1.0; values.len()], sums: values }
    }

    /// Values with equal labels form a cluster, in the order of their first value.
    pub fn labelled(values: &[f64], labels: &[u32]) -> Self {
        Self::in_parts(values, Some(labels), &[values.len()])
    }

    /// Clusters of values whose parts end at `ends`; without labels each value is a cluster. Empty where a part is.
    pub fn in_parts(values: &[f64], labels: Option<&[u32]>, ends: &[usize]) -> Self {
        let mut groups = Groups::default();
        let label_count = labels.and_then(|labels| labels.iter().max());
        let mut places = vec![usize::MAX; label_count.map_or(0, |&last| last as usize + 1)];
        let part_size = values.len() as f64 / ends.len() as f64;
        let mut start = 0;
        for &end in ends {
            if start == end {
                return Groups::default();
            }
            let weight = part_size / (end - start) as f64;
            for at in start..end {
                let mut place = labels.map_or(usize::MAX, |labels| places[labels[at] as usize]);
                if place == usize::MAX {
                    place = groups.sums.len();
                    groups.sums.push(0.0);
                    groups.sizes.push(0.0);
                    if let Some(labels) = labels {
                        places[labels[at] as usize] = place;
                    }
                }
                groups.sums[place] += weight * values[at];
                groups.sizes[place] += weight;
            }
            start = end;
        }
        groups
    }

    /// Number of clusters.
    pub fn len(&self) -> usize {
        self.sums.len()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.sums.is_empty()
    }

    /// Mean number of values of a cluster.
    pub(super) fn average_size(&self) -> f64 {
        self.sizes.iter().sum::<f64>() / self.len() as f64
    }

    /// The mean of the values, or of the means of parts; `None` without values.
    pub fn mean(&self) -> Option<f64> {
        let sum = |of: &[f64]| of.iter().sum::<f64>();
        (!self.is_empty()).then(|| sum(&self.sums) / sum(&self.sizes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_labels_count_as_one() {
        let groups = Groups::labelled(&[1.0, 2.0, -1.0, 0.5], &[7, 3, 7, 3]);
        assert_eq!(groups.sums, [0.0, 2.5]);
        assert_eq!(groups.sizes, [2.0, 2.0]);
        assert_eq!(groups.mean(), Some(0.625));
        assert_eq!(Groups::single(Vec::new()).mean(), None);
    }

    /// Two parts of two and of one value: the mean of 1.5 and 5, not 8 / 3.
    #[test]
    fn parts_count_alike_whatever_their_size() {
        let groups = Groups::in_parts(&[1.0, 2.0, 5.0], None, &[2, 3]);
        assert_eq!(groups.mean(), Some(3.25));
        assert_eq!(groups.sizes, [0.75, 0.75, 1.5]);
        let labels = [4, 4, 4, 4, 9];
        let groups = Groups::in_parts(&[1.0, 2.0, 5.0, 1.0, 0.0], Some(&labels), &[2, 5]);
        assert_eq!((groups.len(), groups.mean()), (2, Some(1.75)));
        assert!(Groups::in_parts(&[1.0], None, &[1, 1]).is_empty());
    }
}
