/** Requests as an attacker sends them: paths and headers are sent verbatim. */
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';

/** A response. `body` is the parsed JSON, or undefined for other content. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: any;
  /** The duration in milliseconds. */
  readonly ms: number;
}

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Uint8Array;
}

/** Far more than any response may take, even on a busy machine. */
const HANG_MS = 30_000;
const agent = new Agent({ keepAlive: true, maxSockets: 200 });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Sends one request; rejects if there is no response within HANG_MS. */
export function send(port: number, { method, path, headers = {}, body }: Sent): Promise<Answer> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const options = { host: '127.0.0.1', port, method, path, agent, headers: { ...length, ...headers } };
    const request = httpRequest(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const { statusCode = 0, headers: answered } = response;
        resolve({ status: statusCode, headers: answered, text, body: parsed(text), ms: performance.now() - started });
      });
    });
    request.setTimeout(HANG_MS, () => request.destroy(new Error(`no response to ${method} ${path.slice(0, 200)}`)));
    request.on('error', reject);
    request.end(body);
  });
}

/** Sends raw bytes; resolves to everything that the server sends until it closes the connection, or until `ms` have passed. */
export function sendBytes(port: number, bytes: string | Uint8Array | readonly string[], ms = 2000): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const done = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(text);
    };
    const timer = setTimeout(done, ms);
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.on('close', done);
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') done();
      else reject(error);
    });
    for (const part of typeof bytes === 'string' || bytes instanceof Uint8Array ? [bytes] : bytes) socket.write(part);
  });
}

/** The statuses of the responses in a result of `sendBytes`. */
export function statusesOf(text: string): number[] {
  return [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
}
