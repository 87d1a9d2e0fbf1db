//! Values in clusters that are drawn, or change sign, together.

use rustc_hash::FxHashMap;

/// The sums of values by cluster. Five captions of one image are not independent: as one cluster they
/// count as one observation.
///
/// Where a number is the mean of the means of parts (the 1K folds), clusters stand part after part, and
/// are resampled within their part.
#[derive(Debug, Clone, PartialEq)]
pub struct Groups {
    sums: Vec<f64>,
    sizes: Vec<u32>,
    /// Where each part's clusters end.
    ends: Vec<usize>,
    is_binary: bool,
}

/// The clusters of one part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Part<'a> {
    /// The sum of each cluster's values.
    pub sums: &'a [f64],
    /// The number of values in each cluster.
    pub sizes: &'a [u32],
}

impl Part<'_> {
    /// Number of values.
    fn count(&self) -> f64 {
        self.sizes.iter().copied().map(f64::from).sum()
    }

    /// The mean of all values: a ratio of sums, as clusters may differ in size.
    pub fn mean(&self) -> f64 {
        self.sums.iter().sum::<f64>() / self.count()
    }

    /// The squared standard error of [`Part::mean`], robust to clusters, from each cluster's sum of
    /// deviations; with clusters of one it is the ordinary one.
    ///
    /// Source: Liang and Zeger 1986, doi:10.1093/biomet/73.1.13.
    fn squared_error(&self) -> f64 {
        let (mean, clusters) = (self.mean(), self.sums.len() as f64);
        let count = self.count();
        let each = self.sums.iter().zip(self.sizes);
        let squares = each.map(|(sum, &size)| (sum - f64::from(size) * mean).powi(2));
        squares.sum::<f64>() * clusters / (clusters - 1.0) / count.powi(2)
    }
}

impl Groups {
    /// Clusters of one value each, in one part.
    pub fn single(values: Vec<f64>) -> Self {
        Groups {
            sizes: vec![1; values.len()],
            ends: vec![values.len()],
            is_binary: are_binary(&values),
            sums: values,
        }
    }

    /// Values with equal labels together, in the order in which labels come.
    pub fn labelled(values: &[f64], labels: &[u32]) -> Self {
        Self::in_parts(values, Some(labels), &[values.len()])
    }

    /// Values whose parts end at `ends`, those with equal labels in a part together; without labels each
    /// by itself.
    pub fn in_parts(values: &[f64], labels: Option<&[u32]>, ends: &[usize]) -> Self {
        let mut groups = Groups {
            sums: Vec::new(),
            sizes: Vec::new(),
            ends: Vec::new(),
            is_binary: are_binary(values),
        };
        let mut start = 0;
        for &end in ends {
            match labels {
                None => groups.add_each(&values[start..end]),
                Some(labels) => groups.add_labelled(&values[start..end], &labels[start..end]),
            }
            groups.ends.push(groups.sums.len());
            start = end;
        }
        groups
    }

    fn add_each(&mut self, values: &[f64]) {
        self.sums.extend_from_slice(values);
        self.sizes.resize(self.sums.len(), 1);
    }

    fn add_labelled(&mut self, values: &[f64], labels: &[u32]) {
        let mut places: FxHashMap<u32, usize> = FxHashMap::default();
        for (value, label) in values.iter().zip(labels) {
            let place = *places.entry(*label).or_insert(self.sums.len());
            if place == self.sums.len() {
                self.sums.push(0.0);
                self.sizes.push(0);
            }
            self.sums[place] += value;
            self.sizes[place] += 1;
        }
    }

    /// The parts, one after the other.
    pub fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| Part {
            sums: &self.sums[start..end],
            sizes: &self.sizes[start..end],
        })
    }

    /// Where the clusters of each part end.
    pub fn ends(&self) -> &[usize] {
        &self.ends
    }

    /// What each cluster adds to the mean, up to a factor that all have in common.
    pub fn contributions(&self) -> Vec<f64> {
        if self.ends.len() == 1 {
            return self.sums.clone();
        }
        let of_part = |part: Part<'_>| {
            let count = part.count();
            part.sums
                .iter()
                .map(move |sum| sum / count)
                .collect::<Vec<_>>()
        };
        self.parts().flat_map(of_part).collect()
    }

    /// The same clusters as one value each, whose mean is [`Groups::mean`], in one part; and with them one above and one
    /// below zero, as far from it as those that are not zero on average: where all are, as a single value of `greatest`.
    /// `None` without a mean.
    pub fn with_two_more(&self, greatest: f64) -> Option<Groups> {
        self.mean()?;
        let share = self.len() as f64 / self.ends.len() as f64;
        let of_part = |part: Part<'_>| {
            let count = part.count();
            let each = part.sums.iter().map(move |sum| sum / count * share);
            each.collect::<Vec<_>>()
        };
        let mut values: Vec<f64> = self.parts().flat_map(of_part).collect();
        let far = match self.differing() {
            0 => greatest * self.len() as f64 / self.count(),
            differing => values.iter().map(|value| value.abs()).sum::<f64>() / differing as f64,
        };
        values.extend([-far, far]);
        Some(Groups::single(values))
    }

    /// Number of clusters whose sum is not 0.
    pub fn differing(&self) -> usize {
        self.sums.iter().filter(|&&sum| sum != 0.0).count()
    }

    /// Number of values over all parts.
    pub fn count(&self) -> f64 {
        self.parts().map(|part| part.count()).sum()
    }

    /// Whether every value is 0 or 1.
    pub fn are_binary(&self) -> bool {
        self.is_binary
    }

    /// Number of clusters over all parts.
    pub fn len(&self) -> usize {
        self.sums.len()
    }

    /// Whether there is nothing to test.
    pub fn is_empty(&self) -> bool {
        self.sums.is_empty()
    }

    /// Whether every value is a cluster of its own.
    pub fn are_single(&self) -> bool {
        self.sizes.iter().all(|&size| size == 1)
    }

    /// The mean of the values, or of the means of the parts; `None` where a part has no value.
    pub fn mean(&self) -> Option<f64> {
        let is_whole = !self.is_empty() && self.parts().all(|part| !part.sums.is_empty());
        is_whole.then(|| self.parts().map(|part| part.mean()).sum::<f64>() / self.ends.len() as f64)
    }

    /// Whether the mean of every cluster is the same; equal values leave no more than rounding errors.
    pub fn is_constant(&self) -> bool {
        let mut means = self
            .parts()
            .flat_map(|part| part.sums.iter().zip(part.sizes))
            .map(|(sum, &size)| sum / f64::from(size));
        let Some(first) = means.next() else {
            return false;
        };
        means.all(|mean| (mean - first).abs() <= ROUNDING.sqrt() * first.abs())
    }

    /// Degrees of freedom: clusters less parts.
    pub fn df(&self) -> f64 {
        self.sums.len() as f64 - self.ends.len() as f64
    }

    /// The standard error of the mean; `None` where a part has fewer than two clusters, and where values
    /// do not vary (equal values leave no more than rounding errors).
    pub fn error(&self) -> Option<f64> {
        if self.is_empty() || self.parts().any(|part| part.sums.len() < 2) {
            return None;
        }
        let squares: f64 = self.parts().map(|part| part.squared_error()).sum();
        let size = |part: Part<'_>| {
            let count = part.count();
            part.sums
                .iter()
                .map(|sum| (sum / count).powi(2))
                .sum::<f64>()
        };
        let size: f64 = self.parts().map(size).sum();
        (squares > size * ROUNDING).then(|| squares.sqrt() / self.ends.len() as f64)
    }
}

fn are_binary(values: &[f64]) -> bool {
    let is_either = |value: &f64| {
        [0.0, 1.0]
            .iter()
            .any(|one: &f64| one.to_bits() == value.to_bits())
    };
    values.iter().all(is_either)
}

/// Part of the squares that rounding makes, at most.
const ROUNDING: f64 = 1e-24;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_labels_count_as_one() {
        let groups = Groups::labelled(&[1.0, 2.0, -1.0, 0.5], &[7, 3, 7, 3]);
        let parts: Vec<Part<'_>> = groups.parts().collect();
        let expected = Part {
            sums: &[0.0, 2.5],
            sizes: &[2, 2],
        };
        assert_eq!(parts, [expected]);
        assert_eq!((groups.len(), groups.are_single()), (2, false));
        assert_eq!(groups.mean(), Some(0.625));
        assert_eq!(Groups::single(Vec::new()).mean(), None);
        assert!(Groups::single(vec![1.0, 2.0]).are_single());
    }

    /// Two parts of two and of one value: the mean of 1.5 and 5, not 8 / 3.
    #[test]
    fn parts_count_alike_whatever_their_size() {
        let groups = Groups::in_parts(&[1.0, 2.0, 5.0], None, &[2, 3]);
        assert_eq!(groups.mean(), Some(3.25));
        assert_eq!(groups.contributions(), [0.5, 1.0, 5.0]);
        assert_eq!((groups.df(), groups.error()), (1.0, None));
        let labels = [4, 4, 4, 4, 9];
        let groups = Groups::in_parts(&[1.0, 2.0, 5.0, 1.0, 0.0], Some(&labels), &[2, 5]);
        assert_eq!((groups.len(), groups.ends()), (3, &[1, 3][..]));
        let empty = Groups::in_parts(&[1.0], None, &[1, 1]);
        assert_eq!(empty.mean(), None);
    }

    /// Independent parts: errors add up in squares. Values 1, 3 have the error 1; 0, 4 have 2.
    #[test]
    fn errors_of_parts_add_up_in_squares() {
        let groups = Groups::in_parts(&[1.0, 3.0, 0.0, 4.0], None, &[2, 4]);
        let expected = 5f64.sqrt() / 2.0;
        assert!((groups.error().unwrap() - expected).abs() < 1e-12);
        assert_eq!(Groups::single(vec![0.1; 9]).error(), None);
    }
}
