//! Matrices in every dtype, order, width and container.

use super::*;

#[test]
fn every_dtype_order_and_orientation_gives_the_same_numbers() {
    let files = Files::new();
    let mut scores = Vec::new();
    for descr in ["<f2", ">f2", "<f4", ">f4", "<f8", ">f8"] {
        for fortran in [false, true] {
            let order = descr.replace('<', "little").replace('>', "big");
            let name = |first: &str| format!("{order}-{fortran}-{first}.npy");
            let shape = [IMAGES, CAPTIONS];
            scores.push(files.npy(&name("images"), descr, fortran, shape, score));
            let turned = [CAPTIONS, IMAGES];
            scores.push(files.npy(&name("captions"), descr, fortran, turned, |c, i| score(i, c)));
        }
    }
    let study = files.study(&scores, ScoreInputs::default()).unwrap();
    assert_eq!(study.models.len(), 24);
    assert_same(&files, &study);
}

#[test]
fn archives_and_json_lists_give_the_same_numbers() {
    let files = Files::new();
    let plain = files.npy("a.npy", "<f4", false, [IMAGES, CAPTIONS], score);
    let bytes = std::fs::read(plain).unwrap();
    let file = std::fs::File::create(files.path("models.npz")).unwrap();
    let mut archive = zip::ZipWriter::new(file);
    for (name, method) in [
        ("ours.npy", zip::CompressionMethod::Stored),
        ("base.npy", zip::CompressionMethod::Deflated),
    ] {
        let options = zip::write::SimpleFileOptions::default().compression_method(method);
        archive.start_file(name, options).unwrap();
        std::io::Write::write_all(&mut archive, &bytes).unwrap();
    }
    archive.finish().unwrap();
    let row = |i| (0..CAPTIONS).map(|c| score(i, c)).collect::<Vec<f64>>();
    let rows: Vec<Vec<f64>> = (0..IMAGES).map(row).collect();
    let json = files.write("listed.json", format!("{rows:?}"));
    let scores = [files.path("models.npz"), json];
    let study = files.study(&scores, ScoreInputs::default()).unwrap();
    let names: Vec<&str> = study.models.iter().map(|model| model.name.as_str()).collect();
    assert_eq!(names, ["ours", "base", "listed"]);
    assert_same(&files, &study);
}

#[test]
fn repeated_images_are_folded_only_where_their_rows_are_equal() {
    let files = Files::new();
    let square = [CAPTIONS, CAPTIONS];
    let by_rows = files.npy("rows.npy", "<f4", false, square, |row, c| score(row / 5, c));
    let by_columns =
        files.npy("columns.npy", ">f8", false, square, |c, column| score(column / 5, c));
    let study = files.study(&[by_rows, by_columns], ScoreInputs::default()).unwrap();
    let notes: Vec<&str> = study.notes.iter().map(|note| note.text.as_str()).collect();
    assert_eq!(notes.iter().filter(|note| note.contains("taken once")).count(), 2, "{notes:?}");
    assert_same(&files, &study);
    let uneven = files.npy("uneven.npy", "<f4", false, square, |row, c| {
        score(row / 5, c) + f64::from(u8::from((row, c) == (29, 29)))
    });
    let error = files.study(&[uneven], ScoreInputs::default()).unwrap_err().to_string();
    assert!(error.contains("a matrix of 30 x 30"), "{error}");
}

#[test]
fn repeated_images_are_folded_in_each_of_two_files() {
    let files = Files::new();
    let square = [CAPTIONS, CAPTIONS];
    let by_images = |row: usize, c: usize| score(row / 5, c);
    let i2t = files.npy("ours_i2t.npy", "<f4", false, square, by_images);
    let t2i = files.npy("ours_t2i.npy", "<f4", false, square, |c, column| by_images(column, c));
    let once = files.npy("once_t2i.npy", "<f4", false, [CAPTIONS, IMAGES], |c, i| score(i, c));
    for (t2i, folded) in [(t2i, 2), (once, 1)] {
        let flags =
            ScoreInputs { i2t: Some(i2t.clone()), t2i: Some(t2i), ..ScoreInputs::default() };
        let study = files.study(&[], flags).unwrap();
        let told = |note: &study::Note| note.text.matches("taken once").count();
        assert_eq!(study.notes.iter().map(told).sum::<usize>(), folded);
        assert_same(&files, &study);
    }
    let reranked = |row: usize, c: usize| {
        let kept = c % 7 == row / 5;
        if kept { by_images(row, c) } else { -100.0 }
    };
    let flags = ScoreInputs {
        i2t: Some(files.npy("few_i2t.npy", "<f4", false, square, reranked)),
        t2i: Some(files.npy("few_t2i.npy", "<f4", false, square, |c, column| reranked(column, c))),
        ..ScoreInputs::default()
    };
    let study = files.study(&[], flags).unwrap();
    let told = |what: &str| study.notes.iter().any(|note| note.text.contains(what));
    assert!(told("cells of -100 are not scored"), "{:?}", study.notes);
}

#[test]
fn captions_beyond_the_gallery_are_left_out_where_a_file_names_them() {
    let files = Files::new();
    let wide = files.npy("wide.npy", "<f4", false, [IMAGES, CAPTIONS + 2], |image, column| {
        // Column 5 and the last one hold captions that the gallery lacks.
        if column == 5 || column == CAPTIONS + 1 {
            return 50.0;
        }
        score(image, column - usize::from(column > 5))
    });
    let annotation = |column: usize| {
        let caption = column - usize::from(column > 5);
        let id = if column == 5 || column == CAPTIONS + 1 { 900 + column } else { caption + 100 };
        format!("{{\"id\": {id}, \"image_id\": {}, \"caption\": \"c\"}}", (caption / 5).min(5))
    };
    let annotations: Vec<String> = (0..CAPTIONS + 2).map(annotation).collect();
    let captions = files.write(
        "captions.json",
        format!("{{\"images\": [], \"annotations\": [{}]}}", annotations.join(", ")),
    );
    let study = files.study(&[wide.clone(), captions], ScoreInputs::default()).unwrap();
    assert!(study.notes.iter().any(|note| note.text.contains("2 of the 32 captions")));
    assert_same(&files, &study);
    let error = files.study(&[wide], ScoreInputs::default()).unwrap_err().to_string();
    assert!(error.contains("a matrix of 6 x 32"), "{error}");
}
