//! Writes `.safetensors` files, and files of `torch.save`, byte by byte.

use std::io::{Cursor, Write};

/// A `.safetensors` file of tensors: name, type, shape, data. The data begins behind so many more blanks.
pub fn safetensors(tensors: &[(&str, &str, &[usize], &[u8])], blanks: usize) -> Vec<u8> {
    let mut at = 0;
    let entries: Vec<String> = tensors
        .iter()
        .map(|(name, dtype, shape, data)| {
            let start = at;
            at += data.len();
            format!("{name:?}:{{\"dtype\":\"{dtype}\",\"shape\":{shape:?},\"data_offsets\":[{start},{at}]}}")
        })
        .collect();
    let header = format!("{{{}}}{}", entries.join(","), " ".repeat(blanks));
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(header.bytes());
    for (.., data) in tensors {
        file.extend(*data);
    }
    file
}

/// A tensor in the index of a file of `torch.save`.
#[derive(Clone)]
pub struct Tensor {
    /// Such as `FloatStorage`.
    pub kind: &'static str,
    pub key: &'static str,
    /// Elements of the storage.
    pub elements: usize,
    pub offset: usize,
    pub shape: Vec<usize>,
    pub strides: Vec<usize>,
}

impl Tensor {
    /// A whole storage in C order.
    pub fn whole(kind: &'static str, key: &'static str, [rows, columns]: [usize; 2]) -> Self {
        Tensor {
            kind,
            key,
            elements: rows * columns,
            offset: 0,
            shape: vec![rows, columns],
            strides: vec![columns, 1],
        }
    }

    /// As torch pickles it.
    pub fn pickled(&self) -> Vec<u8> {
        let mut ops = b"ctorch._utils\n_rebuild_tensor_v2\n((".to_vec();
        ops.extend(text("storage"));
        ops.extend(format!("ctorch\n{}\n", self.kind).bytes());
        ops.extend([text(self.key), text("cpu"), number(self.elements)].concat());
        ops.extend(b"tQ");
        ops.extend(number(self.offset));
        for lengths in [&self.shape, &self.strides] {
            ops.push(b'(');
            ops.extend(lengths.iter().flat_map(|&len| number(len)));
            ops.push(b't');
        }
        ops.extend(b"\x89ccollections\nOrderedDict\n)RtR");
        ops
    }
}

/// A text in a pickle.
pub fn text(text: &str) -> Vec<u8> {
    let len = (text.len() as u32).to_le_bytes();
    [b"X", &len[..], text.as_bytes()].concat()
}

fn number(number: usize) -> Vec<u8> {
    [b"\x8a\x08", &(number as u64).to_le_bytes()[..]].concat()
}

/// A pickle of one value.
pub fn pickle(value: &[u8]) -> Vec<u8> {
    [b"\x80\x02", value, b"."].concat()
}

/// A dictionary in a pickle.
pub fn dictionary(entries: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let entries = entries.iter();
    let entries = entries.flat_map(|(key, value)| [text(key), value.clone()].concat());
    [b"}(".to_vec(), entries.collect(), b"u".to_vec()].concat()
}

/// A file of `torch.save`: the index, and each storage by its key.
pub fn torch(index: &[u8], byte_order: &str, storages: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    let options = options.compression_method(zip::CompressionMethod::Stored);
    let mut put = |name: String, bytes: &[u8]| {
        zip.start_file(format!("sims/{name}"), options).unwrap();
        zip.write_all(bytes).unwrap();
    };
    put("data.pkl".into(), index);
    put("byteorder".into(), byte_order.as_bytes());
    for (key, bytes) in storages {
        put(format!("data/{key}"), bytes);
    }
    zip.finish().unwrap().into_inner()
}
