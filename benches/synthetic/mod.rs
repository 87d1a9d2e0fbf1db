//! A study made in memory: a smaller COCO with as many targets for a query as the real one has.

use std::sync::Arc;

use itm_explore::data::Direction;
use itm_explore::data::gallery::Gallery;
use itm_explore::data::id::{Id, IdList};
use itm_explore::data::npy::Npy;
use itm_explore::data::scores::{Model, ScoreMatrix, Scores};
use itm_explore::data::source::Source;
use itm_explore::study::Study;
use itm_explore::truth::{Listed, Truth};

pub const IMAGES: usize = 1_000;
pub const CAPTIONS: usize = 5 * IMAGES;
/// Further positives of a rich truth: for an image, and for every fourth caption.
const EXTRA: usize = 5;

/// A linear congruential generator: the same numbers in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// Random scores, an original truth and a rich one. `captions_first` turns the file round.
pub fn study(captions_first: bool) -> Study {
    let mut random = Random(7);
    let gallery = Gallery {
        images: IdList::for_len(IMAGES),
        captions: IdList::for_len(CAPTIONS),
        ..Gallery::default()
    };
    let truths = vec![
        truth("original", &gallery, |_| 0, &mut random),
        truth("rich", &gallery, extra, &mut random),
    ];
    Study { models: vec![model(captions_first, &mut random)], gallery, truths, ..Study::default() }
}

fn extra((direction, query): (Direction, usize)) -> usize {
    match direction {
        Direction::I2t => EXTRA,
        Direction::T2i if query.is_multiple_of(4) => EXTRA,
        Direction::T2i => 0,
    }
}

/// The original pairing and so many further random positives for each query.
fn truth(
    name: &str,
    gallery: &Gallery,
    extra: impl Fn((Direction, usize)) -> usize,
    random: &mut Random,
) -> Truth {
    let mut truth = Truth::new(name);
    for direction in Direction::BOTH {
        let items = gallery.items(direction).len();
        let positives = |query: usize| {
            let own = match direction {
                Direction::I2t => 5 * query..5 * query + 5,
                Direction::T2i => query / 5..query / 5 + 1,
            };
            let further = (0..extra((direction, query))).map(|_| random.below(items));
            let positives: Vec<Id> = own.chain(further).map(|at| Id::Number(at as i64)).collect();
            (Id::Number(query as i64), positives)
        };
        let queries = 0..gallery.queries(direction).len();
        let listed = Listed {
            name: name.to_owned(),
            direction: Some(direction),
            pairs: queries.map(positives).collect(),
            file: format!("{name}.json"),
        };
        truth.add_direction(&listed, gallery).expect("every id is in the gallery");
    }
    truth
}

fn model(captions_first: bool, random: &mut Random) -> Model {
    let shape = if captions_first { (CAPTIONS, IMAGES) } else { (IMAGES, CAPTIONS) };
    let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape:?}, }}");
    // Aligned as numpy.save writes it, so that the scores are read in place.
    let header = format!("{header:117}\n");
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.as_bytes());
    for _ in 0..IMAGES * CAPTIONS {
        let score = random.below(1 << 24) as f32 / (1 << 24) as f32;
        file.extend(score.to_le_bytes());
    }
    let npy = Npy::open(Arc::new(Source::in_memory("synthetic.npy", file)));
    let scores = ScoreMatrix::new(npy.expect("a sound header"), captions_first);
    Model {
        name: "synthetic".into(),
        source: "synthetic.npy".into(),
        scores: Scores::Matrix(Arc::new(scores.expect("a matrix of floats"))),
    }
}
