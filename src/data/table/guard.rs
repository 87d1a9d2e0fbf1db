//! Damaged data on which the crate panics: an error like any other, and not a word on the screen.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use parquet::errors::ParquetError;

thread_local! {
    static DECODING: Cell<bool> = const { Cell::new(false) };
}
static HOOK: Once = Once::new();

/// Runs what decodes; a panic in it is an error.
pub(super) fn guarded<T, E: From<ParquetError>>(
    decode: impl FnOnce() -> Result<T, E>,
) -> Result<T, E> {
    HOOK.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |info| {
            if !DECODING.get() {
                usual(info);
            }
        }));
    });
    DECODING.set(true);
    let done = catch_unwind(AssertUnwindSafe(decode));
    DECODING.set(false);
    done.unwrap_or_else(|_| Err(ParquetError::General("nothing that can be decoded".into()).into()))
}
