//! The command line as a library: for programs that call it without a terminal, such as the Python module.

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::command_line;
use crate::data::memory::{MemoryInput, RegisteredInputs};
use crate::data::parallel;

/// Captured output of a subcommand.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Bytes written to standard output.
    pub out: Vec<u8>,
    /// The output in further formats, by key: a report in JSON also in every other text format, a figure also as PNG.
    pub formats: Vec<(&'static str, Vec<u8>)>,
    /// Messages written to standard error, such as warnings.
    pub messages: Vec<String>,
    /// Exit code of the subcommand.
    pub code: u8,
}

/// Why there is no answer, with a message for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The arguments are wrong.
    Usage(String),
    /// An input is missing or wrong.
    Input(String),
    /// A bug of this library, or a process in which it cannot run.
    Defect(String),
}

/// Output of the running call; `None` between calls.
static CAPTURED: Mutex<Option<Answer>> = Mutex::new(None);
/// Held by the running call: inputs in memory and captured output belong to one call at a time.
static CALL: Mutex<()> = Mutex::new(());
/// Id of the process in which the running call holds [`CALL`]; 0 between calls.
static CALLER: AtomicU32 = AtomicU32::new(0);

/// The whole clap command line, from which the Python module derives its functions.
pub fn command() -> clap::Command {
    command_line::command()
}

/// Locks [`CAPTURED`].
fn lock_captured() -> MutexGuard<'static, Option<Answer>> {
    CAPTURED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether output is captured for a calling program instead of being printed.
pub(super) fn is_capturing() -> bool {
    lock_captured().is_some()
}

/// Calls `add` with the captured output; returns false if output is not captured.
pub(super) fn capture(add: impl FnOnce(&mut Answer)) -> bool {
    lock_captured().as_mut().map(add).is_some()
}

/// A running call: holds [`CALL`] and captures output until it is dropped.
struct Call {
    _guard: MutexGuard<'static, ()>,
}

impl Call {
    /// Starts a call as soon as no other call of this process is running.
    ///
    /// # Errors
    /// This process was forked during a call, whose lock nobody will release.
    fn new() -> Result<Self, Failure> {
        if ![0, process::id()].contains(&CALLER.load(Relaxed)) {
            return Err(Failure::Defect(
                "this process was forked while another thread of its parent was computing\n  \
                 fix: start workers before, or with multiprocessing.get_context(\"spawn\")"
                    .into(),
            ));
        }
        let guard = CALL.lock().unwrap_or_else(PoisonError::into_inner);
        CALLER.store(process::id(), Relaxed);
        *lock_captured() = Some(Answer::default());
        Ok(Call { _guard: guard })
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        *lock_captured() = None;
        CALLER.store(0, Relaxed);
    }
}

/// Starts a subcommand on a thread of its own and returns a channel that receives its output once. `args` start
/// with the program's name and may refer to `inputs` by path.
///
/// Each call starts its own worker threads: a forked process has none of its parent's, and would wait for them forever.
pub fn start(args: Vec<OsString>, inputs: Vec<MemoryInput>) -> Receiver<Result<Answer, Failure>> {
    let (sender, receiver) = channel();
    let error_sender = sender.clone();
    // Sending fails if the caller no longer waits, as after Ctrl-C.
    let work = move || drop(sender.send(run(&args, inputs)));
    if let Err(error) = parallel::on_own_threads(work) {
        let _ = error_sender.send(Err(Failure::Defect(error)));
    }
    receiver
}

/// Runs a subcommand and returns its captured output.
fn run(args: &[OsString], inputs: Vec<MemoryInput>) -> Result<Answer, Failure> {
    let _call = Call::new()?;
    let cli = command_line::read(args.iter().cloned());
    let cli = cli.map_err(|error| Failure::Usage(usage_message(&error)))?;
    // Without a path to the explorer, the linker leaves it out of the Python module.
    let no_explorer = || Failure::Usage("the explorer needs a terminal".into());
    let command = cli.command.ok_or_else(no_explorer)?;
    let _named = RegisteredInputs::new(inputs);
    let outcome = catch_unwind(AssertUnwindSafe(|| command.execute()));
    let outcome = outcome.map_err(|panic| Failure::Defect(panic_message(panic.as_ref())))?;
    let code = outcome.map_err(|error| Failure::Input(error.to_string()))?;
    Ok(Answer { code, ..lock_captured().take().unwrap_or_default() })
}

/// The message of a usage error for Python: without the lines on usage, and with arguments instead of `<FILES>`.
fn usage_message(error: &clap::Error) -> String {
    let text = error.to_string();
    let end = text.find("\n\n").unwrap_or(text.len());
    text[..end].trim_start_matches("error: ").replace("<FILES>...", "sims, or demo=True")
}

/// The message of a panic.
fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let formatted = panic.downcast_ref::<String>().cloned();
    let literal = || panic.downcast_ref::<&str>().map(ToString::to_string);
    formatted.or_else(literal).unwrap_or_else(|| "unknown".into())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn matrix() -> MemoryInput {
        // Two images, one caption each: the second pair is found, the first is not.
        let cells: [f32; 4] = [0.1, 0.9, 0.2, 0.8];
        MemoryInput {
            path: "in-memory/ours".into(),
            bytes: Arc::new(cells.map(f32::to_le_bytes).concat()),
            header: Some("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2)}".into()),
        }
    }

    fn call(line: &str) -> Result<Answer, Failure> {
        let arguments = line.split(' ').map(OsString::from);
        start(arguments.collect(), vec![matrix()]).recv().unwrap()
    }

    /// Whether output is captured between calls; other tests call at the same time.
    fn is_capturing_between() -> bool {
        let _call = CALL.lock().unwrap_or_else(PoisonError::into_inner);
        is_capturing()
    }

    #[test]
    fn what_is_written_is_given_back() {
        let line = "itm-explore eval in-memory/ours --captions-per-image 1 --images-first --metrics r1 --format json";
        let answer = call(line).unwrap();
        let json: serde_json::Value = serde_json::from_slice(&answer.out).unwrap();
        assert!(json.to_string().contains("\"ours\""), "{json}");
        let keys: Vec<&str> = answer.formats.iter().map(|(key, _)| *key).collect();
        assert!(keys.contains(&"table") && keys.contains(&"latex"), "{keys:?}");
        assert_eq!((answer.code, is_capturing_between()), (0, false));
    }

    #[test]
    fn mistakes_come_back_in_words() {
        for (line, is_usage, words) in [
            ("itm-explore eval in-memory/ours --k=x", true, "invalid value 'x' for '--k <K>'"),
            ("itm-explore eval", true, "sims, or demo=True"),
            ("itm-explore in-memory/ours", true, "terminal"),
            ("itm-explore eval in-memory/theirs", false, "in-memory/theirs"),
        ] {
            match call(line).unwrap_err() {
                Failure::Usage(said) if is_usage => assert!(said.contains(words), "{said}"),
                Failure::Input(said) if !is_usage => assert!(said.contains(words), "{said}"),
                other => panic!("{line}: {other:?}"),
            }
        }
        assert!(!is_capturing_between());
    }
}
