//! Figures: drawn for the screen, and written to files.

use std::sync::Arc;

use super::{Desk, Send, untagged};
use crate::engine::{Draft, Drafter, Export, PictureKey};
use crate::picture::DynamicImage;
use crate::tui::app::App;
use crate::tui::event::Event;
use crate::tui::pictures::{Brush, Painted};

/// Figures are told in text.
pub(super) fn in_text(send: &Send) -> Drafter {
    drafter(send, (1, 1), |_, _| Err("pictures are off".into()))
}

/// Figures may be shown as pictures, too.
pub(super) fn in_pictures(send: &Send, brush: Brush) -> Drafter {
    let cell = brush.cell();
    drafter(send, cell, move |picture, (columns, rows)| {
        // Only its place matters: it is kept with its figure.
        let key = PictureKey {
            image: 0,
            columns,
            rows,
        };
        brush.paint(picture, key)
    })
}

fn drafter(
    send: &Send,
    cell: (u16, u16),
    paint: impl FnMut(DynamicImage, (u16, u16)) -> Result<Painted, String> + std::marker::Send + 'static,
) -> Drafter {
    let of_drafter = send.clone();
    let tell = move |draft, drawn| of_drafter(Event::Drafted(draft, drawn));
    Drafter::new(cell, paint, tell, &untagged(send))
}

impl Desk {
    pub(super) fn ask_figures(&mut self, app: &App) {
        let wanted = app.wanted_draft();
        if wanted != self.asked.draft {
            if let Some(draft) = &wanted {
                let draft: Arc<Draft> = Arc::new(draft.clone());
                self.drafter.draft(app.study.clone(), draft);
            }
            self.asked.draft = wanted;
        }
        let export = app.wanted_export();
        let was = self.asked.export.take();
        let is_new = |one: &&Arc<Export>| !was.is_some_and(|was| Arc::ptr_eq(&was, one));
        if let Some(export) = export.filter(is_new) {
            self.drafter.export(export.clone());
        }
        self.asked.export = export.cloned();
    }
}
