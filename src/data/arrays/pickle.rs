//! The pickled index of a `torch.save` file. Only descriptions of tensors are read; nothing is executed.
//!
//! Nothing is called or imported. The functions of torch that build a tensor are known by name; only their arguments
//! are stored, and the result of any other call is [`Value::Other`]. Values live in lists and refer to each other
//! by index, so that neither nesting nor sharing costs memory or stack.
//! Opcodes: <https://github.com/python/cpython/blob/main/Lib/pickletools.py>.

mod tensors;

use rustc_hash::FxHashMap;

pub(super) use tensors::TensorInfo;

/// Maximum number of lists, dictionaries and tuples, and of memoized values.
const MAX_VALUES: usize = 1_000_000;

/// Start and length of a part of the input.
type Span = (u32, u32);

/// A value of a pickle. Numbers are indices of the lists in [`Reader`].
#[derive(Debug, Clone, Copy)]
pub(super) enum Value {
    Int(i64),
    Text(Span),
    /// A function or class, by its name without its module.
    Global(Span),
    /// A list, a tuple or a set.
    List(u32),
    /// Keys and values alternate in its list.
    Dict(u32),
    Storage(u32),
    Tensor(u32),
    /// A tensor of an unsupported form, by the function that builds it.
    Unsupported(Span),
    Other,
}

/// The memory of one or more tensors: its type, and its name in the archive.
#[derive(Debug, Clone, Copy)]
struct Storage {
    kind: Span,
    key: Span,
}

/// The elements of a tensor in a storage, counted in elements.
#[derive(Debug, Clone, Copy)]
struct Tensor {
    storage: u32,
    offset: i64,
    shape: Value,
    strides: Value,
}

/// Reads a pickle on a virtual stack.
#[derive(Default)]
pub(super) struct Reader<'a> {
    input: &'a [u8],
    /// Position of the next opcode.
    at: usize,
    stack: Vec<Value>,
    /// Heights of the stack at the marks.
    marks: Vec<u32>,
    memo: FxHashMap<u32, Value>,
    /// Items of lists, tuples and sets, and of dictionaries.
    lists: Vec<Vec<Value>>,
    storages: Vec<Storage>,
    tensors: Vec<Tensor>,
}

type Result<T> = std::result::Result<T, String>;

/// An error that says what is wrong with the index.
fn broken<T>(what: &str) -> Result<T> {
    Err(what.to_owned())
}

impl<'a> Reader<'a> {
    /// Reads from the start of `input`, which is shorter than 4 GiB.
    pub(super) fn new(input: &'a [u8]) -> Self {
        Reader { input, ..Reader::default() }
    }

    /// Skips `len` bytes, and returns their span.
    fn read_span(&mut self, len: u64) -> Result<Span> {
        let start = self.at;
        let left = (self.input.len() - start) as u64;
        if len > left {
            return broken("an index that ends too soon");
        }
        self.at += len as usize;
        Ok((start as u32, len as u32))
    }

    fn bytes(&self, (start, len): Span) -> &'a [u8] {
        &self.input[start as usize..][..len as usize]
    }

    /// Reads an unsigned little-endian integer of `len` bytes.
    fn read_number(&mut self, len: u64) -> Result<u64> {
        let span = self.read_span(len)?;
        let bytes = self.bytes(span).iter().rev();
        Ok(bytes.fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }

    /// Reads a length of `width` bytes, skips as many bytes as it says, and returns their span.
    fn read_sized(&mut self, width: u64) -> Result<Span> {
        let len = self.read_number(width)?;
        self.read_span(len)
    }

    /// Skips a line and its end, and returns its span.
    fn read_line(&mut self) -> Result<Span> {
        let left = &self.input[self.at..];
        let len = left.iter().position(|&byte| byte == b'\n');
        let Some(len) = len else {
            return broken("an index that ends too soon");
        };
        let span = self.read_span(len as u64);
        self.at += 1;
        span
    }

    /// Removes the top of the stack, which must be above the last mark.
    fn pop(&mut self) -> Result<Value> {
        let mark = self.marks.last().copied().unwrap_or(0);
        let popped = (self.stack.len() > mark as usize).then(|| self.stack.pop());
        popped.flatten().ok_or_else(|| "an index that lacks a value".to_owned())
    }

    fn top(&self) -> Result<Value> {
        let top = self.stack.last().copied();
        top.ok_or_else(|| "an index that lacks a value".to_owned())
    }

    fn pop_many(&mut self, count: usize) -> Result<Vec<Value>> {
        let mut values = (0..count).map(|_| self.pop()).collect::<Result<Vec<_>>>()?;
        values.reverse();
        Ok(values)
    }

    /// Removes the last mark and all values above it.
    fn pop_to_mark(&mut self) -> Result<Vec<Value>> {
        match self.marks.pop() {
            Some(mark) if mark as usize <= self.stack.len() => {
                Ok(self.stack.split_off(mark as usize))
            }
            _ => broken("an index that lacks a mark"),
        }
    }

    /// Stores a list or dictionary, and returns its index.
    fn push_list(&mut self, values: Vec<Value>) -> Result<u32> {
        if self.lists.len() == MAX_VALUES {
            return broken("an index of more than a million lists");
        }
        self.lists.push(values);
        Ok(self.lists.len() as u32 - 1)
    }

    /// Adds values to the list or dictionary on top of the stack; ignores them if the top is another value.
    fn extend_top(&mut self, values: Vec<Value>) -> Result<()> {
        if let Value::List(at) | Value::Dict(at) = self.top()? {
            self.lists[at as usize].extend(values);
        }
        Ok(())
    }

    /// Stores the top of the stack in the memo.
    fn memoize(&mut self, key: u32) -> Result<()> {
        let value = self.top()?;
        self.memo.insert(key, value);
        if self.memo.len() > MAX_VALUES {
            return broken("an index of more than a million values");
        }
        Ok(())
    }

    /// The items of a list, tuple, set or dictionary; empty for any other value.
    fn items(&self, value: Value) -> &[Value] {
        match value {
            Value::List(at) | Value::Dict(at) => &self.lists[at as usize],
            _ => &[],
        }
    }

    /// Reads to the end of the pickle, and returns its value.
    fn read(&mut self) -> Result<Value> {
        loop {
            let opcode = self.read_number(1)? as u8;
            if opcode == b'.' {
                return self.pop();
            }
            if let Some(value) = self.execute(opcode)? {
                self.stack.push(value);
            }
        }
    }

    /// Executes one opcode; returns the value for the caller to push, if any.
    fn execute(&mut self, opcode: u8) -> Result<Option<Value>> {
        let value = match opcode {
            // Protocol, frame.
            0x80 => return self.read_span(1).map(|_| None),
            0x95 => return self.read_span(8).map(|_| None),
            b'(' => {
                self.marks.push(self.stack.len() as u32);
                return Ok(None);
            }
            b'0' => return self.pop().map(|_| None),
            b'1' => return self.pop_to_mark().map(|_| None),
            b'2' => self.top()?,
            // None, False, True.
            b'N' | 0x88 | 0x89 => Value::Other,
            b'K' => Value::Int(self.read_number(1)? as i64),
            b'M' => Value::Int(self.read_number(2)? as i64),
            b'J' => Value::Int(i64::from(self.read_number(4)? as i32)),
            0x8a => {
                let span = self.read_sized(1)?;
                self.parse_long(span)
            }
            0x8b => self.read_sized(4).map(|_| Value::Other)?,
            b'G' => self.read_span(8).map(|_| Value::Other)?,
            // Texts by the width of their length, then bytes.
            0x8c | b'U' => Value::Text(self.read_sized(1)?),
            b'X' => Value::Text(self.read_sized(4)?),
            0x8d => Value::Text(self.read_sized(8)?),
            b'C' => self.read_sized(1).map(|_| Value::Other)?,
            b'B' | b'T' => self.read_sized(4).map(|_| Value::Other)?,
            0x8e | 0x96 => self.read_sized(8).map(|_| Value::Other)?,
            b']' | b')' | 0x8f => Value::List(self.push_list(Vec::new())?),
            b'}' => Value::Dict(self.push_list(Vec::new())?),
            b'l' | b't' | b'd' | 0x91 => {
                let values = self.pop_to_mark()?;
                let list = self.push_list(values)?;
                if opcode == b'd' { Value::Dict(list) } else { Value::List(list) }
            }
            0x85..=0x87 => {
                let values = self.pop_many(usize::from(opcode - 0x84))?;
                Value::List(self.push_list(values)?)
            }
            b'a' | b's' => {
                let values = self.pop_many(if opcode == b'a' { 1 } else { 2 })?;
                return self.extend_top(values).map(|()| None);
            }
            b'e' | b'u' | 0x90 => {
                let values = self.pop_to_mark()?;
                return self.extend_top(values).map(|()| None);
            }
            b'q' | b'r' => {
                let key = self.read_number(if opcode == b'q' { 1 } else { 4 })? as u32;
                return self.memoize(key).map(|()| None);
            }
            0x94 => return self.memoize(self.memo.len() as u32).map(|()| None),
            b'h' | b'j' => {
                let key = self.read_number(if opcode == b'h' { 1 } else { 4 })? as u32;
                let value = self.memo.get(&key).copied();
                value.ok_or("an index that asks for a value it has not kept")?
            }
            b'c' => {
                self.read_line()?;
                Value::Global(self.read_line()?)
            }
            0x93 => match self.pop_many(2)?[..] {
                [_, Value::Text(name)] => Value::Global(name),
                _ => return broken("an index with a function without a name"),
            },
            b'R' | 0x81 => match self.pop_many(2)?[..] {
                [function, arguments] => self.call_result(function, arguments)?,
                _ => Value::Other,
            },
            0x92 => self.pop_many(3).map(|_| Value::Other)?,
            // Sets attributes of the object below, which are not needed.
            b'b' => return self.pop().map(|_| None),
            b'Q' => {
                let id = self.pop()?;
                self.push_storage(id)
            }
            _ => return Err(format!("an index with the opcode {opcode:#04x}")),
        };
        Ok(Some(value))
    }

    /// The integer in a span of bytes, in two's complement; [`Value::Other`] beyond 64 bits.
    fn parse_long(&self, span: Span) -> Value {
        let bytes = self.bytes(span);
        let Some(&last) = bytes.last() else {
            return Value::Int(0);
        };
        if bytes.len() > 8 {
            return Value::Other;
        }
        let sign = if last & 0x80 == 0 { 0 } else { -1 };
        let fold = |number: i64, &byte: &u8| number << 8 | i64::from(byte);
        Value::Int(bytes.iter().rev().fold(sign, fold))
    }

    /// The value that a call returns; stores the tensor or dictionary that it makes. A tensor of a subclass is a call
    /// whose arguments are another function and its arguments.
    fn call_result(&mut self, mut function: Value, mut arguments: Value) -> Result<Value> {
        let is_wrapped = |value: Value| matches!(value, Value::Global(name) if self.bytes(name) == b"_rebuild_from_type_v2");
        if is_wrapped(function) {
            let [inner, _, inner_arguments, ..] = *self.items(arguments) else {
                return Ok(Value::Other);
            };
            (function, arguments) = (inner, inner_arguments);
        }
        let Value::Global(name) = function else {
            return Ok(Value::Other);
        };
        let arguments = self.items(arguments);
        // After all other arguments: flags for negated or conjugated numbers.
        let is_marked = arguments.get(6).is_some_and(|&marks| !self.items(marks).is_empty());
        match (self.bytes(name), arguments) {
            (b"_rebuild_tensor" | b"_rebuild_tensor_v2", _) if !is_marked => {}
            (b"_rebuild_parameter" | b"_rebuild_parameter_with_state", &[data, ..]) => {
                return Ok(data);
            }
            (b"OrderedDict" | b"defaultdict", _) => {
                return Ok(Value::Dict(self.push_list(Vec::new())?));
            }
            (other, _) if other.starts_with(b"_rebuild_") => return Ok(Value::Unsupported(name)),
            _ => return Ok(Value::Other),
        }
        let &[Value::Storage(storage), Value::Int(offset), shape, strides, ..] = arguments else {
            return Ok(Value::Other);
        };
        self.tensors.push(Tensor { storage, offset, shape, strides });
        Ok(Value::Tensor(self.tensors.len() as u32 - 1))
    }

    /// Adds the storage that a persistent id describes; [`Value::Other`] if the id describes something else.
    fn push_storage(&mut self, id: Value) -> Value {
        let storage = match *self.items(id) {
            [Value::Text(word), Value::Global(kind), Value::Text(key), _, _]
                if self.bytes(word) == b"storage" =>
            {
                Storage { kind, key }
            }
            _ => return Value::Other,
        };
        self.storages.push(storage);
        Value::Storage(self.storages.len() as u32 - 1)
    }
}
