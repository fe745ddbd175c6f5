/**
 * Ends requests whose bodies do not arrive: a form with files may take as long as it wants while bytes keep coming, any other
 * body is small and has a limit on its whole time too.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** In milliseconds. */
export interface BodyLimits {
  /** How long fewer than LEAST_PROGRESS bytes may arrive. */
  readonly silence: number;
  /** Of a body that is no form with files, from its head to its end. */
  readonly total: number;
}

/** A client that sends a byte now and then keeps a connection, too. */
const LEAST_PROGRESS = 1024;
/** How often the bodies that are arriving are looked at within the shorter of the limits. */
const LOOKS = 4;

interface ArrivingBody {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly begun: number;
  /** What the socket had received at `since`. */
  received: number;
  since: number;
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return length === undefined ? headers['transfer-encoding'] !== undefined : length !== '0';
}

function isForm({ headers }: IncomingMessage): boolean {
  return /^multipart\/form-data\b/iu.test(headers['content-type'] ?? '');
}

/** Whether it is for the client to go on: a body that the server does not read at the moment waits for the server. */
function isAwaited({ readableFlowing }: IncomingMessage): boolean {
  return readableFlowing === true;
}

/** What the client did wrong; undefined if it may go on. */
function faultOf(body: ArrivingBody, { silence, total }: BodyLimits): string | undefined {
  const { request } = body;
  const now = performance.now();
  const received = request.socket.bytesRead;
  if (received - body.received >= LEAST_PROGRESS || !isAwaited(request)) {
    body.received = received;
    body.since = now;
  }
  if (now - body.since >= silence) return `Nothing of the body has arrived for ${Math.round(silence / 1000)} seconds`;
  if (now - body.begun < total || isForm(request)) return undefined;
  return `The body took longer than ${Math.round(total / 1000)} seconds`;
}

/** Answers 408, if nothing is answered yet, and ends the connection: what else comes on it is the rest of the body. */
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
  // Whoever reads the body is told so too, not only the client.
  response.end(answer, () => request.destroy());
}

/** Watches the bodies of all requests of a server. Costs nothing while none is arriving. */
export function endSlowBodies(server: Server, limits: BodyLimits): void {
  // By connection, so that what has arrived is not kept for longer than until the next request.
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
