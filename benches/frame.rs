//! One frame of the explorer at 200 x 60: a key taken and the whole screen drawn into memory.

#![allow(missing_docs, reason = "criterion's macros make public items")]

use std::sync::{Arc, mpsc};

use criterion::{Criterion, criterion_group, criterion_main};
use itm_explore::study::demo;
use itm_explore::tui::app::App;
use itm_explore::tui::event::Event;
use itm_explore::tui::keymap::{Key, Keymap};
use itm_explore::tui::theme::Theme;
use itm_explore::tui::{Backend, draw};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

const SIZE: (u16, u16) = (200, 60);

/// The demo with all its numbers.
fn app() -> App {
    let study = Arc::new(demo::open().expect("the demo opens"));
    let (sender, events) = mpsc::channel();
    let (name, theme) = Theme::bundled(0);
    let keymap = Keymap::load(None).expect("the built-in keymap");
    let mut app = App::new(study.clone(), keymap, (name.into(), theme), SIZE);
    let tell = move |event| sender.send(event).expect("the bench listens");
    let mut backend = Backend::new(Arc::new(tell));
    backend.request(&app);
    backend.wait_idle();
    for event in events.try_iter() {
        app.handle(event);
    }
    app
}

fn frame(criterion: &mut Criterion) {
    let mut app = app();
    let area = Rect::new(0, 0, SIZE.0, SIZE.1);
    let mut buffer = Buffer::empty(area);
    let keys: Vec<Key> = Key::sequence("jjjkkk").expect("keys that exist");
    criterion.bench_function("six keys, six frames", |bencher| {
        bencher.iter(|| {
            for &key in &keys {
                app.handle(Event::Key(key));
                buffer.reset();
                draw(&app, area, &mut buffer);
            }
        });
    });
    app.handle(Event::Key("3".parse().expect("a key")));
    criterion.bench_function("metrics: six keys, six frames", |bencher| {
        bencher.iter(|| {
            for &key in &keys {
                app.handle(Event::Key(key));
                buffer.reset();
                draw(&app, area, &mut buffer);
            }
        });
    });
    app.handle(Event::Key("1".parse().expect("a key")));
    criterion.bench_function("truth there and back", |bencher| {
        bencher.iter(|| {
            for key in Key::sequence("rR").expect("keys that exist") {
                app.handle(Event::Key(key));
            }
        });
    });
    app.handle(Event::Key("J".parse().expect("a key")));
    criterion.bench_function("an answer, and taken back", |bencher| {
        bencher.iter(|| {
            for key in Key::sequence("yu").expect("keys that exist") {
                app.handle(Event::Key(key));
            }
        });
    });
}

criterion_group!(benches, frame);
criterion_main!(benches);
