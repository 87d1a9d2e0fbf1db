//! Tensors: `.safetensors`, files of `torch.save`, HDF5 and bfloat16, against the same matrix as `.npy`.

use super::tensor_files::{Tensor, dictionary, pickle, safetensors, text, torch};
use super::*;

/// The scores in a type of `.safetensors`, the rows those of the captions where `turned`.
fn cells(dtype: &str, turned: bool) -> Vec<u8> {
    let (rows, columns) = if turned { (CAPTIONS, IMAGES) } else { (IMAGES, CAPTIONS) };
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let cell = |(row, column)| {
        let score = if turned { score(column, row) } else { score(row, column) };
        match dtype {
            "F16" => half::f16::from_f64(score).to_le_bytes().to_vec(),
            "BF16" => half::bf16::from_f64(score).to_le_bytes().to_vec(),
            "F32" => (score as f32).to_le_bytes().to_vec(),
            _ => score.to_le_bytes().to_vec(),
        }
    };
    cells.flat_map(cell).collect()
}

const BY_IMAGES: [usize; 2] = [IMAGES, CAPTIONS];
const BY_CAPTIONS: [usize; 2] = [CAPTIONS, IMAGES];
/// Types of `.safetensors`, of torch, and of numpy.
const TYPES: [[&str; 3]; 4] = [
    ["F16", "HalfStorage", "f2"],
    ["BF16", "BFloat16Storage", "V2"],
    ["F32", "FloatStorage", "f4"],
    ["F64", "DoubleStorage", "f8"],
];

/// Big-endian of cells of so many bytes.
fn swapped(bytes: &[u8], size: usize) -> Vec<u8> {
    let cells = bytes.chunks(size);
    cells.flat_map(|cell| cell.iter().rev().copied()).collect()
}

fn names(study: &Study) -> Vec<&str> {
    let models = study.models.iter();
    models.map(|model| model.name.as_str()).collect()
}

fn open(files: &Files, name: &str, content: &[u8]) -> itm_explore::error::Result<Study> {
    files.study(&[files.write(name, content)], ScoreInputs::default())
}

fn refused(files: &Files, name: &str, content: &[u8]) -> String {
    open(files, name, content).unwrap_err().to_string()
}

#[test]
fn every_type_gives_the_same_numbers() {
    let files = Files::new();
    let mut scores = Vec::new();
    for [dtype, kind, descr] in TYPES {
        let size = cells(dtype, false).len() / (IMAGES * CAPTIONS);
        for (turned, shape) in [(false, BY_IMAGES), (true, BY_CAPTIONS)] {
            let cells = cells(dtype, turned);
            let name = |ending: &str| format!("{dtype}-{turned}.{ending}");
            // The data at an even and at an odd place.
            let tensor = [("sims", dtype, &shape[..], &cells[..])];
            let file = safetensors(&tensor, usize::from(turned));
            scores.push(files.write(&name("safetensors"), file));
            let index = pickle(&Tensor::whole(kind, "0", shape).pickled());
            let file = torch(&index, "little", &[("0", &cells)]);
            scores.push(files.write(&name("pt"), file));
            let big = swapped(&cells, size);
            let file = torch(&index, "big", &[("0", &big)]);
            scores.push(files.write(&name("big.pt"), file));
            let shape = format!("({}, {})", shape[0], shape[1]);
            for (order, cells) in [("<", &cells), (">", &big)] {
                let descr = format!("'{order}{descr}'");
                let name = name(if order == "<" { "npy" } else { "big.npy" });
                scores.push(files.write(&name, common::npy(&descr, false, &shape, cells)));
            }
        }
    }
    let study = files.study(&scores, ScoreInputs::default()).unwrap();
    assert_eq!(study.models.len(), 4 * 2 * 5);
    assert_same(&files, &study);
}

#[test]
fn views_of_a_tensor_are_followed() {
    let files = Files::new();
    let whole = cells("F32", false);
    let plain = Tensor::whole("FloatStorage", "0", BY_IMAGES);
    // Every second row and third column of a larger one, from its second cell on.
    let wide = 3 * CAPTIONS;
    let mut spread = vec![0xff; 4 * (2 * IMAGES * wide + 1)];
    for (at, cell) in whole.chunks(4).enumerate() {
        let place = 1 + at / CAPTIONS * 2 * wide + at % CAPTIONS * 3;
        spread[4 * place..4 * place + 4].copy_from_slice(cell);
    }
    let stepped = Tensor {
        elements: spread.len() / 4,
        offset: 1,
        strides: vec![2 * wide, 3],
        ..plain.clone()
    };
    let turned = |tensor: &Tensor| {
        let mut tensor = tensor.clone();
        tensor.shape.reverse();
        tensor.strides.reverse();
        tensor
    };
    let rows = Tensor { elements: IMAGES * wide, strides: vec![wide, 1], ..plain.clone() };
    let mut in_rows = vec![0xff; 4 * IMAGES * wide];
    for (row, cells) in whole.chunks(4 * CAPTIONS).enumerate() {
        in_rows[4 * row * wide..][..cells.len()].copy_from_slice(cells);
    }
    let views = [
        (turned(&plain), &whole),
        (turned(&stepped), &spread),
        (stepped, &spread),
        (turned(&rows), &in_rows),
        (rows, &in_rows),
    ];
    let write = |(at, (tensor, storage)): (usize, &(Tensor, &Vec<u8>))| {
        let file = torch(&pickle(&tensor.pickled()), "little", &[("0", storage)]);
        files.write(&format!("view{at}.pt"), file)
    };
    let scores: Vec<PathBuf> = views.iter().enumerate().map(write).collect();
    let study = files.study(&scores, ScoreInputs::default()).unwrap();
    assert_same(&files, &study);
}

#[test]
fn views_beyond_their_storage_or_far_larger_than_the_file_are_refused() {
    let files = Files::new();
    let storage = cells("F32", false);
    let plain = Tensor::whole("FloatStorage", "0", BY_IMAGES);
    let view = |offset, shape: [usize; 2], strides: [usize; 2]| Tensor {
        offset,
        shape: shape.into(),
        strides: strides.into(),
        ..plain.clone()
    };
    let huge = usize::MAX >> 1;
    for tensor in [
        view(1, BY_IMAGES, [CAPTIONS, 1]),
        view(0, [IMAGES + 1, CAPTIONS], [CAPTIONS, 1]),
        view(0, BY_IMAGES, [CAPTIONS, 2]),
        view(huge, BY_IMAGES, [CAPTIONS, 1]),
        view(0, [huge, huge], [huge, 1]),
        view(0, [32_768, 32_768], [0, 0]),
        view(0, [1 << 40, 1 << 40], [0, 0]),
    ] {
        let file = torch(&pickle(&tensor.pickled()), "little", &[("0", &storage)]);
        let error = refused(&files, "case.pt", &file);
        assert!(error.contains("reaches beyond") || error.contains("bytes in memory"), "{error}");
    }
    let lost = torch(&pickle(&plain.pickled()), "little", &[("1", &storage)]);
    assert!(refused(&files, "case.pt", &lost).contains("reaches beyond"));
}

/// A tensor beside others, and what nothing here reads.
#[test]
fn a_matrix_is_found_among_other_values() {
    let files = Files::new();
    let storage = cells("F32", false);
    let matrix = Tensor::whole("FloatStorage", "0", BY_IMAGES).pickled();
    let ids = Tensor {
        shape: vec![CAPTIONS],
        strides: vec![1],
        ..Tensor::whole("LongStorage", "1", [1, CAPTIONS])
    };
    let numbers: Vec<u8> = (100..130).flat_map(i64::to_le_bytes).collect();
    let called = format!("cposix\nsystem\n({}tR", String::from_utf8_lossy(&text("false")));
    let entries = [
        ("run", called.into_bytes()),
        ("ids", ids.pickled()),
        ("scores", matrix.clone()),
        ("list", [b"](".to_vec(), text("a"), b"NK\x05\x88e".to_vec()].concat()),
    ];
    let index = pickle(&dictionary(&entries));
    let storages = [("0", &storage[..]), ("1", &numbers)];
    let study = open(&files, "mixed.pt", &torch(&index, "little", &storages)).unwrap();
    assert_eq!(names(&study), ["mixed"]);
    assert!(study.notes.iter().any(|note| note.text.contains("not read beside the matrix: ids")));
    assert_same(&files, &study);
    let inner = [b"](".to_vec(), matrix, b"e".to_vec()].concat();
    let index = pickle(&dictionary(&[("a", dictionary(&[("b", inner)]))]));
    let path = files.write("deep.pt", torch(&index, "little", &storages));
    let study = files.study(&[path.join("a/b/0")], ScoreInputs::default()).unwrap();
    assert_eq!(names(&study), ["a/b/0"]);
    let shape = [CAPTIONS];
    let file = safetensors(
        &[
            ("scores", "F32", &BY_IMAGES, &storage),
            ("caption_ids", "I64", &shape, &numbers),
            ("scale", "F32", &[], &[0; 4]),
        ],
        0,
    );
    let path = files.write("mixed.safetensors", file);
    let study = study::open(&Inputs {
        files: vec![path.clone(), files.path("original_caption_to_image.json")],
        caption_ids: Some(path.join("caption_ids")),
        ..Inputs::default()
    });
    let study = study.unwrap();
    assert_eq!(names(&study), ["mixed"]);
    assert_same(&files, &study);
}

#[test]
fn several_matrices_are_models_embeddings_or_named() {
    let files = Files::new();
    let scores = cells("F32", false);
    let turned = cells("F32", true);
    let embeddings = |rows: usize| vec![0x3f; 4 * rows * 7];
    let (images, captions) = (embeddings(IMAGES), embeddings(CAPTIONS));
    let models: [(&str, &str, &[usize], &[u8]); 2] =
        [("ours", "F32", &BY_IMAGES, &scores), ("theirs.v2", "F32", &BY_CAPTIONS, &turned)];
    let study = open(&files, "two.safetensors", &safetensors(&models, 0)).unwrap();
    assert_eq!(names(&study), ["ours", "theirs.v2"]);
    assert_same(&files, &study);
    let sides: [(&str, &str, &[usize], &[u8]); 2] =
        [("image", "F32", &[IMAGES, 7], &images), ("text", "F32", &[CAPTIONS, 7], &captions)];
    let error = open(&files, "emb.safetensors", &safetensors(&sides, 0)).unwrap_err();
    assert!(error.to_string().contains("--image-emb"), "{error}");
    let all = [&models[..1], &sides].concat();
    let path = files.write("all.safetensors", safetensors(&all, 0));
    let study = files.study(&[path.join("ours")], ScoreInputs::default()).unwrap();
    assert_same(&files, &study);
    let flags = ScoreInputs {
        image_emb: Some(path.join("image")),
        text_emb: Some(path.join("text")),
        ..ScoreInputs::default()
    };
    assert_eq!(names(&files.study(&[], flags).unwrap()), ["image+text"]);
    for wrong in [path.clone(), path.join("nothing")] {
        let error = files.study(&[wrong], ScoreInputs::default()).unwrap_err().to_string();
        assert!(["ours", "image", "text"].iter().all(|name| error.contains(name)), "{error}");
    }
}

#[test]
fn types_that_are_not_read_are_named() {
    let files = Files::new();
    let data = [0; 8];
    let file = safetensors(&[("x", "F8_E4M3", &[2, 4], &data)], 0);
    assert!(refused(&files, "case.safetensors", &file).contains("F8_E4M3"));
    let complex = Tensor::whole("ComplexFloatStorage", "0", [1, 1]).pickled();
    let sparse = b"ctorch._utils\n_rebuild_sparse_tensor\n)R";
    // With the mark of a view whose numbers are to be negated.
    let plain = Tensor::whole("FloatStorage", "0", [1, 2]).pickled();
    let marked = [&plain[..plain.len() - 2], b"}(", &text("neg"), b"\x88utR"].concat();
    for (value, kind) in
        [(&complex[..], "ComplexFloat"), (sparse, "sparse_tensor"), (&marked, "tensor_v2")]
    {
        let file = torch(&pickle(value), "little", &[("0", &data)]);
        let error = refused(&files, "case.pt", &file);
        assert!(error.contains(kind) && error.contains("fix: python3 -c"), "{error}");
    }
    let nothing = torch(&pickle(b"K\x05"), "little", &[]);
    assert!(refused(&files, "case.pt", &nothing).contains("torch.save(scores"));
}

#[test]
fn raw_bytes_and_objects_in_an_array_have_a_fix() {
    let files = Files::new();
    let raw = common::npy("'|V2'", false, "(6, 30)", &cells("BF16", false));
    let error = refused(&files, "raw.npy", &raw);
    assert!(error.contains("\"|V2\"") && error.contains("numpy lost the type"), "{error}");
    let name = "it's $(touch x).npy";
    let error = refused(&files, name, &common::npy("'|O'", false, "(6,)", b"\x80\x04."));
    let fix = error.split_once("fix: ").unwrap().1;
    assert!(fix.contains("only if you trust its author"), "{error}");
    // Whoever pastes it runs Python alone, on this file.
    let command = shlex::split(&fix[fix.find("python3").unwrap()..]).unwrap();
    assert!(command[3].ends_with(name) && command.len() == 5, "{command:?}");
}

#[test]
fn damaged_and_hostile_files_end_in_one_error() {
    let files = Files::new();
    let storage = cells("F32", false);
    let good = safetensors(&[("x", "F32", &BY_IMAGES, &storage)], 0);
    for cut in [8, 9, 40, good.len() - 1] {
        assert!(open(&files, "case.safetensors", &good[..cut]).is_err(), "{cut}");
    }
    let mut long = (2_u64 << 20).to_le_bytes().to_vec();
    long.extend(vec![b'{'; 100]);
    assert!(refused(&files, "case.safetensors", &long).contains("a header of 2,097,152 bytes"));
    let empty = safetensors(&[("x", "F32", &[0, 1 << 40], &[])], 0);
    assert!(open(&files, "case.safetensors", &empty).is_err());
    let tensor = Tensor::whole("FloatStorage", "0", BY_IMAGES).pickled();
    let index = pickle(&tensor);
    for cut in 0..index.len() {
        let file = torch(&index[..cut], "little", &[("0", &storage)]);
        assert!(open(&files, "case.pt", &file).is_err(), "{cut}");
    }
    // The checksum of an archive hides most changes from the reader of the index: here it is right.
    for at in 0..index.len() {
        for change in [1 << (at % 8), 0xff] {
            let mut changed = index.clone();
            changed[at] ^= change;
            let _ = open(&files, "case.pt", &torch(&changed, "little", &[("0", &storage)]));
        }
    }
    let older = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M\xe9\x03.";
    assert!(refused(&files, "case.pt", older).contains("torch before 1.6"));
    let nested = [vec![b']'; 400_000], vec![b'a'; 399_999]].concat();
    // Each list holds the one before twice: 2 to the power of 60 ways to the last one.
    let mut doubled = b"]q\x00".to_vec();
    for at in 0..60_u8 {
        doubled.extend([b']', b'q', at + 1, b'(', b'h', at, b'h', at, b'e']);
    }
    let many = vec![b']'; 1_100_000];
    let large = vec![b']'; (4 << 20) + 1];
    let lengths = [&b"\x8d"[..], &u64::MAX.to_le_bytes()].concat();
    for hostile in [nested, doubled, many, large, lengths] {
        let file = torch(&pickle(&hostile), "little", &[("0", &storage)]);
        assert!(open(&files, "case.pt", &file).is_err(), "{:?}", &hostile[..4]);
    }
}

#[cfg(feature = "hdf5")]
mod hdf5 {
    use super::*;

    fn fixture(name: &str) -> PathBuf {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/forms/hdf5");
        PathBuf::from(folder).join(name)
    }

    #[test]
    fn datasets_in_every_layout_give_the_same_numbers() {
        let files = Files::new();
        for name in ["earliest.h5", "latest.h5"] {
            let study = files.study(&[fixture(name)], ScoreInputs::default()).unwrap();
            let mut names = names(&study);
            names.sort_unstable();
            let all =
                ["bf16", "big", "compact", "contiguous", "double", "group/turned", "gzip", "half"];
            assert_eq!(names, all, "{name}");
            assert_same(&files, &study);
        }
        let one = fixture("earliest.h5").join("group/turned");
        let others = [one, fixture("user_block.h5")];
        assert_same(&files, &files.study(&others, ScoreInputs::default()).unwrap());
    }

    #[test]
    fn what_is_not_read_is_named() {
        let files = Files::new();
        let refused = |name: &str| {
            let study = files.study(&[fixture(name)], ScoreInputs::default());
            study.unwrap_err().to_string()
        };
        assert!(refused("other.h5/lzf").contains("filter id 32000"));
        assert!(refused("other.h5/complex").contains("compound"));
        // Of 40 GB, none of it written.
        assert!(refused("other.h5/huge").contains("40,000,000,000 bytes in memory"));
        let bytes = std::fs::read(fixture("earliest.h5")).unwrap();
        for cut in [8, 100, 1_000, bytes.len() / 2] {
            assert!(open(&files, "cut.h5", &bytes[..cut]).is_err(), "{cut}");
        }
    }
}

#[cfg(not(feature = "hdf5"))]
#[test]
fn hdf5_without_its_feature_says_how_to_build_with_it() {
    let files = Files::new();
    let error = refused(&files, "case.h5", b"\x89HDF\r\n\x1a\n rest");
    assert!(error.contains("--features hdf5") && error.contains("h5py.File('FILE')"), "{error}");
}
