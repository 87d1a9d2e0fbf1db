use std::sync::mpsc::{Receiver, Sender, channel};

use super::*;

/// Reports each start, and waits at the gate before it answers whether it is cancelled. With `FINISHES_PART`, a part is
/// finished before others of the same key.
struct Gated<const FINISHES_PART: bool> {
    begun: Sender<(char, i32)>,
    gate: Receiver<()>,
}

impl<const FINISHES_PART: bool> Job for Gated<FINISHES_PART> {
    const FINISHES_PART: bool = FINISHES_PART;
    type Key = char;
    type Part = i32;
    type Input = ();
    type Output = (i32, bool);

    fn run(&mut self, &part: &i32, run: &Run<'_, Self>) {
        self.begun.send((*run.key, part)).unwrap();
        self.gate.recv().unwrap();
        assert!(part != 3, "three");
        run.send((part, run.token.is_cancelled()));
    }
}

type Answer = (char, Result<(i32, bool), String>);

struct Bench<const FINISHES_PART: bool> {
    runner: Runner<Gated<FINISHES_PART>>,
    begins: Receiver<(char, i32)>,
    go: Sender<()>,
    told: Receiver<Answer>,
}

impl<const FINISHES_PART: bool> Bench<FINISHES_PART> {
    fn new() -> Self {
        let (begun, begins) = channel();
        let (go, gate) = channel();
        let (tell, told) = channel();
        let send = move |key, outcome| tell.send((key, outcome)).unwrap();
        Bench { runner: Runner::new(Gated { begun, gate }, send), begins, go, told }
    }

    fn ask(&mut self, key: char, parts: &[i32]) {
        let wanted = Wanted::with_parts(key, parts.to_vec(), || ());
        self.runner.request(Some(wanted));
    }

    /// Lets `parts` parts end, and waits for all.
    fn settle(&self, parts: usize) -> Vec<Answer> {
        (0..parts).for_each(|_| self.go.send(()).unwrap());
        self.runner.wait_idle();
        self.told.try_iter().collect()
    }
}

#[test]
fn the_newest_request_wins_and_a_panic_is_told() {
    let mut bench = Bench::<false>::new();
    bench.ask('a', &[1]);
    bench.begins.recv().unwrap();
    bench.ask('a', &[2]);
    bench.ask('b', &[3, 4]);
    let told = bench.settle(2);
    assert_eq!(told, [('a', Ok((1, true))), ('b', Err("three".into()))]);
    bench.ask('b', &[5]);
    assert_eq!(bench.settle(1), [('b', Ok((5, false)))]);
}

#[test]
fn the_rest_of_what_is_under_way_is_not_asked_for_again() {
    let mut bench = Bench::<false>::new();
    bench.ask('a', &[1, 2, 4]);
    bench.begins.recv().unwrap();
    for rest in [&[2, 4][..], &[4], &[]] {
        bench.ask('a', rest);
    }
    let told = bench.settle(3);
    assert_eq!(told, [1, 2, 4].map(|part| ('a', Ok((part, false)))));
    // Answered before, so requested again.
    bench.ask('a', &[4]);
    assert_eq!(bench.settle(1), [('a', Ok((4, false)))]);
}

#[test]
fn what_cannot_be_asked_yet_is_asked_later_and_ends_what_is_stale() {
    let mut bench = Bench::<false>::new();
    bench.ask('a', &[1]);
    bench.begins.recv().unwrap();
    bench.runner.request(Some(Wanted { key: 'b', parts: vec![2], input: Box::new(|| None) }));
    assert_eq!(bench.settle(1), [('a', Ok((1, true)))]);
    bench.ask('b', &[2]);
    assert_eq!(bench.settle(1), [('b', Ok((2, false)))]);
}

#[test]
fn a_run_whose_runner_is_gone_is_cancelled() {
    let mut bench = Bench::<false>::new();
    bench.ask('a', &[1, 2]);
    bench.begins.recv().unwrap();
    bench.go.send(()).unwrap();
    bench.begins.recv().unwrap();
    let thread = bench.runner.thread.take().unwrap();
    drop(bench.runner);
    bench.go.send(()).unwrap();
    thread.join().unwrap();
    let told: Vec<Answer> = bench.told.try_iter().collect();
    assert_eq!(told, [('a', Ok((1, false))), ('a', Ok((2, true)))]);
}

#[test]
fn a_part_may_be_finished_before_others_but_not_before_another_key() {
    let mut bench = Bench::<true>::new();
    bench.ask('a', &[1, 2]);
    bench.begins.recv().unwrap();
    bench.ask('a', &[4]);
    assert_eq!(bench.settle(2), [('a', Ok((1, false))), ('a', Ok((4, false)))]);
    bench.ask('a', &[5]);
    bench.begins.iter().find(|begun| *begun == ('a', 5));
    bench.ask('b', &[6]);
    bench.runner.request(None);
    assert_eq!(bench.settle(1), [('a', Ok((5, true)))]);
}
