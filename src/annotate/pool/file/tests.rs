use super::*;

const SAVED: &str = r#"{"format":"itm-explore pool 1","top":25,"models":["a"],"truths":["cxc"],"queries":{"i2t":1,"t2i":0},"chosen":"all queries","order":"depth","seed":1,"overlap":1}
{"query_direction":"i2t","image":9,"caption":"x","proposals":[{"model":"a","direction":"i2t","rank":3},{"model":"cxc","direction":"i2t"}]}
{"query_direction":"t2i","image":9,"caption":3,"proposals":[{"model":"a","direction":"t2i","rank":1}],"answers":[{"by":"anna","answer":"cant-tell"}]}
"#;

#[test]
fn a_pool_reads_back() {
    let pool = read(&Source::in_memory("pool.jsonl", SAVED.into())).unwrap();
    assert!(pool.pairs[0].proposers().iter().eq(&["a", "cxc"]));
    assert_eq!(pool.pairs[0].query(), &Id::Number(9));
    let mut text = Vec::new();
    write(&pool, &mut text).unwrap();
    assert_eq!(String::from_utf8(text).unwrap(), SAVED);
}

#[test]
fn what_is_no_pool_is_said_with_its_line() {
    for (text, said) in [
        (String::new(), "an empty file"),
        (SAVED.replace("pool 1", "pool 2"), "the format \"itm-explore pool 2\""),
        (SAVED.replace("\"rank\":3", "\"rank\":-3"), "p.jsonl: line 2: "),
        (SAVED.replace("\"top\":25,", ""), "missing field `top`"),
    ] {
        let error = read(&Source::in_memory("p.jsonl", text.into())).unwrap_err();
        assert!(error.to_string().contains(said), "{said}: {error}");
    }
}
