//! How files are read where several ways are possible: orientation, repeated images, the original pairing.

use std::fmt::Write as _;

use super::*;

/// Thirty images of five captions each, in an order that mixes both.
const MANY: [usize; 2] = [30, 150];

fn image_of(caption: usize) -> usize {
    caption * 7 % MANY[1] / 5
}

fn mixed(image: usize, caption: usize) -> f64 {
    let own = if image_of(caption) == image { 20.0 } else { 0.0 };
    ((image * 31 + caption * 17) % 23) as f64 / 2.0 + own
}

fn opened(files: &[PathBuf], more: Inputs) -> itm_explore::error::Result<Study> {
    study::open(&Inputs { files: files.to_vec(), ..more })
}

fn refused(files: &[PathBuf], more: Inputs) -> String {
    opened(files, more).unwrap_err().to_string()
}

/// R@1 of the first model under the first ground truth, i2t and t2i.
fn r1(study: &Study) -> [f64; 2] {
    let found = numbers(study);
    let place = |line: &Line| line.key.ends_with("_r1");
    let place = found.lines.iter().position(place).unwrap();
    let Value::Each(values) = found.models[0].2[place] else {
        panic!("one value for each direction");
    };
    [values.i2t.unwrap().value.unwrap(), values.t2i.unwrap().value.unwrap()]
}

fn notes(study: &Study, of: &str) -> usize {
    let notes = study.notes.iter();
    notes.filter(|note| note.text.contains(of)).count()
}

fn lists(count: usize, of: impl Fn(usize) -> Vec<usize>) -> String {
    let lists: Vec<String> = (0..count).map(|at| format!("\"{at}\": {:?}", of(at))).collect();
    format!("{{{}}}", lists.join(", "))
}

fn captions_of(image: usize) -> Vec<usize> {
    (0..MANY[1]).filter(|&caption| image_of(caption) == image).collect()
}

#[test]
fn an_index_ground_truth_tells_which_side_is_first() {
    let files = Files::new();
    let [images, captions] = MANY;
    let plain = files.npy("plain.npy", "<f4", false, MANY, mixed);
    let turned = files.npy("turned.npy", "<f4", false, [captions, images], |c, i| mixed(i, c));
    let i2t = files.write("img2txt.json", lists(images, captions_of));
    let t2i = files.write("txt2img.json", lists(captions, |caption| vec![image_of(caption)]));
    let array: Vec<String> = (0..captions).map(|c| image_of(c).to_string()).collect();
    let array = files.write("texts_image_index.json", format!("[{}]", array.join(", ")));
    for truth in [i2t, t2i, array] {
        for (scores, is_turned) in [(&plain, false), (&turned, true)] {
            let study = opened(&[scores.clone(), truth.clone()], Inputs::default()).unwrap();
            assert_eq!(study.gallery.images.len(), images, "{truth:?}");
            assert_eq!(r1(&study), [1.0, 1.0], "{truth:?}");
            assert!(notes(&study, "captions first") > 0 || !is_turned);
            assert!(study.notes.iter().all(|note| !note.warning), "{:?}", study.notes);
        }
    }
}

#[test]
fn an_index_array_has_the_ids_of_images_or_their_places() {
    let files = Files::new();
    let scores = files.npy("plain.npy", "<f4", false, [IMAGES, CAPTIONS], score);
    let ids: Vec<String> = (0..IMAGES).map(|image| format!("\"i{image}\"")).collect();
    let ids = files.write("images.json", format!("[{}]", ids.join(", ")));
    let array = |name: &str, of: &dyn Fn(usize) -> String| {
        let all: Vec<String> = (0..CAPTIONS).map(of).collect();
        files.write(name, format!("[{}]", all.join(", ")))
    };
    let places = array("places.json", &|caption| (caption / 5).to_string());
    let named = array("named.json", &|caption| format!("\"i{}\"", caption / 5));
    let short = files.write("short.json", "[0, 0, 1, 1]");
    let with = |image_ids: Option<&PathBuf>| Inputs {
        image_ids: image_ids.cloned(),
        caption_ids: Some(files.path("ids.txt")),
        ..Inputs::default()
    };
    for (array, image_ids) in
        [(&places, None), (&places, Some(&ids)), (&named, None), (&named, Some(&ids))]
    {
        let study = opened(&[scores.clone(), array.clone()], with(image_ids)).unwrap();
        assert_same(&files, &study);
    }
    let error = refused(&[scores, short], with(None));
    assert!(error.contains("the images of 4 captions"), "{error}");
}

#[test]
fn a_square_matrix_is_read_as_its_pairs_say_or_refused_with_both_options() {
    let files = Files::new();
    let n = 24;
    let own = |image: usize, caption: usize, of: usize| {
        mixed(image, caption) % 7.0 + if image == of { 9.0 } else { 0.0 }
    };
    let pairs = |name: &str, of: &dyn Fn(usize) -> usize| {
        files.write(
            name,
            format!(
                "{{\"i2t\": {}, \"t2i\": {}}}",
                lists(n, |image| (0..n).filter(|&caption| of(caption) == image).collect()),
                lists(n, |caption| vec![of(caption)])
            ),
        )
    };
    let next = |caption: usize| (caption + 1) % n;
    let cyclic = pairs("cyclic.json", &next);
    let plain = files.npy("plain.npy", "<f4", false, [n, n], |i, c| own(i, c, next(c)));
    let turned = files.npy("turned.npy", "<f4", false, [n, n], |c, i| own(i, c, next(c)));
    for (scores, warnings) in [(&plain, 0), (&turned, 1)] {
        let study = opened(&[scores.clone(), cyclic.clone()], Inputs::default()).unwrap();
        assert_eq!(r1(&study), [1.0, 1.0]);
        let warned = study.notes.iter().filter(|note| note.warning).count();
        assert_eq!(warned, warnings, "{:?}", study.notes);
    }
    let diagonal = pairs("diagonal.json", &|caption| caption);
    let skewed = |i: usize, c: usize| own(i, c, c) + if i == 0 { 20.0 } else { 0.0 };
    let scores = files.npy("skewed.npy", "<f4", false, [n, n], skewed);
    for truth in [vec![diagonal.clone()], vec![]] {
        let named = [vec![scores.clone()], truth].concat();
        let error = refused(&named, Inputs::default());
        assert!(error.contains("--images-first") && error.contains("--captions-first"), "{error}");
        let [i2t, t2i] = [false, true].map(|captions_first| {
            let captions_first = Some(captions_first);
            r1(&opened(&named, Inputs { captions_first, ..Inputs::default() }).unwrap())
        });
        assert_eq!([i2t[1], i2t[0]], t2i);
        assert!(i2t[0] > 0.9 && i2t[1] < 0.1, "{i2t:?}");
    }
    let symmetric = |i: usize, c: usize| if i == c { 1.0 } else { (i + c) as f64 / 100.0 };
    let symmetric = files.npy("symmetric.npy", "<f4", false, [n, n], symmetric);
    assert_eq!(r1(&opened(&[symmetric, diagonal], Inputs::default()).unwrap()), [1.0, 1.0]);
}

#[test]
fn copies_of_images_are_folded_at_any_length_and_up_to_rounding() {
    let files = Files::new();
    for each in [2, 5] {
        let count = 12 * each;
        let near = |row: usize, c: usize| {
            let own = if c / each == row / each { 20.0 } else { 0.0 };
            ((row / each * 31 + c * 17) % 23) as f64 / 2.0 + own + 4e-6 * (row % each) as f64
        };
        let rows = files.npy("rows.npy", "<f4", false, [count, count], near);
        let columns = files.npy("columns.npy", "<f4", false, [count, count], |c, row| near(row, c));
        for scores in [rows, columns] {
            let study = opened(&[scores], Inputs::default()).unwrap();
            assert_eq!(study.gallery.images.len(), 12);
            assert_eq!(notes(&study, &format!("{each} times in a row")), 1);
            assert_eq!(r1(&study), [1.0, 1.0]);
        }
    }
}

#[test]
fn equal_images_that_are_no_copies_stay() {
    let files = Files::new();
    let twice = |row: usize, c: usize| score(row % 15, c);
    let square = files.npy("square.npy", "<f4", false, [CAPTIONS, CAPTIONS], twice);
    let equal = files.npy("equal.npy", "<f4", false, [CAPTIONS, CAPTIONS], |_, c| c as f64);
    for scores in [square, equal] {
        let inputs = Inputs {
            captions_first: Some(false),
            captions_per_image: Some(1),
            ..Inputs::default()
        };
        let study = opened(&[scores], inputs).unwrap();
        assert_eq!(study.gallery.images.len(), CAPTIONS);
    }
}

#[test]
fn a_pairing_that_the_scores_contradict_is_not_assumed() {
    let files = Files::new();
    let right =
        files.npy("right.npy", "<f4", false, [12, 60], |i, c| f64::from(u8::from(c / 5 == i)));
    assert_eq!(r1(&opened(&[right], Inputs::default()).unwrap()), [1.0, 1.0]);
    let noise = |i: usize, c: usize| ((i * 31 + c * 17 + i * c * 7) % 23) as f64;
    let wrong = files.npy("wrong.npy", "<f4", false, [12, 60], noise);
    let error = refused(std::slice::from_ref(&wrong), Inputs::default());
    for told in ["contradict", "a ground truth", "--captions-per-image 5", "--image-emb FILE"] {
        assert!(error.contains(told), "{error}");
    }
    let said = Inputs { captions_per_image: Some(5), ..Inputs::default() };
    assert!(opened(std::slice::from_ref(&wrong), said).is_ok());
    let browsed = Inputs { is_browsed: true, ..Inputs::default() };
    let study = opened(&[wrong], browsed).unwrap();
    assert!(study.truths.iter().all(itm_explore::truth::Truth::is_none_truth));
}

#[test]
fn two_directions_in_names_are_one_model() {
    let files = Files::new();
    let i2t = files.npy("ours_i2t.npy", "<f4", false, [IMAGES, CAPTIONS], score);
    let t2i = files.npy("ours_t2i.npy", "<f4", false, [CAPTIONS, IMAGES], |c, i| score(i, c));
    let archive = files.path("both.npz");
    let mut zip = zip::ZipWriter::new(std::fs::File::create(&archive).unwrap());
    for (name, path) in [("t2i.npy", &t2i), ("i2t.npy", &i2t)] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut zip, &std::fs::read(path).unwrap()).unwrap();
    }
    zip.finish().unwrap();
    let flags = ScoreInputs {
        i2t: Some(archive.clone()),
        t2i: Some(archive.clone()),
        ..ScoreInputs::default()
    };
    for (scores, flags) in [
        (vec![t2i, i2t], ScoreInputs::default()),
        (vec![archive], ScoreInputs::default()),
        (vec![], flags),
    ] {
        let study = files.study(&scores, flags).unwrap();
        assert_eq!(study.models.len(), 1);
        assert_same(&files, &study);
    }
}

#[test]
fn a_name_says_that_a_file_is_a_ground_truth() {
    let files = Files::new();
    let scores = files.npy("plain.npy", "<f4", false, [IMAGES, CAPTIONS], score);
    let texts = |caption: usize| format!("\"{} \"", caption + 100);
    let mut text = String::from("{");
    for image in 0..IMAGES {
        let own: Vec<String> = (5 * image..5 * image + 5).map(texts).collect();
        let comma = if image == 0 { "" } else { ", " };
        write!(text, "{comma}\"{image}\": [{}]", own.join(", ")).unwrap();
    }
    let blank = files.write("blank_image_to_caption.json", text + "}");
    let error = files.study(&[scores, blank], ScoreInputs::default()).unwrap_err().to_string();
    assert!(error.contains("blank_image_to_caption.json: none of its positives"), "{error}");
}

#[test]
fn rows_of_text_are_a_matrix() {
    let files = Files::new();
    let row = |image: usize| (0..CAPTIONS).map(|c| score(image, c).to_string()).collect::<Vec<_>>();
    let plain: Vec<String> = (0..IMAGES).map(|image| row(image).join(",")).collect();
    let plain = files.write("plain.csv", plain.join("\n"));
    let head: Vec<String> = (100..130).map(|id| id.to_string()).collect();
    let mut labelled = format!("image_id;{}\n", head.join(";"));
    for image in 0..IMAGES {
        writeln!(labelled, "{image};{}", row(image).join(";")).unwrap();
    }
    let labelled = files.write("labelled.csv", labelled);
    let study = files.study(&[plain, labelled.clone()], ScoreInputs::default()).unwrap();
    assert_same(&files, &study);
    let truth = files.path("original_image_to_caption.json");
    assert_same(&files, &opened(&[labelled, truth], Inputs::default()).unwrap());
}

#[test]
fn embeddings_are_named_where_matrices_do_not_fit() {
    let files = Files::new();
    let images = files.npy("images.npy", "<f4", false, [IMAGES, 4], |i, d| (i * d) as f64);
    let captions = files.npy("captions.npy", "<f4", false, [CAPTIONS, 4], |c, d| (c + d) as f64);
    let error = refused(&[captions.clone(), images.clone()], Inputs::default());
    let fix = format!("--image-emb {} --text-emb {}", images.display(), captions.display());
    assert!(error.contains(&fix), "{error}");
}

/// Files as people reported them, with the numbers that are right.
#[test]
#[ignore = "needs ../shared"]
fn reported_matrices_give_the_right_numbers() {
    let cases = common::shared("cases");
    let r1_of = |files: &[&str], scores: ScoreInputs| {
        let files: Vec<PathBuf> = files.iter().map(|file| cases.join(file)).collect();
        let more = Inputs { scores, ..Inputs::default() };
        r1(&opened(&files, more).unwrap()).map(|share| (share * 10_000.0).round() / 100.0)
    };
    let none = ScoreInputs::default;
    let index = ["W01/cb_scores.npy", "W01/texts_image_index.npy"];
    let blip = || Some(cases.join("P11/blip.npz"));
    let archive = ScoreInputs { i2t: blip(), t2i: blip(), ..ScoreInputs::default() };
    let two = ["P11/score_matrix_i2t.npy", "P11/score_matrix_t2i.npy"];
    for (found, right) in [
        (r1_of(&["P01/rep5batch.npy"], none()), [88.0, 84.6]),
        (r1_of(&["P02/cb_scores.npy", "P02/img2txt.json"], none()), [86.67, 84.0]),
        (r1_of(&index, none()), [86.67, 84.0]),
        (r1_of(&two, none()), [89.0, 84.4]),
        (r1_of(&[], archive), [89.0, 84.4]),
        (r1_of(&["W10/simc.csv"], none()), [86.67, 84.0]),
    ] {
        assert_eq!(found, right);
    }
    let ids = |name: &str| Some(cases.join("P06").join(name));
    let given = Inputs {
        image_ids: ids("msvd_ids.json"),
        caption_ids: ids("msvd_cids.json"),
        ..Inputs::default()
    };
    let error = refused(&[cases.join("P06/msvd.npy")], given);
    assert!(error.contains("name a ground truth") && !error.contains("--image-ids"), "{error}");
}
