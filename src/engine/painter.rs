//! Makes pictures for the screen: read, scaled, and painted as whoever asks wants them.

use std::sync::Arc;

use super::Notify;
use super::worker::{Job, Worker};
use crate::picture::{self, Bounded, DynamicImage, Limits, Why};
use crate::study::Study;

/// A picture in a place of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PictureKey {
    /// Gallery index of the image.
    pub image: usize,
    /// Columns of its place.
    pub columns: u16,
    /// Rows of its place.
    pub rows: u16,
}

/// A thread that makes pictures; the newest request is made, what waits of older ones is given up.
pub struct Painter {
    worker: Worker<Vec<PictureKey>>,
}

/// Pixels of the pictures that are kept: what is wanted as a thumbnail is soon wanted larger.
const KEPT_SIDE: u32 = 1024;
/// Bytes of all that are kept.
const KEPT: usize = 24 << 20;

impl Painter {
    /// Starts the thread. A cell of the screen has `cell` pixels across and down; `paint` makes of a
    /// picture, which fits its place, what is drawn; `tell` takes each as it is done.
    pub fn new<P>(
        study: Arc<Study>,
        cell: (u16, u16),
        mut paint: impl FnMut(DynamicImage, PictureKey) -> Result<P, String> + Send + 'static,
        tell: impl Fn(PictureKey, Result<P, Why>) + Send + 'static,
        notify: &Notify,
    ) -> Self {
        let mut easel = Easel {
            study,
            cell,
            kept: Bounded::new(KEPT),
        };
        let work = move |keys: Vec<PictureKey>, job: &Job<_>| {
            for key in keys {
                if job.is_over() {
                    break;
                }
                let picture = easel.fitted(key);
                tell(
                    key,
                    picture.and_then(|picture| paint(picture, key).map_err(Why::Broken)),
                );
            }
        };
        Painter {
            worker: Worker::start("pictures", notify.clone(), work),
        }
    }

    /// Asks for pictures, in this order; those asked for before are given up.
    pub fn paint(&self, keys: Vec<PictureKey>) {
        self.worker.request(keys);
    }

    /// Waits until all that was asked for is done.
    pub fn wait_idle(&self) {
        self.worker.wait_idle();
    }
}

/// The pictures of a study, the last ones kept at a moderate size.
struct Easel {
    study: Arc<Study>,
    cell: (u16, u16),
    kept: Bounded<usize, Copy>,
}

/// A picture, scaled down to fit into so many pixels.
struct Copy {
    picture: DynamicImage,
    within: (u32, u32),
}

impl Easel {
    /// The picture as large as its place allows.
    fn fitted(&mut self, key: PictureKey) -> Result<DynamicImage, Why> {
        let side = |cells: u16, pixels: u16| u32::from(cells) * u32::from(pixels);
        let place = (side(key.columns, self.cell.0), side(key.rows, self.cell.1));
        let is_enough = |copy: &&Copy| place.0 <= copy.within.0 && place.1 <= copy.within.1;
        let kept = self.kept.get(&key.image).filter(is_enough);
        if let Some(copy) = kept {
            return Ok(picture::fitted(&copy.picture, place));
        }
        let whole = picture::load(&self.study.picture(key.image)?, Limits::default())?;
        let within = (place.0.max(KEPT_SIDE), place.1.max(KEPT_SIDE));
        let picture = picture::shrunk(whole, within);
        let fitted = picture::fitted(&picture, place);
        let bytes = picture.as_bytes().len();
        self.kept.insert(key.image, Copy { picture, within }, bytes);
        Ok(fitted)
    }
}
