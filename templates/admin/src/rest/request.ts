/** Requests to the API. All of them go through `send`. */
import { HttpError } from 'react-admin';
import { logRequest } from '../request/request-log.ts';
import { type ApiRequest, conditionHeaders, conditionOf, FORMAT_HEADER, urlOf } from './api-request.ts';
import { fetchWithProgress } from './fetch-with-progress.ts';
import { messagesAtFields } from './field-messages.ts';

export interface ApiAnswer<T> {
  readonly body: T;
  readonly etag: string | undefined;
  readonly headers: Headers;
  /** Whether the server had carried out the request before, by its key. */
  readonly isReplayed: boolean;
}

interface ErrorBody {
  readonly error?: { readonly status?: number; readonly message?: string; readonly details?: unknown };
}

/** Called when the session has ended; resolves after the next sign-in. */
type SessionEnd = () => Promise<void>;
let onSessionEnd: SessionEnd | undefined;

export function setSessionEndHandler(handler: SessionEnd | undefined): void {
  onSessionEnd = handler;
}

let clockOffset: number | undefined;

/** The server's current time in milliseconds since 1970, by the `Date` of the last response; undefined if none had one. */
export function serverTime(): number | undefined {
  return clockOffset === undefined ? undefined : Date.now() + clockOffset;
}

function initOf(request: ApiRequest) {
  const { method = 'GET', body, format, key } = request;
  // CSRF protection: the cookie is only accepted with this header, which other origins can't send.
  const headers: Record<string, string> = {
    'X-Admin-Session': '1',
    Accept: 'application/json',
    ...(format && { [FORMAT_HEADER]: format }),
    ...(key !== undefined && { 'Idempotency-Key': key }),
    ...conditionHeaders(conditionOf(request)),
    ...request.headers,
  };
  if (body === undefined || body instanceof FormData || body instanceof Blob) {
    return { method, headers, body: body ?? null };
  }
  headers['Content-Type'] = 'application/json';
  return { method, headers, body: JSON.stringify(body) };
}

/** The error for a response, with the messages by field in `body.errors`. */
export function errorOf(status: number, body: unknown): HttpError {
  const { error } = (body ?? {}) as ErrorBody;
  const message = error?.message ?? `The server responded with status ${status}.`;
  return new HttpError(message, status, { ...error, errors: messagesAtFields(error?.details, message) });
}

/**
 * A change without a usable response: the server may have made it, or may still make it. The message is the key of a text, which
 * notifications translate.
 */
export class LostResponseError extends Error {
  constructor(cause?: unknown) {
    super('problem.lost', { cause });
  }
}

const SESSION = 'admin/session';

/** Whether a request was refused because the session has ended. A 403 counts too: without a session, public permissions apply. */
async function hasEnded({ path }: ApiRequest, status: number): Promise<boolean> {
  if (path === SESSION || (status !== 401 && status !== 403)) return false;
  return !(await fetch(urlOf({ path: SESSION }), initOf({ path: SESSION }))).ok;
}

async function exchange(request: ApiRequest): Promise<Response> {
  const { onProgress } = request;
  if (!onProgress) return await fetch(urlOf(request), initOf(request));
  try {
    return await fetchWithProgress(urlOf(request), initOf(request), onProgress);
  } catch (error) {
    // A server that refuses a large body may close the connection before its response is read.
    if (await hasEnded(request, 401)) return new Response(null, { status: 401 });
    throw error;
  }
}

interface Received {
  readonly response: Response;
  readonly body: unknown;
}

async function receive(request: ApiRequest): Promise<Received> {
  const response = await exchange(request);
  const text = await response.text();
  const isJson = response.headers.get('Content-Type')?.includes('json') === true;
  // Proxies report their errors in HTML.
  return { response, body: text === '' || (!response.ok && !isJson) ? undefined : JSON.parse(text) };
}

/** Whether a response leaves open if a change was made: it is a proxy's, or the server has lost the connection to its database. */
function isInconclusive({ response: { status, headers }, body }: Received): boolean {
  if (status < 500) return false;
  const isOwn = (body as ErrorBody | undefined)?.error?.status === status;
  return !isOwn || (status === 503 && !headers.has('Retry-After'));
}

async function receiveConclusively(request: ApiRequest): Promise<Received> {
  let received: Received;
  try {
    received = await receive(request);
  } catch (error) {
    throw new LostResponseError(error);
  }
  if (isInconclusive(received)) throw new LostResponseError();
  return received;
}

function isChange({ method = 'GET', path }: ApiRequest): boolean {
  return method !== 'GET' && path !== SESSION;
}

/**
 * Sends a request. If the session has ended, waits for the next sign-in and sends the request again.
 * @throws HttpError with the message of the server; LostResponseError if it is unknown whether a change was made
 */
export async function send<T>(request: ApiRequest): Promise<ApiAnswer<T>> {
  logRequest(request);
  const { response, body } = await (isChange(request) ? receiveConclusively : receive)(request);
  const { status, headers } = response;
  const date = Date.parse(headers.get('Date') ?? '');
  if (!Number.isNaN(date)) clockOffset = date - Date.now();
  if (onSessionEnd && (await hasEnded(request, status))) {
    await onSessionEnd();
    return await send<T>(request);
  }
  if (!response.ok) throw errorOf(status, body);
  const isReplayed = headers.has('Idempotency-Replayed');
  return { body: body as T, etag: headers.get('ETag') ?? undefined, headers, isReplayed };
}

/** Sends a request and returns the response body. */
export async function ask<T>(request: ApiRequest): Promise<T> {
  return (await send<T>(request)).body;
}
