// The load client, in a process of its own: keep-alive connections, each with one request at a time. It writes prepared
// bytes and parses only the headers of responses, so that the server, not the client, is measured.
import { fork } from 'node:child_process';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { scenarios } from './scenarios.js';
import { quantile } from './statistics.js';

const HEAD_END = '\r\n\r\n';
const ANSWERED = /^HTTP\/1.1 (?:2|304)/;
/** A body without a length, and its last bytes, which JSON doesn't contain. */
const CHUNKED = /\r\ntransfer-encoding: *chunked/i;
const LAST_CHUNK = '0\r\n\r\n';

/** The bytes of a request. `data`: the attributes of an entry, in place of a `body`. */
export function bytesOf({ method, path, data, body: given = data && { data }, headers = {} }) {
  const body = given === undefined ? undefined : Buffer.from(JSON.stringify(given));
  const further = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', ...further];
  if (body) head.push('Content-Type: application/json', `Content-Length: ${body.length}`);
  return Buffer.concat([Buffer.from(head.join('\r\n') + HEAD_END), body ?? Buffer.alloc(0)]);
}

/** Counts the bytes of a body, given the head of its response. Returns whether it is complete. */
function bodyReader(head) {
  if (CHUNKED.test(head)) {
    let tail = '';
    return (bytes) => {
      tail = (tail + bytes.toString('latin1', Math.max(0, bytes.length - LAST_CHUNK.length))).slice(-LAST_CHUNK.length);
      return tail === LAST_CHUNK;
    };
  }
  let missing = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
  return (bytes) => (missing -= bytes.length) <= 0;
}

/** Sends the requests that `next` returns, each after its `wait` in milliseconds, until there is none. Calls `done` for each response. */
function work(socket, next, done) {
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0);
    let isComplete;
    let started = 0;

    function send() {
      const { request, wait } = next();
      if (request === undefined) {
        socket.end();
        resolve();
        return;
      }
      if (wait > 0) setTimeout(write, wait, request);
      else write(request);
    }

    function write(request) {
      head = Buffer.alloc(0);
      isComplete = undefined;
      started = performance.now();
      socket.write(request);
    }

    socket.on('data', (chunk) => {
      let body = chunk;
      if (!isComplete) {
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
        const end = head.indexOf(HEAD_END);
        if (end < 0) return;
        const text = head.toString('latin1', 0, end + 2);
        if (!ANSWERED.test(text)) reject(new Error(head.toString().slice(0, 2000)));
        isComplete = bodyReader(text);
        body = head.subarray(end + HEAD_END.length);
      }
      if (!isComplete(body)) return;
      done(performance.now() - started);
      send();
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the server closed a connection')));
    socket.once('connect', send);
  });
}

/** Rejects after some seconds. */
function limitOf(seconds) {
  let timer;
  const reached = new Promise((_, reject) => {
    if (seconds) timer = setTimeout(() => reject(new Error(`not answered within ${seconds} s`)), seconds * 1000);
  });
  return { reached, clear: () => clearTimeout(timer) };
}

/**
 * Runs the requests `from`, …, `from + count - 1` of a scenario, always the same `request`, or each of `given`; `pace`: as many per second, if
 * the server keeps up. Rejects at the first failure, and after `limit` seconds, if given.
 */
async function run({
  port,
  scenario,
  request,
  given,
  from,
  count = given?.length,
  connections,
  pace = Infinity,
  limit,
}) {
  const requestAt = request ? () => request : scenarios[scenario]?.request;
  const requests = given?.map(bytesOf) ?? Array.from({ length: count }, (_, index) => bytesOf(requestAt(from + index)));
  const latencies = new Float64Array(count);
  let sent = 0;
  let answered = 0;
  const next = () => ({ request: requests[sent], wait: started + (sent++ / pace) * 1000 - performance.now() });
  const done = (latency) => (latencies[answered++] = latency);
  const started = performance.now();
  const sockets = Array.from({ length: connections }, () => connect({ port, host: '127.0.0.1', noDelay: true }));
  const { reached, clear } = limitOf(limit);
  try {
    await Promise.race([reached, Promise.all(sockets.map((socket) => work(socket, next, done)))]);
  } finally {
    clear();
    for (const socket of sockets) socket.destroy();
  }
  const seconds = (performance.now() - started) / 1000;
  latencies.sort();
  return { perSecond: count / seconds, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) };
}

if (process.send) {
  process.on('message', (task) => {
    run(task).then(
      (result) => process.send({ result }),
      (error) => process.send({ error: error.message }),
    );
  });
}

/**
 * Starts the client. `run` returns requests per second, and the median and 99th percentile latencies in milliseconds.
 */
export function startClient() {
  const child = fork(fileURLToPath(import.meta.url));
  return {
    run: (task) =>
      new Promise((resolve, reject) => {
        child.once('message', ({ result, error }) =>
          error === undefined ? resolve(result) : reject(new Error(error)),
        );
        child.send(task);
      }),
    stop: () => child.disconnect(),
  };
}
