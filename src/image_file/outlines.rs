//! Boxes drawn on an image.

use image::{DynamicImage, Rgb, RgbImage};

/// A box on an image: its left, upper, right and lower edge as shares of width and height, and its colour.
pub type ColouredBox = ([f64; 4], [u8; 3]);

/// Outlines are one pixel thicker for every this many pixels of the shorter side.
const SIDE_PER_PIXEL: u32 = 240;

/// Draws the outlines of boxes on an image, later ones over earlier ones.
pub fn draw_boxes(pixels: DynamicImage, boxes: &[ColouredBox]) -> DynamicImage {
    if boxes.is_empty() || pixels.width() == 0 || pixels.height() == 0 {
        return pixels;
    }
    let mut pixels = pixels.into_rgb8();
    let width = 1 + pixels.width().min(pixels.height()) / SIDE_PER_PIXEL;
    for (edges, colour) in boxes {
        draw_outline(&mut pixels, *edges, Rgb(*colour), width);
    }
    pixels.into()
}

/// Draws the outline of a box, on pixels inside it; edges are shares as in [`ColouredBox`].
fn draw_outline(pixels: &mut RgbImage, edges: [f64; 4], colour: Rgb<u8>, width: u32) {
    let [left, top, right, bottom] = edges;
    let across = pixel_range([left, right], pixels.width());
    let down = pixel_range([top, bottom], pixels.height());
    for y in down[0]..=down[1] {
        for x in across[0]..=across[1] {
            let is_line = |at: u32, ends: [u32; 2]| at - ends[0] < width || ends[1] - at < width;
            if is_line(x, across) || is_line(y, down) {
                pixels.put_pixel(x, y, colour);
            }
        }
    }
}

/// Indices of the first and the last pixel between two shares of a side; both are the same if less than a pixel is
/// between them.
fn pixel_range([from, to]: [f64; 2], side: u32) -> [u32; 2] {
    let pixel = |share: f64| ((share * f64::from(side)).round() as u32).min(side);
    let first = pixel(from).min(side - 1);
    [first, pixel(to).max(first + 1) - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The drawn pixels of an image of 8 x 4.
    fn drawn(edges: [f64; 4]) -> Vec<String> {
        let pixels = draw_boxes(DynamicImage::new_rgb8(8, 4), &[(edges, [9, 9, 9])]).into_rgb8();
        let sign = |x, y| {
            if pixels.get_pixel(x, y).0 == [9; 3] { '#' } else { '.' }
        };
        (0..4).map(|y| (0..8).map(|x| sign(x, y)).collect()).collect()
    }

    #[test]
    fn a_box_is_drawn_on_its_own_outermost_pixels() {
        assert_eq!(drawn([0.25, 0.0, 0.75, 1.0]), ["..####..", "..#..#..", "..#..#..", "..####.."]);
        // Nothing is too small or too far out.
        assert_eq!(drawn([1.0, 0.5, 1.0, 0.5]), ["........", "........", ".......#", "........"]);
    }

    #[test]
    fn without_boxes_an_image_stays_as_it_is() {
        let pixels = DynamicImage::new_luma8(3, 2);
        assert_eq!(draw_boxes(pixels.clone(), &[]), pixels);
    }
}
