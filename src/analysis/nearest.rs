//! Nearest items of an item on its own side, or of a text.

use crate::data::Direction;
use crate::data::scores::Scores;
use crate::data::text::Text;
use crate::error::{Error, Result};
use crate::study::{Study, View};

/// Query of [`Nearest`]: an item on the side of a direction's queries, or a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NearestTo {
    /// An image (`I2t`) or a caption, by gallery index.
    Item(Direction, usize),
    /// A text, against captions.
    Text(String),
}

/// Measure of similarity between items of one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// The cosine of the model's embeddings.
    Cosine,
    /// CIDEr-D of captions; for images the mean over their captions.
    Cider,
}

/// An item of the gallery with its similarity to the query of [`Nearest`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Near {
    /// Gallery index.
    pub index: usize,
    /// Cosine or CIDEr-D with the query, above 0.
    pub similarity: f64,
    /// Whether it shares a positive with the query; `None` for a text, and if the ground truth does not cover one of
    /// them.
    pub shares: Option<bool>,
}

/// Items of one side, most similar first.
#[derive(Debug, Clone, PartialEq)]
pub struct Nearest {
    /// Measure of all similarities in the list.
    pub by: Measure,
    /// Most similar first; ties in index order.
    pub items: Vec<Near>,
}

impl Measure {
    /// Name on screens and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Measure::Cosine => "cosine of embeddings",
            Measure::Cider => "CIDEr-D of captions",
        }
    }
}

impl NearestTo {
    /// Side of its nearest items.
    pub fn side(&self) -> Direction {
        match self {
            NearestTo::Item(side, _) => *side,
            NearestTo::Text(_) => Direction::T2i,
        }
    }
}

impl Nearest {
    /// The `count` items nearest to an item of the same side or to a text; fewer if fewer have a similarity above 0.
    /// Items are compared by embeddings of the view's model, or by captions if it has none; a text always by captions.
    ///
    /// # Errors
    /// Neither embeddings nor captions.
    pub fn new(study: &Study, view: View, to: &NearestTo, count: usize) -> Result<Self> {
        let raw = |caption: u32| study.gallery.texts.get(caption as usize).map_or("", Text::raw);
        let (by, similarities) = match (to, &study.models[view.model].scores) {
            (NearestTo::Item(side, at), Scores::Embeddings(embeddings)) => {
                (Measure::Cosine, embeddings.cosines(*side, *at))
            }
            (NearestTo::Text(text), _) => (Measure::Cider, study.cider_with_texts(&[text])?),
            (NearestTo::Item(Direction::T2i, at), _) => {
                (Measure::Cider, study.cider_with_texts(&[raw(*at as u32)])?)
            }
            (NearestTo::Item(Direction::I2t, at), _) => {
                let own = |image| study.original_items(Direction::I2t, image);
                let of_image: Vec<&str> = own(*at).iter().map(raw).collect();
                if of_image.is_empty() {
                    return Err(Error::new(study.gallery.image(*at), "no caption is known of it")
                        .expected("embeddings, or the captions of each image"));
                }
                let phi = study.cider_with_texts(&of_image)?;
                let mean = |image| {
                    let captions = own(image);
                    let sum: f64 = captions.iter().map(|caption| phi[caption as usize]).sum();
                    sum / captions.len().max(1) as f64
                };
                (Measure::Cider, (0..study.gallery.images.len()).map(mean).collect())
            }
        };
        let mut order: Vec<usize> = (0..similarities.len())
            .filter(|&index| *to != NearestTo::Item(to.side(), index) && similarities[index] > 0.0)
            .collect();
        order.sort_by(|&one, &other| similarities[other].total_cmp(&similarities[one]));
        let near = |index| Near {
            index,
            similarity: similarities[index],
            shares: share_positive(study, view, to, index),
        };
        Ok(Nearest { by, items: order.into_iter().take(count).map(near).collect() })
    }
}

/// Whether an item and another of its side share a positive under a view's ground truth; `None` for a text, and if the
/// truth does not cover one of them.
fn share_positive(study: &Study, view: View, to: &NearestTo, other: usize) -> Option<bool> {
    let NearestTo::Item(side, at) = *to else { return None };
    let relevance = study.truths[view.truth].relevance[side].as_ref()?;
    let [one, other] = [at, other].map(|query| relevance.place(query));
    let other = relevance.positives(other?);
    Some(relevance.positives(one?).iter().any(|item| other.contains(item)))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::data::npy::Npy;
    use crate::data::scores::{Embeddings, Model};
    use crate::study::demo;

    fn nearest(study: &Study, to: &NearestTo, count: usize) -> Nearest {
        let view = View::choose(study, None, Some("original"), Some(to.side())).unwrap();
        Nearest::new(study, view, to, count).unwrap()
    }

    #[test]
    fn without_embeddings_captions_decide_what_is_near() {
        let study = demo::open().unwrap();
        let text = study.gallery.texts[7].raw().to_owned();
        let to_text = nearest(&study, &NearestTo::Text(text), 3);
        assert_eq!(
            (to_text.by, to_text.items[0].index, to_text.items.len()),
            (Measure::Cider, 7, 3)
        );
        let to_caption = nearest(&study, &NearestTo::Item(Direction::T2i, 7), 2);
        let indices =
            |found: &Nearest| found.items.iter().map(|near| near.index).collect::<Vec<_>>();
        assert_eq!(indices(&to_caption), indices(&to_text)[1..]);
        // In the original pairing, images share none, captions those of their image.
        let image = study.original_items(Direction::T2i, 7).first();
        for near in &to_caption.items {
            let shares = study.original_items(Direction::T2i, near.index).first() == image;
            assert_eq!(near.shares, Some(shares));
        }
        let of_image = nearest(&study, &NearestTo::Item(Direction::I2t, 4), 10);
        assert!(of_image.items.iter().all(|near| near.index != 4 && near.shares == Some(false)));
        assert!(of_image.items.is_sorted_by(|one, other| one.similarity >= other.similarity));
        let nothing = nearest(&study, &NearestTo::Text("zzz".into()), 10);
        assert_eq!(nothing.items, []);
    }

    #[test]
    fn embeddings_are_compared_by_their_angles() {
        let mut study = demo::open().unwrap();
        let side = |rows, of: &dyn Fn(usize) -> [f64; 2]| {
            Npy::in_memory("e", [rows, 2], (0..rows).flat_map(of))
        };
        let images = side(60, &|row| {
            let angle = row as f64 * 0.01;
            [angle.cos() * (1.0 + row as f64), angle.sin() * (1.0 + row as f64)]
        });
        let captions = side(300, &|row| if row < 2 { [0.0; 2] } else { [1.0, row as f64] });
        let embeddings = Embeddings::new(&images, &captions, false).unwrap();
        let scores = Scores::Embeddings(Arc::new(embeddings));
        study.models = vec![Model { name: "e".into(), source: "e".into(), scores }];
        let found = nearest(&study, &NearestTo::Item(Direction::I2t, 30), 4);
        let items: Vec<usize> = found.items.iter().map(|near| near.index).collect();
        assert_eq!(found.by, Measure::Cosine);
        assert!(items[..2].contains(&29) && items[..2].contains(&31), "{items:?}");
        assert!((found.items[0].similarity - 0.01_f64.cos()).abs() < 1e-6);
        assert_eq!(nearest(&study, &NearestTo::Item(Direction::T2i, 0), 4).items, []);
    }

    #[test]
    fn an_error_says_that_captions_and_embeddings_are_missing() {
        let mut study = demo::open().unwrap();
        study.gallery.texts.clear();
        let view = View::choose(&study, None, None, Some(Direction::T2i)).unwrap();
        for to in [NearestTo::Text("dog".into()), NearestTo::Item(Direction::I2t, 3)] {
            let error = Nearest::new(&study, view, &to, 3).unwrap_err().to_string();
            assert!(error.contains("no caption has a text"), "{error}");
        }
    }
}
