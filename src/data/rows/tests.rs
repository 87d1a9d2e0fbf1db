use super::*;

fn read(text: &str) -> Result<Rows> {
    super::read(&Source::in_memory("r", text.as_bytes().to_vec()), None)
}

/// Each query with its items, best first.
fn lists(text: &str) -> String {
    let mut rows = read(text).unwrap();
    rows.sort();
    let list = |(query, rows): (&Id, &Vec<Row>)| {
        let items: String = rows.iter().map(|row| row.item.to_string()).collect();
        format!("{query}:{items}")
    };
    rows.queries.iter().map(list).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_form_gives_the_same_lists() {
    for text in [
        r#"{"q": {"a": 0.5, "b": 2, "c": 0.5}, "r": {"a": 1.5}}"#,
        "query,item,score\nq,a,0.5\nq,b,2\nr,a,1.5\nq,c,0.5\n",
        "\u{feff}query_id\tdoc_id\trank\tscore\nq\ta\t1\t0.5\nr\ta\t1\t1.5\nq\tb\t2\t2\nq\tc\t3\t0.5\r\n",
        "\"qid\",\"docno\",\"distance\"\nq,\"a\",0.5\nq,b,-2\nq,c,0.5\nr,a,1\n",
        "query-id,corpus-id,rank\nq,b,1\nq,a,2\nq,c,3\nr,a,1\n",
    ] {
        assert_eq!(lists(text), "q:bac r:a", "{text}");
    }
}

#[test]
fn numbers_tell_grades_from_scores() {
    let meaning = |text: &str| read(text).unwrap().meaning();
    assert_eq!(meaning(r#"{"q": {"a": 1, "b": 0.0}}"#), Meaning::Grades);
    assert_eq!(meaning(r#"{"q": {"a": 1, "b": 0.5}}"#), Meaning::Scores);
    assert_eq!(meaning(r#"{"q": {"a": 80, "b": 79}}"#), Meaning::Unclear);
    assert_eq!(meaning("query,item,relevance\nq,a,9\n"), Meaning::Grades);
    assert_eq!(meaning("query,item,rank\nq,a,1\n"), Meaning::Scores);
}

#[test]
fn what_is_no_row_is_told_with_its_place() {
    for (text, told) in [
        ("query,item,score\nq,a,NaN\n", "line 2"),
        ("query,item,score\nq,a\n", "record 1"),
        ("query,item,score\nq,,1\n", "line 2 has no item"),
        ("query,item,score\n", "no row"),
        ("query,item\nq,a\n", "neither a rank nor a score"),
        ("q,a,1\nq,b,2\n", "no ranked lists"),
        ("a dog runs", "no ranked lists"),
        ("[[1, 2], [3, 4]]", "no ranked lists"),
        (r#"{"q": {"a": 1}, "q": {"a": 2}}"#, "query q stands twice"),
        (r#"{"q": {"a": "1"}}"#, "number"),
        ("caption_id,image_id,score\n1,2,0.5\n", "no word which is the query"),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
}
