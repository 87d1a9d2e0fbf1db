//! The screens: in each folder `mod` holds state and what actions do to it, `view` draws. Header,
//! footer and whatever opens on top are the same on all of them.

pub mod browse;
pub mod compare;
pub mod errors;
mod footer;
mod header;
mod headline;
pub mod layout;
pub mod metrics;
pub mod picks;
mod pointer;
mod tabs;
pub mod view;

use super::action::Action;
use super::app::{App, Effect};

/// One row a screen: variant, which is also that of the action that shows it, name, the module that has its `view::draw`, and what it
/// makes of keys and the mouse.
macro_rules! screens {
    ($($variant:ident $name:literal $module:ident $page:ident;)*) => {
        /// What fills the terminal between header and footer.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub enum Screen {
            #[default]
            $(#[doc = $name] $variant,)*
        }

        impl Screen {
            /// Every screen, in the order of their keys.
            pub const ALL: &[Screen] = &[$(Screen::$variant,)*];

            /// Its name.
            pub fn name(self) -> &'static str {
                match self { $(Screen::$variant => $name,)* }
            }

            /// The action that shows it.
            pub fn shown_by(self) -> Action {
                match self { $(Screen::$variant => Action::$variant,)* }
            }

            fn page(self) -> &'static dyn Page {
                match self { $(Screen::$variant => &$module::$page,)* }
            }

            fn view(self) -> view::Draw {
                match self { $(Screen::$variant => $module::view::draw,)* }
            }
        }
    };
}

screens! {
    Browse "Browse" browse Browsing;
    Compare "Compare" compare Comparing;
    Metrics "Metrics" metrics Measuring;
    Errors "Errors" errors Explaining;
    Picks "Picks" picks Picking;
}

/// A key that matters on a screen, and what it does there.
type Hint = (Action, &'static str);

/// The first keys that matter where queries are listed beside rankings.
fn list_hints(app: &App) -> Vec<Hint> {
    let mut hints = vec![
        (Action::Help, "help"),
        (Action::Quit, "quit"),
        (Action::Down, "move"),
        (Action::NextPane, "pane"),
    ];
    if !app.search.text().is_empty() {
        hints.push((Action::Close, "end search"));
    } else if !app.filter.text.is_empty() {
        hints.push((Action::Close, "end filter"));
    }
    hints
}

/// What a screen makes of keys and the mouse.
trait Page: Sync {
    /// Takes an action that is not the same on every screen.
    fn act(&self, app: &mut App, action: Action) -> Option<Effect>;

    /// The keys that matter here, the most important first.
    fn hints(&self, app: &App) -> Vec<Hint>;

    /// Takes a click at a column and a row of the terminal.
    fn click(&self, app: &mut App, x: u16, y: u16);

    /// Takes a turn of the wheel there.
    fn wheel(&self, app: &mut App, x: u16, y: u16, by: isize);

    /// Scrolls so that what is selected is in sight.
    fn follow(&self, app: &mut App);

    /// Whether a query and an item are selected here, so that a person can judge, pick and note.
    fn has_items(&self) -> bool {
        false
    }

    /// Whether an action means something of its own here, though it is the same elsewhere.
    fn takes(&self, _app: &App, _action: Action) -> bool {
        false
    }

    /// Whether it shows numbers of every model and direction.
    fn shows_all(&self) -> bool {
        false
    }
}

impl Screen {
    /// The screen that an action shows.
    fn of(action: Action) -> Option<Screen> {
        let mut all = Screen::ALL.iter().copied();
        all.find(|screen| screen.shown_by() == action)
    }

    /// The screen of a name.
    pub(super) fn named(name: &str) -> Option<Screen> {
        let mut all = Screen::ALL.iter().copied();
        all.find(|screen| screen.name() == name)
    }

    /// Whether a query and an item are selected on it.
    pub(super) fn has_items(self) -> bool {
        self.page().has_items()
    }

    /// Whether it shows numbers of every model and direction.
    pub(super) fn shows_all(self) -> bool {
        self.page().shows_all()
    }
}

impl App {
    /// Takes an action that shows a screen, or is the screen's own.
    pub(super) fn screen_act(&mut self, action: Action) -> Option<Effect> {
        match Screen::of(action) {
            Some(screen) => {
                self.show(screen);
                None
            }
            None => self.screen.page().act(self, action),
        }
    }

    /// Whether the screen makes of an action what only it does.
    pub(super) fn screen_takes(&self, action: Action) -> bool {
        self.screen.page().takes(self, action)
    }

    /// Shows a screen.
    pub(super) fn show(&mut self, screen: Screen) {
        if self.screen != screen {
            self.screen = screen;
            self.refresh_judged();
            self.screen_follow();
            self.turn_page();
        }
    }

    /// Scrolls the screen so that what is selected is in sight.
    pub(super) fn screen_follow(&mut self) {
        self.screen.page().follow(self);
    }

    /// Whether this screen lacks what a person could judge, which is then said.
    pub(super) fn lacks_items(&mut self) -> bool {
        let lacks = !self.screen.has_items();
        if lacks {
            let key = self.keymap.hint(Action::Browse);
            let name = Screen::Browse.name();
            self.message = Some(format!("no query is in sight here: {key} shows {name}"));
        }
        lacks
    }
}
