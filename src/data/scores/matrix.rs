//! One model's score matrix: images x captions, whatever way round the file has it.

use std::sync::Arc;

use super::pick::Pick;
use crate::data::Direction;
use crate::data::npy::{Element, Npy, no_scores};
use crate::data::text::count;
use crate::error::{Error, Result};

/// Which side of the gallery the rows of the file (its contiguous runs) stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    /// A run holds one image's score for every caption.
    Images,
    /// A run holds one caption's score for every image.
    Captions,
}

impl Rows {
    /// Whose queries' scores the runs are.
    pub fn direction(self) -> Direction {
        match self {
            Rows::Images => Direction::I2t,
            Rows::Captions => Direction::T2i,
        }
    }
}

/// Scores of every image with every caption, in a mapped file. Higher is better.
#[derive(Debug, Clone)]
pub struct ScoreMatrix {
    pub(super) npy: Npy,
    pub(super) rows: Rows,
    /// Images and captions of the file.
    pub(super) stored: [usize; 2],
    /// Those of them that the matrix has.
    pub(super) image_pick: Pick,
    pub(super) caption_pick: Pick,
}

/// An array of a file or name that is no matrix.
pub fn no_matrix(name: &str, dimensions: usize) -> Error {
    let dimensions = count(dimensions, "dimension");
    Error::new(name, format!("an array of {dimensions}"))
        .expected("a matrix: images x captions")
        .mend("save it with two dimensions, as by a.squeeze() or a.reshape(images, captions)")
}

impl ScoreMatrix {
    /// Takes a two-dimensional float array as scores of `images x captions`.
    ///
    /// `captions_first` says that the first index of the file is the caption.
    ///
    /// # Errors
    /// When the array is not two-dimensional or does not hold floats.
    pub fn new(npy: Npy, captions_first: bool) -> Result<Self> {
        let name = npy.source().display();
        let &[first, second] = npy.shape.as_slice() else {
            return Err(no_matrix(&name, npy.shape.len()));
        };
        if !npy.element.is_float() {
            return Err(no_scores(&npy));
        }
        let (images, captions) = if captions_first { (second, first) } else { (first, second) };
        let rows = if captions_first == npy.fortran { Rows::Images } else { Rows::Captions };
        Ok(ScoreMatrix {
            npy,
            rows,
            stored: [images, captions],
            image_pick: Pick::All,
            caption_pick: Pick::All,
        })
    }

    /// The matrix with these captions of the file only, in this order. Nothing is copied.
    #[must_use]
    pub fn with_captions(self, captions: Arc<[u32]>) -> Self {
        ScoreMatrix { caption_pick: Pick::Listed(captions), ..self }
    }

    /// Number of images, of those picked where not all are.
    pub fn images(&self) -> usize {
        self.image_pick.count(self.stored[0])
    }

    /// Number of captions, of those picked where not all are.
    pub fn captions(&self) -> usize {
        self.caption_pick.count(self.stored[1])
    }

    /// Number of queries of a direction.
    pub fn side_len(&self, direction: Direction) -> usize {
        match direction {
            Direction::I2t => self.images(),
            Direction::T2i => self.captions(),
        }
    }

    /// What a contiguous run of the file stands for.
    pub fn rows(&self) -> Rows {
        self.rows
    }

    /// Number of contiguous runs: rows of the matrix as it lies in the file.
    pub fn row_count(&self) -> usize {
        match self.rows {
            Rows::Images => self.images(),
            Rows::Captions => self.captions(),
        }
    }

    /// Scores in a contiguous run.
    pub fn row_len(&self) -> usize {
        match self.rows {
            Rows::Images => self.captions(),
            Rows::Captions => self.images(),
        }
    }

    /// Whether the first index of the file is the caption.
    pub fn captions_first(&self) -> bool {
        (self.rows == Rows::Images) == self.npy.fortran
    }

    /// The file it comes from.
    pub fn npy(&self) -> &Npy {
        &self.npy
    }

    /// Whether scores need 64 bits: narrowing them would make ties.
    pub fn is_double(&self) -> bool {
        self.npy.element == Element::Float(8)
    }

    /// The bytes of a run, as long as the file has it.
    pub(super) fn raw_row(&self, row: usize) -> &[u8] {
        let [images, captions] = self.stored;
        let len = match self.rows {
            Rows::Images => captions,
            Rows::Captions => images,
        };
        let row = self.across().stored(row);
        let bytes = len * self.npy.element.size();
        &self.npy.data()[row * bytes..(row + 1) * bytes]
    }

    /// The rows of the file that are part of the gallery.
    pub(super) fn across(&self) -> &Pick {
        match self.rows {
            Rows::Images => &self.image_pick,
            Rows::Captions => &self.caption_pick,
        }
    }

    /// Which scores of a run count.
    pub(super) fn along(&self) -> &Pick {
        match self.rows {
            Rows::Images => &self.caption_pick,
            Rows::Captions => &self.image_pick,
        }
    }

    /// One line for people: size and how the file has it.
    pub fn described(&self) -> String {
        let element = match self.npy.element {
            Element::Float(bytes) => format!("f{bytes}"),
            Element::BFloat16 => "bf16".to_owned(),
            _ => unreachable!("new() takes floats only"),
        };
        let order = match (self.npy.big_endian, self.npy.fortran) {
            (false, false) => "",
            (true, false) => ", big-endian",
            (false, true) => ", Fortran order",
            (true, true) => ", big-endian, Fortran order",
        };
        let first = ["images first", "captions first"][usize::from(self.captions_first())];
        format!(
            "scores of {} x {} ({element}{order}, {first})",
            count(self.images(), "image"),
            count(self.captions(), "caption")
        )
    }
}
