//! Work on the threads of the current `rayon` pool. Results are in the order of their inputs, whatever thread computed
//! them.
//!
//! All but the function that hands tasks to the threads is a thin layer over it: a rayon iterator compiles its code for
//! cutting, stealing and joining for every closure, thousands of lines each time.

use std::cmp::Ordering;
use std::convert::Infallible;
use std::io;
use std::num::NonZero;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::thread::{Builder, available_parallelism};

use rayon::slice::ParallelSliceMut;
use rayon::{ThreadBuilder, ThreadPoolBuilder};

/// Tasks per thread: many, so that no thread waits long for the last task.
const TASKS_PER_THREAD: usize = 32;

/// Starts the shared threads once: one for each core, or as many as the system allows. Returns their number; with 0,
/// the calling thread does all work itself.
pub(crate) fn start() -> usize {
    /// One pool per process.
    static STARTED: OnceLock<usize> = OnceLock::new();
    *STARTED.get_or_init(|| {
        // A shared pool that fails cannot be built again: its threads start before it.
        let (sender, receiver) = channel::<ThreadBuilder>();
        let receiver = Arc::new(Mutex::new(receiver));
        let start_thread = |_: &usize| {
            let receiver = receiver.clone();
            let run_thread = move || {
                let thread = lock(&receiver).recv();
                if let Ok(thread) = thread {
                    thread.run();
                }
            };
            Builder::new().spawn(run_thread).is_ok()
        };
        let cores = available_parallelism().map_or(1, NonZero::get);
        let threads = (0..cores).take_while(start_thread).count();
        let pool = ThreadPoolBuilder::new().num_threads(threads.max(1));
        // An existing pool is used as it is.
        let _ = if threads == 0 {
            pool.use_current_thread().build_global()
        } else {
            let hand_over =
                move |thread| sender.send(thread).map_err(|_| io::ErrorKind::BrokenPipe.into());
            pool.spawn_handler(hand_over).build_global()
        };
        threads
    })
}

/// Starts `work` in a new thread pool, which ends with it, and returns at once.
///
/// # Errors
/// The system starts no more threads.
pub(crate) fn on_own_threads(work: impl FnOnce() + Send + 'static) -> Result<(), String> {
    let pool = ThreadPoolBuilder::new().build();
    pool.map(|pool| pool.spawn(work)).map_err(|error| error.to_string())
}

/// Number of threads of the current pool.
pub(crate) fn threads() -> usize {
    rayon::current_num_threads()
}

/// Default number of indices per task for `len` indices.
pub(crate) fn step(len: usize) -> usize {
    len.div_ceil(TASKS_PER_THREAD * threads()).max(1)
}

/// Runs two functions in parallel, and returns both results.
pub(crate) fn both<A: Send, B: Send>(
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    rayon::join(one, other)
}

/// Maps each item.
pub(crate) fn map<'a, T: Sync, R: Send>(items: &'a [T], f: impl Fn(&'a T) -> R + Sync) -> Vec<R> {
    map_indices(items.len(), |at| f(&items[at]))
}

/// Maps each index below `len`.
pub(crate) fn map_indices<R: Send>(len: usize, f: impl Fn(usize) -> R + Sync) -> Vec<R> {
    map_with(len, || (), |(), at| f(at))
}

/// [`map_indices`] with a state per task, such as a buffer: `init` makes it, and `f` gets it with each index.
pub(crate) fn map_with<S, R: Send>(
    len: usize,
    init: impl Fn() -> S + Sync,
    f: impl Fn(&mut S, usize) -> R + Sync,
) -> Vec<R> {
    flat_map_ranges(len, step(len), |range| {
        let (mut state, mut found) = (init(), Vec::with_capacity(range.len()));
        for at in range {
            found.push(f(&mut state, at));
        }
        found
    })
}

/// Maps each item, or returns the error of the first item that fails.
pub(crate) fn try_map<'a, T: Sync, R: Send, E: Send>(
    items: &'a [T],
    f: impl Fn(&'a T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    try_map_with(items, || (), |(), item| f(item))
}

/// [`try_map`] with a state per task: `init` makes it, and `f` gets it with each item.
pub(crate) fn try_map_with<'a, S, T: Sync, R: Send, E: Send>(
    items: &'a [T],
    init: impl Fn() -> S + Sync,
    f: impl Fn(&mut S, &'a T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let found = try_map_ranges(items.len(), step(items.len()), |range| {
        let (mut state, mut found) = (init(), Vec::with_capacity(range.len()));
        for item in &items[range] {
            found.push(f(&mut state, item)?);
        }
        Ok(found)
    });
    found.map(flatten)
}

/// Maps each range of `step` indices below `len`; the last one may be shorter.
pub(crate) fn map_ranges<R: Send>(
    len: usize,
    step: usize,
    f: impl Fn(Range<usize>) -> R + Sync,
) -> Vec<R> {
    let Ok(all) = try_map_ranges(len, step, |range| Ok::<R, Infallible>(f(range)));
    all
}

/// [`map_ranges`], flattened.
pub(crate) fn flat_map_ranges<R: Send>(
    len: usize,
    step: usize,
    f: impl Fn(Range<usize>) -> Vec<R> + Sync,
) -> Vec<R> {
    flatten(map_ranges(len, step, f))
}

/// [`map_ranges`], or the error of the first range that fails, as on a single thread. After an error, no later range is
/// started.
pub(crate) fn try_map_ranges<R: Send, E: Send>(
    len: usize,
    step: usize,
    f: impl Fn(Range<usize>) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let first_error = AtomicUsize::new(usize::MAX);
    let mut none = Vec::new();
    none.resize_with(len.div_ceil(step), || None);
    let all = Mutex::new(none);
    run_tasks(0..len.div_ceil(step), &|task| {
        let start = task * step;
        if first_error.load(Relaxed) < start {
            return;
        }
        let found = f(start..len.min(start + step));
        if found.is_err() {
            first_error.fetch_min(start, Relaxed);
        }
        lock(&all)[task] = Some(found);
    });
    all.into_inner().expect(NO_PANIC).into_iter().flatten().collect()
}

/// Maps each chunk of `step` items, which `f` may change, or returns the error of the first chunk that fails.
pub(crate) fn try_map_chunks_mut<T: Send, R: Send, E: Send>(
    items: &mut [T],
    step: usize,
    f: impl Fn(&mut [T]) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let chunks: Vec<Mutex<&mut [T]>> = items.chunks_mut(step).map(Mutex::new).collect();
    try_map_ranges(chunks.len(), 1, |at| f(&mut lock(&chunks[at.start])))
}

/// Calls `change` for each item.
pub(crate) fn for_each_mut<T: Send>(items: &mut [T], change: impl Fn(&mut T) + Sync) {
    let step = step(items.len());
    let done = try_map_chunks_mut(items, step, |chunk| {
        chunk.iter_mut().for_each(&change);
        Ok::<(), Infallible>(())
    });
    let Ok(_) = done;
}

/// The `Some` of the first range of indices below `len` for which `find` returns one, else `None`. No later range is
/// started.
pub(crate) fn find_first<R: Send>(
    len: usize,
    find: impl Fn(Range<usize>) -> Option<R> + Sync,
) -> Option<R> {
    try_map_ranges(len, step(len), |range| find(range).map_or(Ok(()), Err)).err()
}

/// Whether `test` holds for all indices below `len`.
pub(crate) fn all(len: usize, test: impl Fn(usize) -> bool + Sync) -> bool {
    find_first(len, |mut range| range.find(|at| !test(*at))).is_none()
}

/// Sorts stably, by `order`.
pub(crate) fn sort_by<T: Send>(items: &mut [T], order: &(dyn Fn(&T, &T) -> Ordering + Sync)) {
    items.par_sort_by(order);
}

/// Sorts by a key; items of equal keys in any order.
pub(crate) fn sort_unstable_by_key<T: Send, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K + Sync) {
    items.par_sort_unstable_by_key(key);
}

fn flatten<R>(parts: Vec<Vec<R>>) -> Vec<R> {
    let mut all = Vec::with_capacity(parts.iter().map(Vec::len).sum());
    for mut part in parts {
        all.append(&mut part);
    }
    all
}

/// Message of a poisoned lock.
const NO_PANIC: &str = "what panics ends all";

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect(NO_PANIC)
}

/// Calls `task` with each index in `tasks`; the upper half on another thread if one is idle.
fn run_tasks(tasks: Range<usize>, task: &(dyn Fn(usize) + Sync)) {
    if tasks.len() < 2 {
        return tasks.for_each(task);
    }
    let middle = tasks.start + tasks.len() / 2;
    rayon::join(|| run_tasks(tasks.start..middle, task), || run_tasks(middle..tasks.end, task));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Enough that a sixty-fourth part of the indices is several.
    const LEN: usize = 1_003;

    fn on<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(work)
    }

    #[test]
    fn what_is_found_stands_in_order_on_any_threads() {
        let squares: Vec<usize> = (0..LEN).map(|at| at * at).collect();
        for threads in [1, 3] {
            let found = on(threads, || map_indices(LEN, |at| at * at));
            assert_eq!(found, squares);
            let roots = on(threads, || map(&squares, |square| square.isqrt()));
            assert!(roots.into_iter().eq(0..LEN));
            let counted = |count: &mut usize, _| {
                *count += 1;
                *count
            };
            let counted = on(threads, || map_with(LEN, || 0, counted));
            let in_turn = (0..LEN).map(|at| at % step_on(threads) + 1);
            assert!(counted.into_iter().eq(in_turn));
        }
        assert!(map_indices(0, |at| at).is_empty());
    }

    fn step_on(threads: usize) -> usize {
        on(threads, || step(LEN))
    }

    #[test]
    fn runs_cover_all_once() {
        for step in [1, 7, LEN, 2 * LEN] {
            let ranges = map_ranges(LEN, step, |range| range);
            assert!(ranges.iter().rev().skip(1).all(|range| range.len() == step));
            assert!(ranges.into_iter().flatten().eq(0..LEN));
            let odd = flat_map_ranges(LEN, step, |range| range.filter(|at| at % 2 > 0).collect());
            assert!(odd.into_iter().eq((1..LEN).step_by(2)));
        }
    }

    #[test]
    fn the_first_error_is_told_whichever_comes_first() {
        let of = |at: &usize| {
            // The later one is found before the earlier one.
            std::thread::sleep(std::time::Duration::from_millis(u64::from(*at == 3) * 20));
            [3, 700].iter().find(|wrong| *wrong == at).map_or(Ok(*at), Err)
        };
        let items: Vec<usize> = (0..LEN).collect();
        for threads in [1, 2] {
            assert_eq!(on(threads, || try_map(&items, of)), Err(&3));
            assert_eq!(on(threads, || try_map(&items[4..700], of)), Ok(items[4..700].to_vec()));
        }
    }

    #[test]
    fn nothing_is_begun_after_an_error_that_is_known() {
        let begun = AtomicUsize::new(0);
        let wrong = on(1, || {
            try_map_ranges(LEN, 1, |at| {
                begun.fetch_add(1, Relaxed);
                if at.start == 5 { Err(at) } else { Ok(()) }
            })
        });
        assert_eq!((wrong, begun.into_inner()), (Err(5..6), 6));
    }

    #[test]
    fn the_first_that_fits_is_found() {
        let after = |least: usize| move |mut range: Range<usize>| range.find(|at| *at >= least);
        assert_eq!(find_first(LEN, after(400)), Some(400));
        assert_eq!(find_first(LEN, after(LEN)), None);
        assert!(all(LEN, |at| at < LEN));
        assert!(!all(LEN, |at| at != LEN - 1));
        assert!(all(0, |_| false));
    }

    #[test]
    fn every_run_is_changed_once() {
        let mut items = vec![1; LEN];
        let sums = try_map_chunks_mut(&mut items, 10, |chunk| {
            for item in &mut *chunk {
                *item += 1;
            }
            Ok::<usize, ()>(chunk.iter().sum())
        });
        assert_eq!(items, [2; LEN]);
        assert_eq!(sums.map(|sums| sums.iter().sum()), Ok(2 * LEN));
    }
}
