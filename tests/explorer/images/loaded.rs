//! Which pixels come of a file, and why none do.

use std::fs;
use std::path::Path;

use image::{DynamicImage, ImageBuffer, ImageFormat, Luma, Rgb, Rgba, RgbaImage};
use itm_explore::image_file::{ImageFile, ImageLimits, NoImage, load, scale_to_fit, shrink_to_fit};
use itm_explore::study::{Inputs, Study, demo};

use super::files::{about, bomb, bytes, cmyk_jpeg, red_blue, turned_jpeg};

const RED: [u8; 3] = [255, 0, 0];
const BLUE: [u8; 3] = [0, 0, 255];
const WHITE: [u8; 3] = [255; 3];

fn loaded(content: &[u8]) -> Result<DynamicImage, NoImage> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("image.jpg");
    fs::write(&path, content).unwrap();
    load(&ImageFile::File(path), ImageLimits::default())
}

#[test]
fn every_form_gives_its_colours() {
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP, ImageFormat::Gif] {
        let pixels = loaded(&bytes(&red_blue(32, 16), format)).unwrap();
        let corners = [about(&pixels, 2, 8), about(&pixels, 29, 8)];
        assert_eq!(corners, [RED, BLUE], "{format:?}");
        assert_eq!((pixels.width(), pixels.height()), (32, 16), "{format:?}");
    }
}

#[test]
fn grey_sixteen_bits_four_inks_and_transparency() {
    let grey: DynamicImage = ImageBuffer::from_pixel(8, 8, Luma([170_u8])).into();
    let deep: DynamicImage = ImageBuffer::from_pixel(8, 8, Rgb([0_u16, 0, u16::MAX])).into();
    let clear: DynamicImage = RgbaImage::from_pixel(8, 8, Rgba([0, 0, 0, 0])).into();
    let half: DynamicImage = RgbaImage::from_pixel(8, 8, Rgba([255, 0, 0, 170])).into();
    let png = |pixels: &DynamicImage| bytes(pixels, ImageFormat::Png);
    for (content, colour) in [
        (bytes(&grey, ImageFormat::Jpeg), [170; 3]),
        (png(&grey), [170; 3]),
        (png(&deep), BLUE),
        (png(&clear), WHITE),
        (png(&half), [255, 85, 85]),
        (cmyk_jpeg(), [85; 3]),
    ] {
        assert_eq!(about(&loaded(&content).unwrap(), 3, 3), colour);
    }
}

#[test]
fn turned_as_its_data_say() {
    let lying = loaded(&turned_jpeg(&red_blue(32, 16), 6)).unwrap();
    assert_eq!((lying.width(), lying.height()), (16, 32));
    assert_eq!([about(&lying, 8, 2), about(&lying, 8, 29)], [RED, BLUE]);
    let mirrored = loaded(&turned_jpeg(&red_blue(32, 16), 2)).unwrap();
    assert_eq!([about(&mirrored, 2, 8), about(&mirrored, 29, 8)], [BLUE, RED]);
}

#[test]
fn bad_files_say_why() {
    let jpeg = bytes(&red_blue(640, 480), ImageFormat::Jpeg);
    let png = bytes(&red_blue(640, 480), ImageFormat::Png);
    assert_eq!(loaded(b"hello\n"), Err(NoImage::NotAnImage));
    assert_eq!(loaded(b""), Err(NoImage::NotAnImage));
    assert_eq!(loaded(b"BM000000000000000000000000000000"), Err(NoImage::NotAnImage));
    assert_eq!(loaded(&jpeg[..jpeg.len() / 2]), Err(NoImage::CutOff));
    assert_eq!(loaded(&jpeg[..jpeg.len() - 2]), Err(NoImage::CutOff));
    assert_eq!(loaded(&png[..png.len() / 2]), Err(NoImage::CutOff));
    assert_eq!(loaded(&bomb(60_000, 60_000)), Err(NoImage::TooLarge(60_000, 60_000)));
    assert_eq!(loaded(&bomb(15_000, 15_000)), Err(NoImage::TooLarge(15_000, 15_000)));
    assert!(matches!(loaded(&bomb(9, 9)), Err(NoImage::Broken(_) | NoImage::CutOff)));
    let source = ImageFile::File(Path::new("/nonexistent/a.jpg").into());
    assert_eq!(load(&source, ImageLimits::default()), Err(NoImage::Missing));
    let folder = ImageFile::File(std::env::temp_dir());
    assert_eq!(load(&folder, ImageLimits::default()), Err(NoImage::NotAnImage));
}

#[test]
fn a_whole_jpeg_with_something_after_it_is_whole() {
    let mut jpeg = turned_jpeg(&red_blue(64, 48), 1);
    jpeg.extend([0; 100]);
    assert!(loaded(&jpeg).is_ok());
}

/// No prefix of a file panics, and none of a JPEG passes for the whole.
#[test]
fn every_beginning_of_a_file_is_refused() {
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
        let whole = bytes(&red_blue(16, 16), format);
        for end in 0..whole.len().saturating_sub(12) {
            assert!(loaded(&whole[..end]).is_err(), "{format:?} cut at {end}");
        }
    }
}

#[test]
fn large_images_keep_their_proportions_and_small_ones_their_size() {
    let large = shrink_to_fit(red_blue(4000, 1000), (80, 80));
    assert_eq!((large.width(), large.height()), (80, 20));
    assert_eq!([about(&large, 10, 10), about(&large, 70, 10)], [RED, BLUE]);
    let thin = shrink_to_fit(red_blue(4000, 1), (80, 80));
    assert_eq!((thin.width(), thin.height()), (80, 1));
    let small = red_blue(10, 10);
    assert_eq!(shrink_to_fit(small.clone(), (80, 80)), small);
    let larger = scale_to_fit(&small, (80, 40));
    assert_eq!((larger.width(), larger.height()), (40, 40));
    assert_eq!([about(&larger, 5, 20), about(&larger, 35, 20)], [RED, BLUE]);
}

#[test]
fn the_demo_has_a_file_for_every_image() {
    let study = demo::open().unwrap();
    for image in 0..study.gallery.images.len() {
        let pixels = load(&study.image_file(image).unwrap(), ImageLimits::default()).unwrap();
        assert!(pixels.width() > 100, "{}", study.gallery.image(image));
    }
}

#[test]
fn an_archive_of_the_demo_has_a_file_for_every_image() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("demo.tar");
    let mut tar = tar::Builder::new(fs::File::create(&path).unwrap());
    tar.append_dir_all("val2014", "fixtures/demo/images").unwrap();
    tar.finish().unwrap();
    let demo = demo::open().unwrap();
    let mut study = demo::open().unwrap();
    study.add_image_files(Some(&path)).unwrap();
    let of = |study: &Study, image| load(&study.image_file(image).unwrap(), ImageLimits::default());
    for image in 0..study.gallery.images.len() {
        assert_eq!(of(&study, image), of(&demo, image), "{}", study.gallery.image(image));
    }
}

#[test]
fn a_folder_is_named_by_a_flag_or_a_description() {
    let folder = tempfile::tempdir().unwrap();
    let wanted = folder.path().join("deep/er");
    fs::create_dir_all(&wanted).unwrap();
    let file = wanted.join("demo_006879.png");
    fs::write(&file, "").unwrap();
    let mut flagged = demo::open().unwrap();
    flagged.add_image_files(Some(folder.path())).unwrap();
    let toml = folder.path().join("study.toml");
    let captions = super::common::demo_file("captions.json");
    fs::write(&toml, format!("files = [{captions:?}]\nimages = \"deep\"\n")).unwrap();
    let described =
        itm_explore::study::open(&Inputs { files: vec![toml], texts: true, ..Inputs::default() });
    for study in [flagged, described.unwrap()] {
        assert_eq!(study.image_file(0), Ok(ImageFile::File(file.clone())));
        assert_eq!(study.image_file(1), Err(NoImage::Missing));
    }
    let args = ["eval", "--demo", "--images", "/nonexistent/images"];
    super::common::assert_error(1, &args, &["/nonexistent/images", "no such file"]);
}
