use super::*;
use crate::annotate::pool::read;
use crate::data::source::Source;

#[test]
fn what_only_one_proposed_is_counted() {
    let text = r#"{"format":"itm-explore pool 1","top":2,"models":["a","b"],"truths":["cxc"],"queries":{"i2t":1,"t2i":1},"chosen":"","order":"depth","seed":1}
{"query_direction":"i2t","image":9,"caption":1,"proposals":[{"model":"a","direction":"i2t","rank":1},{"model":"a","direction":"t2i","rank":2},{"model":"cxc","direction":"i2t"}]}
{"query_direction":"i2t","image":9,"caption":2,"proposals":[{"model":"b","direction":"i2t","rank":1}]}
{"query_direction":"t2i","image":8,"caption":1,"proposals":[{"model":"a","direction":"t2i","rank":1},{"model":"b","direction":"t2i","rank":1}]}
"#;
    let pool = read(&Source::in_memory("p", text.into())).unwrap();
    let found = overlap(&pool);
    let of = |at: usize| {
        let one = &found[at];
        (one.pairs, one.alone, one.shared.clone())
    };
    assert_eq!(of(0), (2, 0, vec![2, 1, 1]));
    assert_eq!(of(1), (2, 1, vec![1, 2, 0]));
    assert_eq!(of(2), (1, 0, vec![1, 0, 1]));
    assert_eq!(found[0].by_direction, PerDirection { i2t: 1, t2i: 2 });
    let queries: Vec<usize> = pool.by_query().values().map(Vec::len).collect();
    assert_eq!(queries, [2, 1]);
}
