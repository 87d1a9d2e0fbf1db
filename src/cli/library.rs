//! The command line without a terminal: for programs that call this library, such as the Python module.

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::command_line;
use crate::data::memory::{Held, Named};
use crate::data::parallel;

/// Output of a subcommand.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Answer {
    /// To standard output.
    pub out: Vec<u8>,
    /// The output in other formats, by key: every text format of a report in JSON, the PNG of a figure.
    pub formats: Vec<(&'static str, Vec<u8>)>,
    /// To standard error, line by line: notes on inputs, warnings.
    pub messages: Vec<String>,
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
    /// A bug of this library.
    Defect(String),
}

/// Output captured for a calling program.
static CAPTURED: Mutex<Option<Answer>> = Mutex::new(None);
/// One call at a time: names of inputs in memory, and captured output, belong to one.
static CALL: Mutex<()> = Mutex::new(());
/// The process of the call that holds [`CALL`]; 0 without one.
static CALLER: AtomicU32 = AtomicU32::new(0);

/// The whole command line: arguments of the Python module.
pub fn command() -> clap::Command {
    command_line::command()
}

fn captured() -> MutexGuard<'static, Option<Answer>> {
    CAPTURED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether output is captured.
pub(super) fn is_capturing() -> bool {
    captured().is_some()
}

/// Calls `hand_over` with captured output; false without.
pub(super) fn capture(hand_over: impl FnOnce(&mut Answer)) -> bool {
    captured().as_mut().map(hand_over).is_some()
}

/// Holds [`CALL`], and captures output, until it is dropped.
struct Calling {
    _call: MutexGuard<'static, ()>,
}

impl Calling {
    fn new() -> Result<Self, Failure> {
        if ![0, process::id()].contains(&CALLER.load(Relaxed)) {
            return Err(Failure::Defect(
                "this process was forked while another thread of its parent was computing\n  \
                 fix: start workers before, or with multiprocessing.get_context(\"spawn\")"
                    .into(),
            ));
        }
        let call = CALL.lock().unwrap_or_else(PoisonError::into_inner);
        CALLER.store(process::id(), Relaxed);
        *captured() = Some(Answer::default());
        Ok(Calling { _call: call })
    }
}

impl Drop for Calling {
    fn drop(&mut self) {
        *captured() = None;
        CALLER.store(0, Relaxed);
    }
}

/// Starts a subcommand, after the program's name; its output comes through the channel. Paths may name inputs in
/// memory.
///
/// Each call has threads of its own: a forked process has none of the threads of its parent, and would wait for them.
pub fn start(arguments: Vec<OsString>, inputs: Vec<Held>) -> Receiver<Result<Answer, Failure>> {
    let (done, answered) = channel();
    let failed = done.clone();
    // After Ctrl-C nobody is waiting.
    let work = move || drop(done.send(answer(&arguments, inputs)));
    if let Err(error) = parallel::on_own_threads(work) {
        let _ = failed.send(Err(Failure::Defect(error)));
    }
    answered
}

fn answer(arguments: &[OsString], inputs: Vec<Held>) -> Result<Answer, Failure> {
    let _calling = Calling::new()?;
    let cli = command_line::read(arguments.iter().cloned());
    let cli = cli.map_err(|error| Failure::Usage(mistake(&error)))?;
    if cli.command.is_none() {
        return Err(Failure::Usage("the explorer needs a terminal".into()));
    }
    let _named = Named::new(inputs);
    let done = catch_unwind(AssertUnwindSafe(|| cli.run()));
    let done = done.map_err(|panic| Failure::Defect(panic_message(panic.as_ref())))?;
    let code = done.map_err(|error| Failure::Input(error.to_string()))?;
    Ok(Answer { code, ..captured().take().unwrap_or_default() })
}

/// The message of a usage error without the lines for a shell.
fn mistake(error: &clap::Error) -> String {
    let words = error.to_string();
    let end = words.find("\n\nUsage").or(words.find("\n\nFor more")).unwrap_or(words.len());
    words[..end].trim_start_matches("error: ").replace("<FILES>...", "sims, or demo=True")
}

/// A panic's message.
fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
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

    fn run(line: &str) -> Result<Answer, Failure> {
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
        let answer = run(line).unwrap();
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
            match run(line).unwrap_err() {
                Failure::Usage(said) if is_usage => assert!(said.contains(words), "{said}"),
                Failure::Input(said) if !is_usage => assert!(said.contains(words), "{said}"),
                other => panic!("{line}: {other:?}"),
            }
        }
        assert!(!is_capturing_between());
    }
}
