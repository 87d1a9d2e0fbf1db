//! Keys, theme, size, images, and the hit map that drawing fills.

use std::cell::{Cell, RefCell};

use ratatui::layout::Rect;

use super::action::Action;
use super::keymap::Keymap;
use super::pictures::{ImageBackend, Pictures, Way, is_text};
use super::screens::{Frame, frame};
use super::state::Model;
use super::theme::{self, Theme};
use super::ui::hits::{Hits, Target};
use crate::data::Direction;
use crate::picture::Why;

/// Keys, theme, size and images.
pub struct Ui {
    /// The bindings.
    pub keymap: Keymap,
    /// Theme.
    pub theme: Theme,
    /// Its name.
    pub theme_name: String,
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    /// Painted images.
    pub pictures: Pictures,
    /// Whether a popup will cover what is being drawn.
    pub is_covered: Cell<bool>,
    /// Click targets, filled while a frame is drawn.
    pub hits: RefCell<Hits>,
}

impl Ui {
    /// No images yet; a theme with its name, columns and rows.
    pub fn new(keymap: Keymap, (theme_name, theme): (String, Theme), size: (u16, u16)) -> Self {
        Ui {
            keymap,
            theme,
            theme_name,
            size,
            pictures: Pictures::default(),
            is_covered: Cell::default(),
            hits: RefCell::default(),
        }
    }

    /// Registers a mouse target.
    pub fn hit(&self, area: Rect, target: Target) {
        self.hits.borrow_mut().push(area, target);
    }

    /// Areas that all screens have, at the current size.
    pub fn frame(&self) -> Frame {
        frame(self.size)
    }

    /// Protocol of shown images; `None` if images are off.
    pub fn picture_way(&self) -> Option<Way> {
        let backend = self.pictures.backend.as_ref().map(ImageBackend::way);
        backend.filter(|_| self.pictures.is_on)
    }

    /// Why no images are shown, and how to show them.
    pub(super) fn lacks_pictures(&self, model: &Model) -> String {
        if model.study.pictures.is_none() {
            return "no pictures are known: --images names their folder".into();
        }
        match self.pictures.backend {
            None => "pictures are off: --pictures auto shows them".into(),
            Some(_) => {
                format!("pictures are off: {} shows them", self.keymap.hint(Action::Pictures))
            }
        }
    }

    /// Whether ranked items of a direction have images.
    pub fn ranks_pictures(&self, direction: Direction) -> bool {
        self.picture_way().is_some() && direction == Direction::T2i
    }

    /// Why an image is not shown while images are on.
    pub fn lacking(&self, image: Option<usize>) -> Option<&Why> {
        self.picture_way().and_then(|_| self.pictures.lacks(image?))
    }

    /// Whether the terminal would draw images over the popup.
    pub fn hides_pictures(&self) -> bool {
        self.is_covered.get() && !self.picture_way().is_some_and(is_text)
    }

    /// Sets the next bundled theme; returns its name.
    pub(super) fn next_theme(&mut self) -> &'static str {
        let mut bundled = theme::BUNDLED.iter();
        let at = bundled.position(|(name, _)| *name == self.theme_name);
        let (name, theme) = Theme::bundled(at.map_or(0, |at| at + 1));
        self.theme = theme;
        name.clone_into(&mut self.theme_name);
        name
    }
}

/// State of a screen, the model, and the [`Ui`].
pub struct Context<'a, S = ()> {
    /// The state of the screen.
    pub state: &'a S,
    /// The model.
    pub model: &'a Model,
    /// Keys, theme and size.
    pub ui: &'a Ui,
    /// Theme.
    pub theme: &'a Theme,
}

impl<S> Clone for Context<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Context<'_, S> {}

impl<'a, S> Context<'a, S> {
    /// Context of a state.
    pub fn new(state: &'a S, model: &'a Model, ui: &'a Ui) -> Self {
        Context { state, model, ui, theme: &ui.theme }
    }
}

/// Context without the state of a screen.
pub fn plain<'a>(model: &'a Model, ui: &'a Ui) -> Context<'a> {
    Context::new(&(), model, ui)
}
