//! The tensors of a pickle.

use super::{Reader, Result, Span, Tensor, Value};

/// Maximum number of tensors in a file.
const MAX_TENSORS: usize = 10_000;
/// Maximum nesting of lists and dictionaries above a tensor.
const MAX_DEPTH: usize = 64;
/// Maximum dimensions, as in numpy.
const MAX_DIMENSIONS: usize = 64;
/// Maximum bytes shown of a key or a type.
const MAX_TEXT: u32 = 200;

/// A tensor as the index describes it.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::data::arrays) struct TensorInfo {
    /// Keys and indices of its path, joined by `/`; empty for a file of one tensor.
    pub name: String,
    /// Type of the elements, such as `FloatStorage`; else the function that builds the tensor.
    pub kind: String,
    /// `None` for an unsupported form.
    pub view: Option<View>,
}

/// Where the elements of a tensor are in their storage, counted in elements.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::data::arrays) struct View {
    /// Name of the storage.
    pub key: String,
    pub offset: usize,
    pub shape: Vec<usize>,
    pub strides: Vec<usize>,
}

/// A value on the path from the root to a tensor.
#[derive(Clone, Copy)]
struct Node {
    /// Index of the list or dictionary that holds it.
    parent: usize,
    depth: usize,
    key: Value,
    value: Value,
}

impl Reader<'_> {
    /// The text of a span, at most [`MAX_TEXT`] bytes.
    fn text(&self, (start, len): Span) -> String {
        let bytes = self.bytes((start, len.min(MAX_TEXT)));
        String::from_utf8_lossy(bytes).into_owned()
    }

    /// Every tensor of the pickle, once each; top-level ones first.
    ///
    /// # Errors
    /// An invalid shape (negative, or of another length than the strides), or too many tensors.
    pub(in crate::data::arrays) fn tensors(&mut self) -> Result<Vec<TensorInfo>> {
        let root = self.read()?;
        let mut nodes = vec![Node { parent: 0, depth: 0, key: Value::Other, value: root }];
        let mut seen_lists = vec![false; self.lists.len()];
        let mut seen_tensors = vec![false; self.tensors.len()];
        let is_new = |seen: &mut [bool], at: u32| !std::mem::replace(&mut seen[at as usize], true);
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(&node) = nodes.get(at) {
            match node.value {
                Value::Tensor(tensor) if is_new(&mut seen_tensors, tensor) => {
                    let name = self.node_path(&nodes, at);
                    found.push(self.tensor_info(name, self.tensors[tensor as usize])?);
                }
                Value::Unsupported(function) => found.push(TensorInfo {
                    name: self.node_path(&nodes, at),
                    kind: self.text(function),
                    view: None,
                }),
                Value::List(list) | Value::Dict(list)
                    if node.depth < MAX_DEPTH && is_new(&mut seen_lists, list) =>
                {
                    nodes.extend(self.children(node.value).map(|(key, value)| Node {
                        parent: at,
                        depth: node.depth + 1,
                        key,
                        value,
                    }));
                }
                _ => {}
            }
            if found.len() > MAX_TENSORS {
                return Err("an index of more than 10,000 tensors".to_owned());
            }
            at += 1;
        }
        Ok(found)
    }

    /// Index or key, and value, of each tensor, list and dictionary in a list or dictionary.
    fn children(&self, value: Value) -> impl Iterator<Item = (Value, Value)> + '_ {
        let step = if matches!(value, Value::Dict(_)) { 2 } else { 1 };
        let pairs = self.items(value).chunks_exact(step).enumerate();
        let keyed = pairs.map(|(place, pair)| match *pair {
            [key, value] => (key, value),
            _ => (Value::Int(place as i64), pair[0]),
        });
        keyed.filter(|(_, value)| {
            use Value::{Dict, List, Tensor, Unsupported};
            matches!(value, Tensor(_) | Unsupported(_) | List(_) | Dict(_))
        })
    }

    /// Path of the node `nodes[at]`: the keys and indices from the root, joined by `/`.
    fn node_path(&self, nodes: &[Node], mut at: usize) -> String {
        let mut parts = Vec::new();
        while at != 0 {
            parts.push(match nodes[at].key {
                Value::Text(key) => self.text(key),
                Value::Int(key) => key.to_string(),
                _ => "?".to_owned(),
            });
            at = nodes[at].parent;
        }
        parts.reverse();
        parts.join("/")
    }

    /// Describes a tensor.
    ///
    /// # Errors
    /// An invalid shape.
    fn tensor_info(&self, name: String, tensor: Tensor) -> Result<TensorInfo> {
        let storage = self.storages[tensor.storage as usize];
        let length = |item: &Value| match item {
            Value::Int(length) => usize::try_from(*length).ok(),
            _ => None,
        };
        let lengths = |value: Value| -> Option<Vec<usize>> {
            let items = self.items(value);
            let items = Some(items).filter(|items| items.len() <= MAX_DIMENSIONS)?;
            items.iter().map(length).collect()
        };
        let view = || {
            let (shape, strides) = (lengths(tensor.shape)?, lengths(tensor.strides)?);
            (shape.len() == strides.len()).then_some(View {
                key: self.text(storage.key),
                offset: usize::try_from(tensor.offset).ok()?,
                shape,
                strides,
            })
        };
        let view = view().ok_or_else(|| format!("a tensor {name:?} whose shape cannot be"))?;
        Ok(TensorInfo { kind: self.text(storage.kind), view: Some(view), name })
    }
}
