use std::ops::Range;

use proptest::prelude::*;

use super::*;

const NCS: CiderOptions = CiderOptions { tokenisation: Tokenisation::Ncs, drop_self: false };

fn consecutive(counts: &[usize]) -> Vec<Vec<u32>> {
    let mut next = 0_u32..;
    counts.iter().map(|&count| next.by_ref().take(count).collect()).collect()
}

fn close(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-12
}

/// `pycocoevalcap`, each candidate with its own references.
#[test]
fn equals_pycocoevalcap() {
    let texts = [
        "a man speaks",
        "someone speaks",
        "a man is speaking while a bird is chirping in the background",
        "rain is falling hard on a surface",
        "a man is speaking",
        "rain falls",
    ];
    let cider = Cider::new(&texts, &[vec![0, 1, 2], vec![3]], CiderOptions::default());
    let scores = [cider.phi(4, 0), cider.phi(5, 1)];
    assert!((scores[0] - 1.36405492).abs() < 1e-8, "{scores:?}");
    assert!((scores[1] - 0.55865452).abs() < 1e-8, "{scores:?}");
    assert!(close(f64::midpoint(scores[0], scores[1]), 0.9613547163493906), "{scores:?}");
}

/// The code of NCS: all captions with all images, rows captions.
#[test]
fn equals_ncs() {
    let texts = [
        "a dog runs on the grass",
        "a dog on the grass .",
        "two dogs run",
        "a cat",
        "a red bus on the street",
        "the the the bus",
    ];
    let expected = [
        [6.826102718234235, 0.0, 0.3242585997688612],
        [6.826102718234235, 0.0, 0.3242585997688612],
        [0.0, 3.75, 0.0],
        [0.0, 2.5, 0.0],
        [0.2904515858273374, 0.0, 5.617153025964942],
        [0.11935520457012834, 0.0, 5.497797821394814],
    ];
    let cider = Cider::new(&texts, &consecutive(&[2, 2, 2]), NCS);
    let rows = cider.rows_of_captions(&[0, 1, 2, 3, 4, 5]);
    for (row, expected) in rows.chunks(3).zip(expected) {
        assert!(row.iter().zip(expected).all(|(&one, other)| close(one, other)), "{row:?}");
    }
}

/// One image: every idf is 0. No captions; empty ones; one word; very long ones; images without captions.
#[test]
fn nothing_is_nan() {
    let long = "a b c d e ".repeat(2_000);
    let texts = ["", "dog", "Dog!", "a dog , a dog", &long, "...", "the cat sat on the mat"];
    for own in [
        consecutive(&[7]),
        consecutive(&[1, 1, 1, 1, 1, 1, 1]),
        vec![vec![], vec![4], vec![], vec![1, 3]],
        vec![vec![]],
        vec![],
    ] {
        for tokenisation in Tokenisation::ALL {
            for drop_self in [false, true] {
                let options = CiderOptions { tokenisation, drop_self };
                let cider = Cider::new(&texts, &own, options);
                let images: Vec<usize> = (0..own.len()).collect();
                let rows = cider.rows_of_images(&images);
                assert_eq!(rows.len(), 7 * own.len());
                assert!(rows.iter().all(|phi| (0.0..=10.0 + 1e-9).contains(phi)));
                if own.len() == 1 {
                    assert!(rows.iter().all(|phi| *phi == 0.0), "one image weighs nothing");
                }
            }
        }
    }
    let nothing = Cider::new(&[], &[], NCS);
    assert!(nothing.rows_of_images(&[]).is_empty() && nothing.rows_of_captions(&[]).is_empty());
}

#[test]
fn a_caption_is_like_itself_unless_that_is_left_out() {
    let texts = ["two dogs run fast", "two dogs run fast", "one cat here", "a bus there now"];
    let own = consecutive(&[2, 2]);
    let cider = |drop_self| Cider::new(&texts, &own, CiderOptions { drop_self, ..NCS });
    assert!(close(cider(false).phi(0, 0), 10.0));
    assert!(close(cider(true).phi(0, 0), 10.0), "its twin is another caption");
    assert!(close(cider(false).phi(2, 1), 3.75), "three words have no 4-gram");
    assert!(close(cider(true).phi(2, 1), 0.0));
    let alone = Cider::new(&texts, &consecutive(&[1, 3]), CiderOptions { drop_self: true, ..NCS });
    assert!(close(alone.phi(0, 0), 0.0), "nothing is left to compare with");
}

fn caption() -> impl Strategy<Value = String> {
    let word = prop::sample::select(&["a", "dog", "the", "runs", "on", "grass.", "Bus,"][..]);
    prop::collection::vec(word, 0..12).prop_map(|words| words.join(" "))
}

/// Texts, captions per image, and options.
type Compared = (Vec<String>, Vec<usize>, bool, bool);

fn compared(texts: Range<usize>, images: Range<usize>) -> impl Strategy<Value = Compared> {
    let texts = prop::collection::vec(caption(), texts);
    let per_image = prop::collection::vec(0_usize..4, images);
    (texts, per_image, any::<bool>(), any::<bool>())
}

fn check((texts, per_image, is_ptb, drop_self): &Compared) -> Result<(), TestCaseError> {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut own = consecutive(per_image);
    for own in &mut own {
        own.retain(|&caption| (caption as usize) < texts.len());
    }
    let options = CiderOptions {
        tokenisation: Tokenisation::ALL[usize::from(!is_ptb)],
        drop_self: *drop_self,
    };
    let expected = naive::all(&texts, &own, options);
    let cider = Cider::new(&texts, &own, options);
    let images: Vec<usize> = (0..own.len()).collect();
    let captions: Vec<usize> = (0..texts.len()).rev().collect();
    let [by_image, by_caption] = [cider.rows_of_images(&images), cider.rows_of_captions(&captions)];
    for (image, row) in expected.iter().enumerate() {
        for (caption, &phi) in row.iter().enumerate() {
            let at = (texts.len() - 1 - caption) * own.len() + image;
            let of_image = by_image[image * texts.len() + caption];
            prop_assert!(close(of_image, phi));
            prop_assert_eq!(by_caption[at].to_bits(), of_image.to_bits());
            prop_assert!(close(cider.phi(caption, image), phi));
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn equals_the_definition(compared in compared(1..24, 1..9)) {
        check(&compared)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    /// Enough captions that some terms are frequent.
    #[test]
    fn equals_the_definition_where_terms_are_frequent(compared in compared(64..200, 9..40)) {
        check(&compared)?;
    }
}

fn tokenise(tokenisation: Tokenisation, text: &str) -> Vec<String> {
    let mut words = Vec::new();
    tokenisation.for_each_word(text, |word| words.push(word.to_owned()));
    words
}

#[test]
fn blanks_alone_split_for_ncs() {
    let words = |text| tokenise(Tokenisation::Ncs, text);
    assert_eq!(words("A dog.\tRuns , "), ["a", "dog.", "runs", ","]);
    assert!(words(" \n").is_empty());
}

/// Output of the tokeniser of `pycocoevalcap`.
#[test]
fn punctuation_is_no_word_for_captioning() {
    let words = |text| tokenise(Tokenisation::Ptb, text);
    assert_eq!(words("A dog, running."), ["a", "dog", "running"]);
    assert_eq!(
        words("\"Black-and-white\" cats' photo; it's 3.5 m!"),
        ["black-and-white", "cats", "photo", "it", "'s", "3.5", "m"]
    );
    assert_eq!(words("He can't, they cannot"), ["he", "ca", "n't", "they", "can", "not"]);
    assert_eq!(
        words("cats & dogs 50% -- no... (yes)"),
        ["cats", "&", "dogs", "50", "%", "no", "-lrb-", "yes", "-rrb-"]
    );
    assert_eq!(words("A man\u{2019}s T.V. on a tv."), ["a", "man", "'s", "t.v.", "on", "a", "tv"]);
    assert!(words("... ! ? -- ,").is_empty());
    assert_eq!(words("Straße, 犬が走る。"), ["straße", "犬が走る", "。"]);
}

/// Captions of a new image are compared like those of an image of the gallery.
#[test]
fn texts_are_an_image_of_their_own() {
    let texts = ["a dog runs", "two dogs run fast", "a cat", "a cat sits", "a dog on the grass"];
    let own = consecutive(&[2, 2, 1]);
    let cider = Cider::new(&texts, &own, CiderOptions::default());
    for (image, own) in own.iter().enumerate() {
        let of_image: Vec<&str> = own.iter().map(|&caption| texts[caption as usize]).collect();
        assert_eq!(
            phi_with_texts(&texts, &self::consecutive(&[2, 2, 1]), &of_image),
            cider.rows_of_images(&[image])
        );
    }
    let near = phi_with_texts(&texts, &own, &["dog runs zebra"]);
    assert!(near[0] > near[4] && near[4] > 0.0 && near[2] == 0.0, "{near:?}");
}
