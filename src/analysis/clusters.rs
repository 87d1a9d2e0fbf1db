//! Clusters of dependent queries, and their values summed.

use super::per_query::part_ranges;
use crate::data::Direction;
use crate::study::Study;

/// Which queries form a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Clustering {
    /// By image: captions of one image are not independent.
    ByImage,
    /// Each query by itself.
    ByQuery,
}

impl Clustering {
    /// The original image of each caption, if captions of one image form a cluster; `None` without clusters, and if a
    /// caption has no original image.
    pub fn images(self, study: &Study) -> Option<Vec<u32>> {
        let image = |caption: usize| study.original_items(Direction::T2i, caption).first();
        let images = || (0..study.gallery.captions.len()).map(image).collect();
        (self == Clustering::ByImage).then(images).flatten()
    }

    /// What forms a cluster: `image`, or `query` if no ground truth tells the image of every caption.
    pub fn key(self, study: &Study) -> &'static str {
        self.images(study).map_or("query", |_| "image")
    }
}

/// The cluster of each query of the gallery: `images`, the image of each caption, for caption queries. `None` for image
/// queries and without `images`: each query is its own cluster.
pub fn query_clusters(images: Option<&[u32]>, direction: Direction) -> Option<&[u32]> {
    images.filter(|_| direction == Direction::T2i)
}

/// The cluster of each of these queries; `cluster_of` has one for each query of the gallery.
pub(super) fn labels(queries: &[u32], cluster_of: &[u32]) -> Vec<u32> {
    queries.iter().map(|&query| cluster_of[query as usize]).collect()
}

/// Sums and sizes of clusters. The five captions of an image are not independent: as one cluster they count as one
/// observation.
///
/// For a mean of part means (the 1K folds), values are weighted so that every part counts equally, and sizes are
/// sums of weights.
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

    /// Clusters of values with equal labels, in order of first occurrence.
    pub fn labelled(values: &[f64], labels: &[u32]) -> Self {
        Self::in_parts(values, Some(labels), &[values.len()])
    }

    /// Clusters of values in parts, for a mean of part means. `labels` has the cluster of each value; without it each
    /// value is a cluster. `ends` has the end index of each part. There are no clusters if any part is empty.
    pub fn in_parts(values: &[f64], labels: Option<&[u32]>, ends: &[usize]) -> Self {
        let mut groups = Groups::default();
        let label_count = labels.and_then(|labels| labels.iter().max());
        let mut group_of_label = vec![usize::MAX; label_count.map_or(0, |&last| last as usize + 1)];
        let part_size = values.len() as f64 / ends.len() as f64;
        for part in part_ranges(ends) {
            if part.is_empty() {
                return Groups::default();
            }
            let weight = part_size / part.len() as f64;
            for at in part {
                let mut group = labels.map_or(usize::MAX, |of| group_of_label[of[at] as usize]);
                if group == usize::MAX {
                    group = groups.sums.len();
                    groups.sums.push(0.0);
                    groups.sizes.push(0.0);
                    if let Some(labels) = labels {
                        group_of_label[labels[at] as usize] = group;
                    }
                }
                groups.sums[group] += weight * values[at];
                groups.sizes[group] += weight;
            }
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

    /// Mean number of values per cluster.
    pub(super) fn average_size(&self) -> f64 {
        self.sizes.iter().sum::<f64>() / self.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_mean(of: &Groups, mean: f64) -> bool {
        (of.sums.iter().sum::<f64>() / of.sizes.iter().sum::<f64>() - mean).abs() < 1e-15
    }

    #[test]
    fn equal_labels_count_as_one() {
        let groups = Groups::labelled(&[1.0, 2.0, -1.0, 0.5], &[7, 3, 7, 3]);
        assert_eq!(groups.sums, [0.0, 2.5]);
        assert_eq!(groups.sizes, [2.0, 2.0]);
        assert!(is_mean(&groups, 0.625));
    }

    /// Two parts of two and of one value: the mean of 1.5 and 5, not 8 / 3.
    #[test]
    fn parts_count_alike_whatever_their_size() {
        let groups = Groups::in_parts(&[1.0, 2.0, 5.0], None, &[2, 3]);
        assert!(is_mean(&groups, 3.25));
        assert_eq!(groups.sizes, [0.75, 0.75, 1.5]);
        let labels = [4, 4, 4, 4, 9];
        let groups = Groups::in_parts(&[1.0, 2.0, 5.0, 1.0, 0.0], Some(&labels), &[2, 5]);
        assert!(groups.len() == 2 && is_mean(&groups, 1.75));
        assert!(Groups::in_parts(&[1.0], None, &[1, 1]).is_empty());
    }
}
