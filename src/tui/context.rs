//! Keys, theme, size, images, and the hit map that drawing fills.

use std::cell::{Cell, RefCell};

use ratatui::layout::Rect;

use super::action::Action;
use super::keymap::Keymap;
use super::screens::{Frame, frame};
use super::state::Model;
use super::theme::{self, Theme};
use super::thumbnails::{ImageBackend, ProtocolType, Thumbnails, is_text};
use super::ui::hits::{Hits, Target};
use crate::data::Direction;
use crate::image_file::NoImage;

/// Keys, theme, size and images.
pub struct Ui {
    /// The bindings.
    pub keymap: Keymap,
    /// Colours and emphasis.
    pub theme: Theme,
    /// Name of the theme.
    pub theme_name: String,
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    /// Images encoded for the terminal, and whether they are shown.
    pub thumbnails: Thumbnails,
    /// Whether drawing is at the screen below a popup, not at the popup.
    pub is_covered: Cell<bool>,
    /// Click targets, filled while a frame is drawn.
    pub hits: RefCell<Hits>,
}

impl Ui {
    /// A `Ui` that shows no images yet. The theme comes after its name; `size`: columns and rows of the terminal.
    pub fn new(keymap: Keymap, (theme_name, theme): (String, Theme), size: (u16, u16)) -> Self {
        Ui {
            keymap,
            theme,
            theme_name,
            size,
            thumbnails: Thumbnails::default(),
            is_covered: Cell::default(),
            hits: RefCell::default(),
        }
    }

    /// Adds a click target of this frame: a click on the area has the meaning `target`.
    pub fn add_target(&self, area: Rect, target: Target) {
        self.hits.borrow_mut().push(area, target);
    }

    /// Areas of header, body and footer at the current size.
    pub fn frame(&self) -> Frame {
        frame(self.size)
    }

    /// Protocol of shown images; `None` if images are off.
    pub fn image_protocol(&self) -> Option<ProtocolType> {
        let backend = self.thumbnails.backend.as_ref().map(ImageBackend::protocol_type);
        backend.filter(|_| self.thumbnails.is_on)
    }

    /// Why no images are shown, and how to show them.
    pub(super) fn why_no_thumbnails(&self, model: &Model) -> String {
        if model.study.image_files.is_none() {
            return "no image files: --images names their folder".into();
        }
        match self.thumbnails.backend {
            None => "thumbnails are off: --thumbnails auto shows them".into(),
            Some(_) => {
                format!("thumbnails are off: {} shows them", self.keymap.hint(Action::Thumbnails))
            }
        }
    }

    /// Whether retrieved items of a direction are images, and images are shown.
    pub fn has_item_images(&self, direction: Direction) -> bool {
        self.image_protocol().is_some() && direction == Direction::T2i
    }

    /// Why the image at a gallery index cannot be shown; `None` if it can be shown or is not read yet, if images are
    /// off, or if `image` is `None`.
    pub fn why_no_image(&self, image: Option<usize>) -> Option<&NoImage> {
        self.image_protocol().and_then(|_| self.thumbnails.failure(image?))
    }

    /// Whether images must not be drawn now: the terminal would show them over the popup.
    pub fn hides_images(&self) -> bool {
        self.is_covered.get() && !self.image_protocol().is_some_and(is_text)
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

/// Inputs of drawing: the state of a screen, the model, and the [`Ui`].
pub struct Context<'a, S = ()> {
    /// The state of the screen.
    pub state: &'a S,
    /// The model.
    pub model: &'a Model,
    /// Keys, theme and size.
    pub ui: &'a Ui,
    /// Colours and emphasis.
    pub theme: &'a Theme,
}

impl<S> Clone for Context<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Context<'_, S> {}

impl<'a, S> Context<'a, S> {
    /// Context of the state of a screen.
    pub fn new(state: &'a S, model: &'a Model, ui: &'a Ui) -> Self {
        Context { state, model, ui, theme: &ui.theme }
    }
}

/// Context without the state of a screen.
pub fn plain<'a>(model: &'a Model, ui: &'a Ui) -> Context<'a> {
    Context::new(&(), model, ui)
}
