// Whether peers answer the same, before anything is measured.
import { isDeepStrictEqual } from 'node:util';
import { atEnd, beforeOne, READS, SHELVES, TYPES } from './content.js';

const READ_AT = [0, 7, 19];
const [{ size: SHORTEST }] = SHELVES;
/** Writes that all peers get, and the number of the request. After the writes of a list, the list is compared. */
const WRITES = [
  ['create', 'article', 0],
  [atEnd(SHORTEST), 'shelf', 0],
  [beforeOne(SHORTEST), 'shelf', 1],
];
/** The number of the first request of a measurement. */
export const FIRST = WRITES.length;

/** An entry with the attributes of its type, and with relations as such entries: without ids and times of writing. */
function comparable(value, uid) {
  if (Array.isArray(value)) return value.map((entry) => comparable(entry, uid));
  if (typeof value !== 'object' || value === null) return value;
  const { fields, relations } = TYPES[uid];
  const names = [...Object.keys(fields), ...Object.keys(relations)].filter((name) => value[name] !== undefined);
  return Object.fromEntries(
    names.map((name) => [name, name in relations ? comparable(value[name], relations[name].target) : value[name]]),
  );
}

async function send({ server, authorization }, { method, path, body }) {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
  return JSON.parse(text);
}

async function answerOf(running, name, uid, index) {
  const answer = await send(running, running.requests[name](index));
  return comparable(running.peer.entries(answer, uid), uid);
}

/** What a peer answers, by a title. Writes that it lacks are left out. */
async function answersOf(running) {
  const answers = {};
  for (const [name, uid] of Object.entries(READS)) {
    for (const index of READ_AT) answers[`${name} (${index})`] = await answerOf(running, name, uid, index);
  }
  answers['list of 10'] = await answerOf(running, 'shelf', 'shelf', 0);
  for (const [name, uid, index] of WRITES) {
    if (!running.requests[name]) continue;
    answers[name] = await answerOf(running, name, uid, index);
    // The answer to a connection differs in what else it has.
    if (uid === 'shelf') answers[name] = await answerOf(running, 'shelf', 'shelf', 0);
  }
  return answers;
}

/** Throws unless a peer answers as the `expected` one. Returns its answers. */
export async function compareAnswers(running, expected) {
  const answers = await answersOf(running);
  for (const [title, answer] of Object.entries(answers)) {
    if (!expected || isDeepStrictEqual(answer, expected[title])) continue;
    const texts = [answer, expected[title]].map((one) => JSON.stringify(one)?.slice(0, 1500)).join('\n');
    throw new Error(`${title} is answered differently than by the first peer:\n${texts}`);
  }
  return answers;
}
