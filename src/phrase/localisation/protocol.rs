//! Protocols: reference boxes of a chain, length of a side, maximum number of predicted boxes.

use crate::phrase::rect::{Extent, Rect};

/// Boxes that a prediction is compared with if a chain has several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReferenceBoxes {
    /// The smallest box around all boxes.
    Enclosing,
    /// Every box: the best overlap counts.
    Any,
}

/// A protocol of localisation. All compare with the coordinates of the annotations as in the files, counted from 1, and
/// a box is a hit from an intersection over union of [`THRESHOLD`] on.
#[derive(Debug, PartialEq, Eq)]
pub struct Protocol {
    /// Key on the command line.
    pub key: &'static str,
    /// Source and rules, for the help.
    pub doc: &'static str,
    /// Boxes that a prediction is compared with.
    pub truth: ReferenceBoxes,
    /// Convention for the length of a side.
    pub extent: Extent,
    /// Maximum predicted boxes of a phrase that count; `None` if all do.
    pub max_boxes: Option<usize>,
}

/// The minimum intersection over union of a hit.
pub const THRESHOLD: f64 = 0.5;

/// Every protocol, the default first.
///
/// Sources: Plummer et al. 2017, doi:10.1007/s11263-016-0965-7 (and its evaluation in Matlab); Kamath et al.
/// 2021, *MDETR*, arXiv:2104.12763, `flickr_eval.py`; Kim et al. 2018, *Bilinear attention networks*,
/// arXiv:1805.07932.
pub const PROTOCOLS: &[Protocol] = &[
    Protocol {
        key: "plummer",
        doc: "the paper of the data set: the box around all boxes of a chain, sides x2 - x1 + 1",
        truth: ReferenceBoxes::Enclosing,
        extent: Extent::PlusOne,
        max_boxes: None,
    },
    Protocol {
        key: "mdetr-any",
        doc: "MDETR's any-box, and GLIP's: any box of the chain, sides x2 - x1",
        truth: ReferenceBoxes::Any,
        extent: Extent::Plain,
        max_boxes: None,
    },
    Protocol {
        key: "mdetr-merged",
        doc: "MDETR's merged-boxes: the box around all boxes of a chain, sides x2 - x1",
        truth: ReferenceBoxes::Enclosing,
        extent: Extent::Plain,
        max_boxes: None,
    },
    Protocol {
        key: "ban",
        doc: "BAN's: any box of the chain, sides x2 - x1, the first 100 boxes of a phrase",
        truth: ReferenceBoxes::Any,
        extent: Extent::Plain,
        max_boxes: Some(100),
    },
];

impl Protocol {
    /// The protocol with this key.
    pub fn from_key(key: &str) -> Option<&'static Protocol> {
        PROTOCOLS.iter().find(|protocol| protocol.key == key)
    }

    /// The reference boxes, from all boxes of a chain.
    pub fn reference_boxes(&self, boxes: &[Rect]) -> Vec<Rect> {
        match self.truth {
            ReferenceBoxes::Any => boxes.to_vec(),
            ReferenceBoxes::Enclosing => {
                boxes.iter().copied().reduce(Rect::enclosing).into_iter().collect()
            }
        }
    }

    /// The highest intersection over union of a box with any reference box; 0 without any.
    pub fn iou(&self, rect: Rect, truth: &[Rect]) -> f64 {
        let each = truth.iter().map(|&truth| rect.iou(truth, self.extent));
        each.fold(0.0, f64::max)
    }

    /// The rules in words, for notes below tables.
    pub fn rules(&self) -> String {
        let truth = match self.truth {
            ReferenceBoxes::Enclosing => "the box around all boxes of a chain",
            ReferenceBoxes::Any => "any box of a chain",
        };
        let side = match self.extent {
            Extent::Plain => "x2 - x1",
            Extent::PlusOne => "x2 - x1 + 1",
        };
        let limit = self.max_boxes.map(|boxes| format!(", the first {boxes} boxes of a phrase"));
        format!(
            "a hit has an IoU of {THRESHOLD} or more with {truth}, sides being {side}, coordinates counted from 1 as in \
             the annotations{}",
            limit.unwrap_or_default()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOXES: [Rect; 2] = [Rect([11.0, 11.0, 20.0, 20.0]), Rect([41.0, 11.0, 50.0, 20.0])];

    fn is_hit(key: &str, rect: [f64; 4]) -> bool {
        let protocol = Protocol::from_key(key).unwrap();
        protocol.iou(Rect(rect), &protocol.reference_boxes(&BOXES)) >= THRESHOLD
    }

    /// The chain's boxes are 10 x 10 pixels each, the box around both 40 x 10.
    #[test]
    fn the_same_box_is_a_hit_under_one_protocol_and_a_miss_under_another() {
        let keys = ["plummer", "mdetr-any", "mdetr-merged", "ban"];
        for (rect, hits) in [
            // All of the first box of the two.
            ([11.0, 11.0, 20.0, 20.0], [false, true, false, true]),
            // Around both.
            ([11.0, 11.0, 50.0, 20.0], [true, false, true, false]),
            // Its upper rows, 5 of 10 pixels or 4 of 9: half of it only with one added.
            ([11.0, 11.0, 50.0, 15.0], [true, false, false, false]),
            ([11.0, 11.0, 20.0, 16.0], [false, true, false, true]),
            ([11.0, 11.0, 20.0, 15.0], [false, false, false, false]),
        ] {
            assert_eq!(keys.map(|key| is_hit(key, rect)), hits, "{rect:?}");
        }
    }

    #[test]
    fn every_protocol_has_a_word_and_rules_of_its_own() {
        for protocol in PROTOCOLS {
            assert_eq!(Protocol::from_key(protocol.key), Some(protocol));
            let same = |other: &&Protocol| other.rules() == protocol.rules();
            assert_eq!(PROTOCOLS.iter().filter(same).count(), 1, "{}", protocol.key);
        }
        assert_eq!(Protocol::from_key("coco"), None);
        assert_eq!(PROTOCOLS[0].reference_boxes(&[]), []);
    }
}
