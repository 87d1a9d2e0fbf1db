'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const at = (id) => document.getElementById(id);

// The answers, by the word in files, the key, and what is said.
const ANSWERS = [
  ['yes', '1', 'yes', 'the caption describes the image'],
  ['partial', '2', 'partly', 'most of it fits, a part does not'],
  ['mostly-no', '3', 'mostly not', 'a part fits, most of it does not'],
  ['no', '4', 'no', 'it describes something else'],
  ['cant-tell', '0', "can't tell", 'counts as no answer, and is not asked again'],
];
const ASKED_FURTHER = ['partial', 'mostly-no'];

// Every pair, in the order in which it is asked.
const pairs = [];
data.hits.forEach((hit, nth) => hit.items.forEach(([image, caption], place) => {
  pairs.push({ hit: hit.hit, nth, place, of: hit.items.length, query: hit.direction === 'i2t' ? 'image' : 'caption', image, caption });
}));
const keyOf = (one) => JSON.stringify([one.hit, one.image, one.caption]);

// What is kept in the browser: the answers in the order in which they were given.
const STORE = 'itm-explore answers ' + data.name;
let state = { annotator: '', answers: [], saved: 0 };
let keeps = true;
try {
  state = Object.assign(state, JSON.parse(localStorage.getItem(STORE) || '{}'));
} catch (error) {
  keeps = false;
}
let answered = new Map(state.answers.map((one) => [keyOf(one), one]));
let here = 0;
let waiting = null;
// Whether every pair is answered: answers can be changed once a pair is gone to.
let over = false;

function keep() {
  try {
    localStorage.setItem(STORE, JSON.stringify(state));
    keeps = true;
  } catch (error) {
    keeps = false;
  }
}

function element(name, text, classes) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (classes) made.className = classes;
  return made;
}

function shownImage(id) {
  const shown = data.images[id];
  if (shown.uri) {
    const image = element('img');
    image.alt = 'the image';
    image.src = shown.uri;
    return image;
  }
  const words = element('div', undefined, 'words');
  words.append(element('p', shown.name + ': no image file; its own captions:', 'name'));
  const list = element('ul');
  shown.captions.forEach((text) => list.append(element('li', text)));
  words.append(list);
  return words;
}

function show() {
  const one = pairs[here];
  const known = answered.get(keyOf(one));
  at('image').replaceChildren(shownImage(one.image));
  at('image').className = one.query === 'image' ? 'query' : '';
  at('caption').textContent = data.captions[one.caption];
  at('caption').className = one.query === 'caption' ? 'query' : '';
  document.querySelectorAll('#answers button').forEach((button) => {
    button.classList.toggle('chosen', Boolean(known) && known.answer === button.dataset.answer);
  });
  at('answers').hidden = waiting !== null || over;
  at('reasons').hidden = waiting === null;
  if (waiting !== null) at('reasons').firstChild.textContent = `${ANSWERS.find(([word]) => word === waiting)[2]}: what falls short?`;
  at('undo').disabled = state.answers.length === 0;
  at('back').disabled = here === 0;
  at('skip').disabled = here === pairs.length - 1;
  const left = pairs.length - answered.size;
  at('where').textContent = `group ${one.nth + 1} of ${data.hits.length}, pair ${one.place + 1} of ${one.of}`;
  const unsaved = state.answers.length - state.saved;
  const where = keeps ? 'kept in this browser' : 'NOT kept by this browser: save before you close the page';
  at('kept').textContent = `${answered.size} of ${pairs.length} answered; ${unsaved > 0 ? `${unsaved} in no file yet, ${where}` : 'all saved'}`;
  at('done').style.width = `${(100 * answered.size) / pairs.length}%`;
  if (left === 0) at('said').textContent = 'All pairs are answered: save them to a file.' + (over ? ' Go back to change an answer.' : '');
}

function go(to, isOver = false) {
  waiting = null;
  over = isOver;
  here = Math.max(0, Math.min(pairs.length - 1, to));
  at('said').textContent = '';
  show();
}

// The next pair without an answer, after this one and then from the beginning; else the end.
function goOn() {
  for (let by = 1; by <= pairs.length; by += 1) {
    const place = (here + by) % pairs.length;
    if (!answered.has(keyOf(pairs[place]))) return go(place);
  }
  return go(here, true);
}

function put(answer, shortcoming) {
  const { hit, image, caption } = pairs[here];
  const one = { hit, image, caption, answer, shortcoming, at: new Date().toISOString() };
  state.answers = state.answers.filter((other) => keyOf(other) !== keyOf(one));
  state.saved = Math.min(state.saved, state.answers.length);
  state.answers.push(one);
  answered.set(keyOf(one), one);
  keep();
  goOn();
}

function say(answer) {
  if (data.followUp && ASKED_FURTHER.includes(answer)) {
    waiting = answer;
    show();
  } else {
    put(answer, null);
  }
}

function undo() {
  if (waiting !== null) return go(here);
  const last = state.answers.pop();
  if (!last) return undefined;
  state.saved = Math.min(state.saved, state.answers.length);
  answered.delete(keyOf(last));
  keep();
  go(pairs.findIndex((one) => keyOf(one) === keyOf(last)));
  at('said').textContent = 'The last answer is taken back.';
  return undefined;
}

function save() {
  const file = { format: data.format, annotator: state.annotator, answers: state.answers };
  const link = element('a');
  link.href = URL.createObjectURL(new Blob([JSON.stringify(file, null, 1)], { type: 'application/json' }));
  link.download = `answers-${state.annotator.replace(/[^\p{L}\p{N}]+/gu, '-')}-${data.name.slice(0, 6)}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  state.saved = state.answers.length;
  keep();
  show();
  at('said').textContent = `Saved as ${link.download}.`;
}

function button(label, key, act) {
  const made = element('button');
  made.type = 'button';
  made.append(element('span', label), ' ', element('kbd', key));
  made.addEventListener('click', act);
  return made;
}

ANSWERS.forEach(([word, key, label, meaning]) => {
  const made = button(label, key, () => say(word));
  made.dataset.answer = word;
  made.title = meaning;
  at('answers').append(made);
  const row = element('tr');
  const cell = element('td');
  cell.append(element('kbd', key));
  row.append(cell, element('td', label), element('td', meaning));
  at('legend').append(row);
});
at('reasons').append(element('p'));
data.shortcomings.forEach(([word, said], nth) => {
  at('reasons').append(button(said, String(nth + 1), () => put(waiting, word)));
});

const NAMED = { ArrowLeft: () => go(here - 1), ArrowRight: () => go(here + 1), Backspace: undo, u: undo, z: undo, s: save, Escape: () => go(here) };

document.addEventListener('keydown', (event) => {
  if (at('judge').hidden || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  const reason = waiting !== null && data.shortcomings[Number(event.key) - 1];
  const answer = waiting === null && !over && ANSWERS.find(([, key]) => key === event.key);
  if (reason) put(waiting, reason[0]);
  else if (answer) say(answer[0]);
  else if (NAMED[event.key]) NAMED[event.key]();
  else return;
  event.preventDefault();
});
at('back').addEventListener('click', () => go(here - 1));
at('skip').addEventListener('click', () => go(here + 1));
at('undo').addEventListener('click', undo);
at('save').addEventListener('click', save);

at('name').value = state.annotator;
at('name').focus();
at('who').addEventListener('submit', (event) => {
  event.preventDefault();
  const name = at('name').value.trim();
  if (!name) return;
  state.annotator = name;
  keep();
  at('start').hidden = true;
  at('judge').hidden = false;
  here = pairs.length - 1;
  goOn();
  if (document.activeElement) document.activeElement.blur();
});
if (!keeps) at('warning').textContent = 'This browser keeps nothing: save your answers before you close the page.';
const begun = state.answers.length > 0 ? `: ${state.answers.length} answers so far` : '';
at('where').textContent = `${pairs.length} pairs in ${data.hits.length} groups${begun}`;
window.addEventListener('beforeunload', (event) => {
  if (!keeps && state.answers.length > state.saved) event.preventDefault();
});
