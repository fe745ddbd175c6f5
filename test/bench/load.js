// The load client, in a process of its own: keep-alive connections, each with one request at a time. It writes prepared
// bytes and parses only the headers of responses, so that the server, not the client, is measured.
import { fork } from 'node:child_process';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { scenarios } from './scenarios.js';
import { quantile } from './statistics.js';

const HEAD_END = '\r\n\r\n';
const ANSWERED = /^HTTP\/1.1 (?:2|304)/;

/** The bytes of a request. `data`: the attributes of an entry, in place of a `body`. */
export function bytesOf({ method, path, data, body: given = data && { data }, headers = {} }) {
  const body = given === undefined ? undefined : Buffer.from(JSON.stringify(given));
  const further = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', ...further];
  if (body) head.push('Content-Type: application/json', `Content-Length: ${body.length}`);
  return Buffer.concat([Buffer.from(head.join('\r\n') + HEAD_END), body ?? Buffer.alloc(0)]);
}

/** Sends the requests that `next` returns, until it returns undefined. Calls `done` for each response. */
function work(port, next, done) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let head = Buffer.alloc(0);
    let missing = -1;
    let started = 0;

    function send() {
      const request = next();
      if (request === undefined) {
        socket.end();
        resolve();
        return;
      }
      head = Buffer.alloc(0);
      missing = -1;
      started = performance.now();
      socket.write(request);
    }

    socket.on('data', (chunk) => {
      if (missing < 0) {
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
        const end = head.indexOf(HEAD_END);
        if (end < 0) return;
        const length = /\r\ncontent-length: (\d+)/i.exec(head.toString('latin1', 0, end))?.[1] ?? 0;
        if (!ANSWERED.test(head.toString('latin1', 0, 12))) reject(new Error(head.toString().slice(0, 2000)));
        missing = Number(length) - (head.length - end - HEAD_END.length);
      } else {
        missing -= chunk.length;
      }
      if (missing > 0) return;
      done(performance.now() - started);
      send();
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the server closed a connection')));
    socket.once('connect', send);
  });
}

/**
 * Runs the requests `from`, …, `from + count - 1` of a scenario, always the same `request`, or each of `given`. Rejects at the first
 * failure.
 */
async function run({ port, scenario, request, given, from, count = given?.length, connections }) {
  const requestAt = request ? () => request : scenarios[scenario]?.request;
  const requests = given?.map(bytesOf) ?? Array.from({ length: count }, (_, index) => bytesOf(requestAt(from + index)));
  const latencies = new Float64Array(count);
  let sent = 0;
  let answered = 0;
  const next = () => requests[sent++];
  const done = (latency) => (latencies[answered++] = latency);
  const started = performance.now();
  await Promise.all(Array.from({ length: connections }, () => work(port, next, done)));
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
