use super::*;

const XML: &str = "<annotation><size><width>9</width><height>9</height></size>\n\
    <object><name>4</name><bndbox><xmin>1</xmin><ymin>2</ymin><xmax>3</xmax><ymax>4</ymax></bndbox></object>\n\
    <object><name>5</name><scene>1</scene><nobndbox>1</nobndbox></object></annotation>";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    for name in [SENTENCES, ANNOTATIONS] {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    write(
        "Sentences/7.txt",
        "[/EN#4/people A man] in [/EN#5/scene a park] .\n[/EN#4/people broken\n[/EN#6/other It] [/EN#0/notvisual is]\n",
    );
    write("Annotations/7.xml", XML);
    write("Sentences/8.txt", "no phrase\n");
    write(UNRELATED, "# format: <imageID> <sentence number>\n7 3\n99 1\n");
    folder
}

#[test]
fn a_folder_is_read_and_its_mistakes_are_told() {
    let folder = folder();
    let entities = Entities::read(folder.path(), None).unwrap();
    assert_eq!(entities.images().len(), 2);
    let image = entities.image(&Id::Number(7)).unwrap();
    assert_eq!(image.sentences.len(), 3);
    assert_eq!(image.sentences[1], None);
    assert_eq!(image.boxes(Chain(4)).count(), 1);
    assert_eq!(image.boxes(Chain(0)).count(), 0);
    assert!(image.sentence(2).unwrap().is_unrelated && !image.sentence(0).unwrap().is_unrelated);
    let told: Vec<String> = entities.problems.iter().map(Error::to_string).collect();
    for (told, wanted) in told.iter().zip([
        "Sentences/7.txt, line 2: the phrase of chain 4 does not end",
        "Annotations/7.xml: no object for these chains of the sentences: [6]",
        "Annotations/8.xml: no such file",
    ]) {
        assert!(told.contains(wanted), "{told}");
    }
    assert_eq!(told.len(), 3);
}

#[test]
fn only_wanted_images_are_read_and_none_is_an_error() {
    let folder = folder();
    let wanted = |id: i64| FxHashSet::from_iter([Id::Number(id)]);
    let entities = Entities::read(folder.path(), Some(&wanted(8))).unwrap();
    assert_eq!(entities.images().len(), 1);
    let error = Entities::read(folder.path(), Some(&wanted(5))).unwrap_err().to_string();
    assert!(
        error.contains("the sentences of none of the images") && error.contains("5.txt"),
        "{error}"
    );
    let error = Entities::read(&folder.path().join("none"), None).unwrap_err().to_string();
    assert!(error.contains("with Sentences/ and Annotations/ in it"), "{error}");
}

#[test]
fn an_empty_line_is_no_sentence() {
    let text = "\n[/EN#4/people A man]\n\nA [/EN#4/people rider\n[/EN#4/people He]\n";
    let Entities { images, problems } = Entities::built_in(&[("Sentences/7.txt", text)]);
    let image = &images[&Id::Number(7)];
    let texts = |number: usize| image.sentence(number).map(|of| of.text.as_str());
    assert_eq!([0, 1, 2, 3].map(texts), [Some("A man"), None, Some("He"), None]);
    assert!(problems[0].to_string().contains("7.txt, line 4"), "{problems:?}");
}

#[test]
fn files_of_the_program_are_read_alike() {
    let files = [
        ("Sentences/7.txt", "[/EN#4/people A man]\n"),
        ("Annotations/7.xml", XML),
        (UNRELATED, "7 1\n"),
    ];
    let entities = Entities::built_in(&files);
    let image = entities.image(&Id::Number(7)).unwrap();
    assert_eq!(image.boxes(Chain(4)).count(), 1);
    assert!(image.sentence(0).unwrap().is_unrelated);
    assert_eq!(entities.problems, []);
}

#[test]
fn sentences_count_from_one_in_the_file() {
    let unrelated = "# format: <imageID> <sentence number>\n129602216 5\n\nx.jpg 1\n7 0\n7\n";
    let sentences = "a\nb\nc\nd\ne\n";
    let entities = Entities::built_in(&[
        ("Sentences/129602216.txt", sentences),
        ("Sentences/x.txt", sentences),
        ("Sentences/7.txt", sentences),
        (UNRELATED, unrelated),
    ]);
    let flagged = |id: Id| -> Vec<usize> {
        let sentences = entities.image(&id).unwrap().sentences.iter().flatten().enumerate();
        sentences.filter(|(_, one)| one.is_unrelated).map(|(at, _)| at).collect()
    };
    assert_eq!((flagged(Id::Number(129602216)), flagged(Id::parse("x"))), (vec![4], vec![0]));
    assert!(flagged(Id::Number(7)).is_empty());
    let told: Vec<String> = entities.problems.iter().map(Error::to_string).collect();
    assert!(
        told[0].starts_with("UNRELATED_CAPTIONS, line 5: \"7 0\" names no caption"),
        "{told:?}"
    );
    assert!(told[1].starts_with("UNRELATED_CAPTIONS, line 6: "), "{told:?}");
}
