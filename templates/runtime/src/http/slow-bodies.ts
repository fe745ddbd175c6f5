/**
 * Times out slow request bodies. An upload may take as long as it needs while bytes keep arriving; any other body is
 * small, and has a total time limit, too.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** In milliseconds. */
export interface BodyLimits {
  /** The period in which at least LEAST_PROGRESS bytes must arrive. */
  readonly silence: number;
  /** The time limit of a body that is no upload. */
  readonly total: number;
}

/** In bytes: a client that sends a byte now and then counts as silent. */
const LEAST_PROGRESS = 1024;
/** How many times bodies are checked within the shorter of the limits. */
const LOOKS = 4;

interface ArrivingBody {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly begun: number;
  /** Bytes that the socket had received at `since`. */
  received: number;
  since: number;
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return length === undefined ? headers['transfer-encoding'] !== undefined : length !== '0';
}

/** Whether a body may be an upload: a form, or a part of a file. */
function isUpload({ headers }: IncomingMessage): boolean {
  return /^(?:multipart\/form-data|application\/offset\+octet-stream)\b/iu.test(headers['content-type'] ?? '');
}

/** Whether the server is waiting for the client; false while the server itself has paused the body. */
function isAwaited({ readableFlowing }: IncomingMessage): boolean {
  return readableFlowing === true;
}

/** Which limit the client exceeded; undefined if none. */
function faultOf(body: ArrivingBody, { silence, total }: BodyLimits): string | undefined {
  const { request } = body;
  const now = performance.now();
  const received = request.socket.bytesRead;
  if (received - body.received >= LEAST_PROGRESS || !isAwaited(request)) {
    body.received = received;
    body.since = now;
  }
  if (now - body.since >= silence) return `No data of the body has arrived for ${Math.round(silence / 1000)} seconds`;
  if (now - body.begun < total || isUpload(request)) return undefined;
  return `The body took longer than ${Math.round(total / 1000)} seconds`;
}

/** Responds with 408, unless a response was started, and closes the connection, since the rest of the body would follow. */
function end({ request, response }: ArrivingBody, message: string): void {
  if (response.headersSent) {
    request.destroy();
    return;
  }
  const error = { status: 408, name: 'RequestTimeoutError', message, details: {} };
  const answer = Buffer.from(JSON.stringify({ data: null, error }));
  response.writeHead(408, {
    Connection: 'close',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': answer.length,
  });
  // Also ends the reader of the body with an error.
  response.end(answer, () => request.destroy());
}

/** Watches the bodies of all requests of a server. Costs nothing while there are none. */
export function endSlowBodies(server: Server, limits: BodyLimits): void {
  // By connection, so that each entry is replaced by the next request at the latest.
  const arriving = new Map<Socket, ArrivingBody>();
  let clock: NodeJS.Timeout | undefined;
  const look = (): void => {
    for (const [socket, body] of arriving) {
      const { request } = body;
      const fault = request.complete || request.destroyed ? '' : faultOf(body, limits);
      if (fault === undefined) continue;
      arriving.delete(socket);
      if (fault !== '') end(body, fault);
    }
    if (arriving.size > 0) return;
    clearInterval(clock);
    clock = undefined;
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return;
    const begun = performance.now();
    const { socket } = request;
    arriving.set(socket, { request, response, begun, since: begun, received: socket.bytesRead });
    clock ??= setInterval(look, Math.min(limits.silence, limits.total) / LOOKS).unref();
  });
}
