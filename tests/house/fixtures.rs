//! The demo study, and its phrases and boxes, are what the generator makes.

#[path = "../../fixtures/generate/main.rs"]
#[allow(dead_code, unused_imports, reason = "its main function writes files; the test compares")]
mod generate;

#[test]
fn the_stored_demo_is_what_the_generator_makes() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    for (name, bytes) in generate::files() {
        let stored = std::fs::read(folder.join(&name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        let same = if name.starts_with("demo/images/") {
            // Pixels, not bytes: an encoder may find a shorter way to say the same.
            let pixels = |bytes: &[u8]| image::load_from_memory(bytes).unwrap().into_rgb8();
            pixels(&stored) == pixels(&bytes)
        } else {
            stored == bytes
        };
        assert!(same, "{name} differs: run `cargo run --example make_fixtures`");
    }
}

#[test]
fn the_stored_fine_grained_set_is_what_the_generator_makes() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/fg");
    for (name, bytes) in generate::fine_grained::files() {
        let stored = std::fs::read(folder.join(&name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(stored == bytes, "{name} differs: run `cargo run --example make_fixtures`");
    }
}
