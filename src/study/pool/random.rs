//! Random pools.

use std::fmt;

use super::Study;
use crate::data::candidate_mask::Part;
use crate::data::stream::{Stream, Use};
use crate::data::text::grouped;
use crate::error::{Error, Result};

/// A random sample of images. The same seed gives the same images on every machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RandomPool {
    /// Number of images.
    pub images: u32,
    /// Random seed.
    pub seed: u32,
}

impl RandomPool {
    /// Parses a name, `random1000s7`, or `random1000` for seed 0; `None` if it has another form.
    pub(super) fn parse(name: &str) -> Option<Self> {
        let rest = name.strip_prefix("random")?;
        let (images, seed) = rest.split_once('s').unwrap_or((rest, "0"));
        Some(RandomPool { images: images.parse().ok()?, seed: seed.parse().ok()? })
    }

    /// Checks the number of images.
    ///
    /// # Errors
    /// More images than the gallery has, or none.
    pub(super) fn check(self, study: &Study) -> Result<()> {
        let available = study.gallery.images.len();
        if self.images == 0 || self.images as usize > available {
            let found = format!("a random pool of {} images", grouped(self.images as usize));
            let expected = format!("1 to {}, which the gallery has", grouped(available));
            return Err(Error::new("--pool", found).expected(expected));
        }
        Ok(())
    }

    /// Draws the images, and adds their captions.
    ///
    /// # Errors
    /// As [`RandomPool::check`]; the images of captions are unknown.
    pub(super) fn draw(self, study: &Study) -> Result<Part> {
        self.check(study)?;
        let images = self.sample(study.gallery.images.len() as u32);
        Ok(study.part_of_images(images, &study.owners()?))
    }

    /// Draws [`RandomPool::images`] distinct numbers below `bound`, ascending: a partial Fisher-Yates shuffle.
    fn sample(self, bound: u32) -> Vec<u32> {
        let mut stream = Stream::new(self.seed.into(), Use::Pool, 0);
        let mut sample = stream.sample((0..bound).collect(), self.images as usize);
        sample.sort_unstable();
        sample
    }
}

impl fmt::Display for RandomPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "random{}s{}", self.images, self.seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_draws_the_same_images_everywhere_and_another_seed_others() {
        let draw = |images, seed| RandomPool { images, seed }.sample(1_000);
        let drawn = draw(100, 7);
        assert_eq!(drawn.len(), 100);
        assert!(drawn.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(drawn.iter().all(|&image| image < 1_000));
        assert_ne!(drawn, draw(100, 8));
        assert_eq!(draw(1_000, 1), (0..1_000).collect::<Vec<u32>>());
        // Uniform: of 2,000 samples of one in ten, about 200 hold each.
        let mut held = [0; 10];
        for seed in 0..2_000 {
            held[RandomPool { images: 1, seed }.sample(10)[0] as usize] += 1;
        }
        assert!(held.iter().all(|&count| (140..260).contains(&count)), "{held:?}");
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        let random = RandomPool { images: 1_000, seed: 7 };
        assert_eq!(RandomPool::parse(&random.to_string()), Some(random));
        assert_eq!(RandomPool::parse("random20").map(|random| random.seed), Some(0));
        for wrong in ["random", "random-1", "randoms7", "random5s", "x"] {
            assert_eq!(RandomPool::parse(wrong), None, "{wrong}");
        }
    }
}
