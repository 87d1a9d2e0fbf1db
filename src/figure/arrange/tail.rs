//! What stands below the queries: the legend, and how the queries were chosen.

use crate::figure::page::{Area, Mark, Sheet};
use crate::figure::scene::Scene;
use crate::figure::style::frame;

/// Draws the legend and the statements; gives where they end.
pub(super) fn draw(sheet: &mut Sheet<'_>, scene: &Scene, area: Area) -> f32 {
    let y = legend(sheet, scene, area);
    let small = sheet.small();
    let words = scene.statements.join(" ");
    sheet.text(&words, area.x, y + sheet.size * 0.2, area.width, small)
}

fn legend(sheet: &mut Sheet<'_>, scene: &Scene, area: Area) -> f32 {
    let look = sheet.small();
    let tall = look.leading();
    let (mut x, mut y) = (area.x, area.y);
    let signs = scene.signs();
    for &sign in &signs {
        let wide = tall * 1.5 + sheet.size * 0.3 + sheet.width_of(sign.words(), look);
        if x > area.x && x + wide > area.x + area.width {
            x = area.x;
            y += tall * 1.2;
        }
        let sample = Area { x, y, width: tall * 1.5, height: tall };
        sheet.page.marks.push(Mark::Frame(sample, frame(sign)));
        sheet.page.marks.push(Mark::Sign {
            sign,
            x: sample.x + sample.width / 2.0,
            y: sample.y + sample.height / 2.0,
            half: look.size * 0.3,
        });
        let text = x + sample.width + sheet.size * 0.3;
        sheet.text(sign.words(), text, y, area.width, look);
        x += wide + sheet.size;
    }
    if signs.is_empty() { y } else { y + tall }
}
