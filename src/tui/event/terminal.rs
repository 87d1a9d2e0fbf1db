//! Takes over the terminal, and restores it however the program ends.

use std::io::{BufWriter, IsTerminal, Stdout, Write, stdin, stdout};
use std::mem::ManuallyDrop;
use std::sync::OnceLock;

use crossterm::clipboard::CopyToClipboard;
use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute, queue};
use ratatui::backend::CrosstermBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::Color;

use crate::data::mmap;
use crate::tui::thumbnails::{ImageMode, ProtocolType};

/// Colours that the terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colours {
    /// 24 bits.
    All,
    /// The 256 of xterm.
    Indexed,
}

/// Whether stdin and stdout are terminals.
pub fn is_interactive() -> bool {
    stdin().is_terminal() && stdout().is_terminal()
}

/// Asks a terminal that is not taken over yet for its best image protocol; `None` if images are off.
///
/// # Errors
/// When raw mode cannot be set.
pub fn detect_protocol() -> std::io::Result<Option<ProtocolType>> {
    enable_raw_mode()?;
    let probed = super::probe::probe(ImageMode::Auto);
    disable_raw_mode()?;
    Ok(probed.backend.map(|backend| backend.protocol_type()))
}

/// The terminal in raw mode and alternate screen, restored on drop.
pub struct Terminal {
    /// Never dropped: it would panic if the terminal is gone and cannot show its cursor.
    inner: ManuallyDrop<RatatuiTerminal>,
    colours: Colours,
    /// Whether the mouse is used.
    mouse: bool,
}

impl Terminal {
    /// Enters raw mode and the alternate screen. From then on, a panic on this thread or an abort restores the
    /// terminal first.
    ///
    /// # Errors
    /// When the terminal cannot be set.
    pub fn enter(colours: Colours, mouse: bool) -> std::io::Result<Self> {
        // NO_COLOR is honoured by the theme. Left to crossterm, every colour would become a reset
        // that also takes back bold and reverse.
        crossterm::style::force_color_output(true);
        set_panic_hook();
        set_abort_handler();
        mmap::handle_missing_pages();
        let inner = enter_screen(mouse)?;
        Ok(Terminal { inner, colours, mouse })
    }

    /// Columns and rows.
    ///
    /// # Errors
    /// When the size is unknown.
    pub fn size(&self) -> std::io::Result<(u16, u16)> {
        let size = self.inner.size()?;
        Ok((size.width, size.height))
    }

    /// Draws a frame at once; `draw` returns column and row of the cursor, if any.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn draw(
        &mut self,
        draw: impl FnOnce(Rect, &mut Buffer) -> Option<(u16, u16)>,
    ) -> std::io::Result<()> {
        let colours = self.colours;
        queue!(self.inner.backend_mut(), BeginSynchronizedUpdate)?;
        self.inner.draw(|frame| {
            let area = frame.area();
            let cursor = draw(area, frame.buffer_mut());
            if colours == Colours::Indexed {
                reduce_colours(frame.buffer_mut());
            }
            if let Some(position) = cursor {
                frame.set_cursor_position(position);
            }
        })?;
        execute!(self.inner.backend_mut(), EndSynchronizedUpdate)
    }

    /// Makes the next frame draw every cell.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn force_redraw(&mut self) -> std::io::Result<()> {
        // Not `clear`: that asks the terminal where its cursor is, and waits for the answer.
        let (columns, rows) = self.size()?;
        self.inner.resize(Rect::new(0, 0, columns, rows))
    }

    /// Puts text on the clipboard by OSC 52, which works over ssh too.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn copy(&mut self, text: &str) -> std::io::Result<()> {
        execute!(self.inner.backend_mut(), CopyToClipboard::to_clipboard_from(text))
    }

    /// Restores the terminal and stops until the shell resumes us.
    ///
    /// # Errors
    /// When the terminal cannot be reentered.
    pub fn suspend(&mut self) -> std::io::Result<()> {
        restore();
        stop_process_group();
        self.inner = enter_screen(self.mouse)?;
        Ok(())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        restore();
    }
}

/// The bytes that [`restore`] writes, for signal handlers, which must not call it.
const RESTORE_BYTES: &[u8] =
    b"\x1b[?2026l\x1b[?1006l\x1b[?1015l\x1b[?1003l\x1b[?1002l\x1b[?1000l\x1b[?2004l\x1b[?1049l\x1b[?25h";
/// Settings of the terminal before raw mode.
static BEFORE: OnceLock<libc::termios> = OnceLock::new();

/// Makes an abort, as when out of memory, restore the terminal before the process dies.
#[expect(unsafe_code, reason = "the standard library knows no signals")]
fn set_abort_handler() {
    // SAFETY: plain system calls; the handler is set once the settings that it needs are there.
    unsafe {
        let mut settings = std::mem::zeroed::<libc::termios>();
        if libc::tcgetattr(libc::STDIN_FILENO, &raw mut settings) == 0 {
            BEFORE.get_or_init(|| settings);
            let mut action = std::mem::zeroed::<libc::sigaction>();
            action.sa_sigaction = restore_and_die as *const () as usize;
            action.sa_flags = libc::SA_RESETHAND | libc::SA_ONSTACK;
            libc::sigaction(libc::SIGABRT, &raw const action, std::ptr::null_mut());
        }
    }
}

/// Signal handler: restores the terminal by system calls that are allowed in one, then takes the default action.
#[expect(unsafe_code, reason = "the standard library knows no signals")]
extern "C" fn restore_and_die(signal: i32) {
    // SAFETY: plain system calls on bytes and settings that never change.
    unsafe {
        write_restore_bytes();
        libc::raise(signal);
    }
}

/// Restores the terminal like [`restore`], by two system calls.
#[expect(unsafe_code, reason = "the standard library locks and waits")]
unsafe fn write_restore_bytes() {
    // SAFETY: bytes and settings that never change.
    unsafe {
        libc::write(libc::STDOUT_FILENO, RESTORE_BYTES.as_ptr().cast(), RESTORE_BYTES.len());
        if let Some(settings) = BEFORE.get() {
            libc::tcsetattr(libc::STDIN_FILENO, libc::TCSANOW, settings);
        }
    }
}

/// Restores a blocked terminal as far as possible without waiting, and ends the process by the signal.
#[expect(unsafe_code, reason = "the standard library waits for a terminal")]
pub(super) fn restore_and_exit(signal: i32) -> ! {
    // SAFETY: plain system calls on bytes and settings that never change.
    unsafe {
        libc::tcflush(libc::STDOUT_FILENO, libc::TCOFLUSH);
        let flags = libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFL);
        libc::fcntl(libc::STDOUT_FILENO, libc::F_SETFL, flags | libc::O_NONBLOCK);
        write_restore_bytes();
        libc::fcntl(libc::STDOUT_FILENO, libc::F_SETFL, flags);
        libc::_exit(128 + signal)
    }
}

type RatatuiTerminal = ratatui::Terminal<CrosstermBackend<BufWriter<Stdout>>>;

/// Enters raw mode and the alternate screen, and turns on reports of pastes and, with `mouse`, of the mouse.
fn enter_screen(mouse: bool) -> std::io::Result<ManuallyDrop<RatatuiTerminal>> {
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, EnableBracketedPaste)?;
    if mouse {
        execute!(stdout(), EnableMouseCapture)?;
    }
    ratatui::Terminal::new(CrosstermBackend::new(BufWriter::new(stdout()))).map(ManuallyDrop::new)
}

/// Undoes [`enter_screen`]. May be called twice, and after the terminal is gone.
fn restore() {
    let mut out = stdout();
    let _ = disable_raw_mode();
    let _ = execute!(
        out,
        EndSynchronizedUpdate,
        DisableMouseCapture,
        DisableBracketedPaste,
        LeaveAlternateScreen,
        cursor::Show
    );
    let _ = out.flush();
}

/// Makes a panic on this thread restore the terminal before its message. A panic on another thread must leave the
/// screen alone: that thread reports it in an event.
fn set_panic_hook() {
    let screen_thread = std::thread::current().id();
    let default_hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if std::thread::current().id() == screen_thread {
            restore();
            default_hook(info);
        }
    }));
}

/// Stops the process group as Ctrl-Z does in a shell; returns when it is continued. Without job
/// control the kernel ignores the signal, where SIGSTOP would stop for ever.
#[expect(unsafe_code, reason = "the standard library knows no signals")]
fn stop_process_group() {
    // SAFETY: plain system calls; the old action is put back, whatever it was.
    unsafe {
        let mut old = std::mem::zeroed::<libc::sigaction>();
        let mut default = std::mem::zeroed::<libc::sigaction>();
        default.sa_sigaction = libc::SIG_DFL;
        libc::sigaction(libc::SIGTSTP, &raw const default, &raw mut old);
        libc::kill(0, libc::SIGTSTP);
        libc::sigaction(libc::SIGTSTP, &raw const old, std::ptr::null_mut());
    }
}

/// Character of the cells of an image in kitty's protocol; their colour is the id of the image.
const KITTY_PLACEHOLDER: char = '\u{10EEEE}';

/// Maps 24-bit colours to the nearest of the 256 that older terminals know.
fn reduce_colours(buffer: &mut Buffer) {
    let nearest = |colour: Color| match colour {
        Color::Rgb(r, g, b) => Color::Indexed(ansi_colours::ansi256_from_rgb((r, g, b))),
        other => other,
    };
    let is_no_image = |cell: &&mut Cell| !cell.symbol().contains(KITTY_PLACEHOLDER);
    for cell in buffer.content.iter_mut().filter(is_no_image) {
        cell.fg = nearest(cell.fg);
        cell.bg = nearest(cell.bg);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Style;

    /// Kitty identifies images by the colour of their cells.
    #[test]
    fn the_id_of_a_kitty_image_is_not_mapped_as_a_colour() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 1, 1));
        let number = Color::Rgb(1, 2, 3);
        buffer[(0, 0)].set_symbol("\u{10EEEE}\u{305}").set_fg(number);
        reduce_colours(&mut buffer);
        assert_eq!(buffer[(0, 0)].fg, number);
    }

    #[test]
    fn older_terminals_get_the_nearest_of_256_colours() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 2, 1));
        buffer.set_string(0, 0, "a", Style::new().fg(Color::Rgb(255, 0, 0)).bg(Color::Red));
        reduce_colours(&mut buffer);
        assert_eq!((buffer[(0, 0)].fg, buffer[(0, 0)].bg), (Color::Indexed(196), Color::Red));
    }
}
