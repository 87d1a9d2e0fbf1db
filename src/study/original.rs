//! The original pairing out of a captions file.

use rustc_hash::FxHashMap;

use crate::data::Direction;
use crate::data::captions::CaptionFile;
use crate::data::id::Id;
use crate::truth::Listed;
use crate::truth::pairs::Pairs;

/// The original pairing, where only a captions file tells it.
pub(super) fn of(file: &str, captions: &CaptionFile) -> [Listed; 2] {
    let mut by_image: Lists = Lists::default();
    let mut t2i = Pairs::default();
    for caption in &captions.captions {
        let Some(image) = &caption.image else {
            continue;
        };
        by_image.push(image, &caption.id);
        t2i.push(caption.id.clone(), [image.clone()]);
    }
    let listed = |direction, pairs| Listed {
        name: "original".into(),
        direction: Some(direction),
        pairs,
        file: file.to_owned(),
    };
    [
        listed(Direction::I2t, by_image.into_pairs()),
        listed(Direction::T2i, t2i),
    ]
}

/// Lists by key, keys in the order of their first item.
#[derive(Default)]
struct Lists {
    place: FxHashMap<Id, usize>,
    lists: Vec<(Id, Vec<Id>)>,
}

impl Lists {
    fn push(&mut self, key: &Id, item: &Id) {
        let place = *self.place.entry(key.clone()).or_insert_with(|| {
            self.lists.push((key.clone(), Vec::new()));
            self.lists.len() - 1
        });
        self.lists[place].1.push(item.clone());
    }

    fn into_pairs(self) -> Pairs {
        let mut pairs = Pairs::default();
        for (key, items) in self.lists {
            pairs.push(key, items);
        }
        pairs
    }
}
