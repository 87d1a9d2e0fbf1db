//! How much memory is held at once: an allocator that counts, and refuses what goes beyond a bound.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static LIMIT_BYTES: AtomicUsize = AtomicUsize::new(usize::MAX);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

impl Counting {
    /// Whether there is room for so many bytes, which are counted then.
    fn takes(bytes: usize) -> bool {
        let held = HELD.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        let fits = held <= LIMIT_BYTES.load(Ordering::Relaxed);
        if !fits {
            Self::gives_back(bytes);
        }
        fits
    }

    fn gives_back(bytes: usize) {
        HELD.fetch_sub(bytes, Ordering::Relaxed);
    }
}

// SAFETY: all is left to the system's allocator; what is refused is told as the trait asks.
#[expect(unsafe_code, reason = "an allocator is no other")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !Self::takes(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !Self::takes(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !Self::takes(size) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's promise.
        let moved = unsafe { System.realloc(place, layout, size) };
        Self::gives_back(if moved.is_null() { size } else { layout.size() });
        moved
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        Self::gives_back(layout.size());
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(place, layout) }
    }
}

/// Does `work` with so many bytes beside those that are held before: one more is an abort.
pub fn within(bytes: usize, work: impl FnOnce()) {
    LIMIT_BYTES.store(HELD.load(Ordering::Relaxed) + bytes, Ordering::Relaxed);
    work();
    LIMIT_BYTES.store(usize::MAX, Ordering::Relaxed);
}

#[test]
fn what_is_held_is_counted() {
    let before = HELD.load(Ordering::Relaxed);
    let held = std::hint::black_box(vec![1_u8; 50 << 20]);
    assert!(HELD.load(Ordering::Relaxed) >= before + held.len() / 2);
    assert!(
        !Counting::takes(usize::MAX / 2 + 1) || LIMIT_BYTES.load(Ordering::Relaxed) == usize::MAX
    );
}
