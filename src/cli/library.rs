//! The command line without a terminal: for a program that calls this library, as the Python module does.

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::asked;
use crate::data::memory::{Held, Named};

/// What a subcommand wrote.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Answer {
    /// To standard output.
    pub out: Vec<u8>,
    /// To standard error, line by line: what was understood of the inputs, warnings.
    pub said: Vec<String>,
    /// The exit code.
    pub code: u8,
}

/// Why there is no answer, in words for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The arguments are wrong.
    Usage(String),
    /// An input is missing or wrong.
    Input(String),
    /// A defect of this library.
    Defect(String),
}

/// What is written while a program waits for it.
static HEARD: Mutex<Option<Answer>> = Mutex::new(None);
/// One call at a time: names of inputs in memory, and what is heard, are those of one.
static CALL: Mutex<()> = Mutex::new(());

fn heard() -> MutexGuard<'static, Option<Answer>> {
    HEARD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Hands over to the program that waits; false where there is none.
pub(super) fn hear(hand_over: impl FnOnce(&mut Answer)) -> bool {
    heard().as_mut().map(hand_over).is_some()
}

/// Hears what is written until it is dropped; then who heard before hears again.
struct Listening {
    before: Option<Answer>,
}

impl Listening {
    fn new() -> Self {
        Listening {
            before: heard().replace(Answer::default()),
        }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        *heard() = self.before.take();
    }
}

/// What is written meanwhile, in the place of standard output and standard error.
///
/// # Errors
/// Those of what runs.
pub(super) fn heard_while(run: impl FnOnce() -> anyhow::Result<u8>) -> anyhow::Result<Answer> {
    let _listening = Listening::new();
    let code = run()?;
    let answer = heard().take().unwrap_or_default();
    Ok(Answer { code, ..answer })
}

/// Carries out a subcommand, the program's name before it, and gives back what it wrote. Paths may name inputs in
/// memory.
///
/// # Errors
/// As [`Failure`] tells.
pub fn answer(
    arguments: impl IntoIterator<Item = OsString>,
    inputs: Vec<Held>,
) -> Result<Answer, Failure> {
    let _call = CALL.lock().unwrap_or_else(PoisonError::into_inner);
    let cli = asked::read(arguments).map_err(|error| Failure::Usage(error.to_string()))?;
    if cli.command.is_none() {
        return Err(Failure::Usage("the explorer needs a terminal".into()));
    }
    let _named = Named::new(inputs);
    let done = catch_unwind(AssertUnwindSafe(|| heard_while(|| cli.run())));
    done.map_err(|panic| Failure::Defect(words(panic.as_ref())))?
        .map_err(|error| Failure::Input(error.to_string()))
}

/// What a panic says.
fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let words = panic.downcast_ref::<String>().cloned();
    let fixed = || panic.downcast_ref::<&str>().map(ToString::to_string);
    words.or_else(fixed).unwrap_or_else(|| "unknown".into())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn matrix() -> Held {
        // Two images, one caption each: the second pair is found, the first is not.
        let cells: [f32; 4] = [0.1, 0.9, 0.2, 0.8];
        Held {
            path: "in-memory/ours".into(),
            bytes: Arc::new(cells.map(f32::to_le_bytes).concat()),
            header: Some("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2)}".into()),
        }
    }

    fn asked(line: &str) -> Result<Answer, Failure> {
        let arguments = line.split(' ').map(OsString::from);
        answer(arguments, vec![matrix()])
    }

    /// Whether somebody hears between two calls; other tests call at the same time.
    fn is_heard() -> bool {
        let _call = CALL.lock().unwrap_or_else(PoisonError::into_inner);
        hear(|_| ())
    }

    #[test]
    fn what_is_written_is_given_back() {
        let line = "itm-explore eval in-memory/ours --captions-per-image 1 --images-first --metrics r1 --format json";
        let answer = asked(line).unwrap();
        let json: serde_json::Value = serde_json::from_slice(&answer.out).unwrap();
        assert!(json.to_string().contains("\"ours\""), "{json}");
        assert!(answer.said.iter().any(|line| line.contains("2 images")));
        assert_eq!((answer.code, is_heard()), (0, false));
    }

    #[test]
    fn mistakes_come_back_in_words() {
        for (line, is_usage, words) in [
            ("itm-explore eval in-memory/ours --metric", true, "--metric"),
            ("itm-explore in-memory/ours", true, "terminal"),
            (
                "itm-explore eval in-memory/theirs",
                false,
                "in-memory/theirs",
            ),
        ] {
            match asked(line).unwrap_err() {
                Failure::Usage(said) if is_usage => assert!(said.contains(words), "{said}"),
                Failure::Input(said) if !is_usage => assert!(said.contains(words), "{said}"),
                other => panic!("{line}: {other:?}"),
            }
        }
        assert!(!is_heard());
    }
}
