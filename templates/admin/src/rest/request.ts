/** Requests to the API. All of them go through `send`. */
import { HttpError } from 'react-admin';
import { logRequest } from '../request/request-log.ts';
import { fetchWithProgress } from './fetch-with-progress.ts';
import { messagesAtFields } from './field-messages.ts';
import { type QueryObject, queryString } from './query-string.ts';

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/api/`. */
  readonly path: string;
  readonly query?: QueryObject;
  readonly body?: unknown;
  /** The `ETag` of the version that the change is based on. */
  readonly ifMatch?: string | undefined;
  /** Whether the entry must not exist yet. */
  readonly isNew?: boolean;
  /** For uploads: called with the part of the body that was sent, between 0 and 1. */
  readonly onProgress?: (sent: number) => void;
}

export interface ApiAnswer<T> {
  readonly body: T;
  readonly etag: string | undefined;
}

interface ErrorBody {
  readonly error?: { readonly message?: string; readonly details?: unknown };
}

/** Called when the session has ended; resolves after the next sign-in. */
type SessionEnd = () => Promise<void>;
let onSessionEnd: SessionEnd | undefined;

export function setSessionEndHandler(handler: SessionEnd | undefined): void {
  onSessionEnd = handler;
}

/** The path and query of a request, relative to the origin. */
export function urlOf({ path, query }: ApiRequest): string {
  return `/api/${path}${query ? queryString(query) : ''}`;
}

/** The precondition of a change, which servers may require. Without a known version, any matches. */
function conditionOf({ method, ifMatch, isNew }: ApiRequest): Record<string, string> {
  if (isNew) return { 'If-None-Match': '*' };
  return ifMatch !== undefined || method === 'PUT' || method === 'DELETE' ? { 'If-Match': ifMatch ?? '*' } : {};
}

function initOf(request: ApiRequest) {
  const { method = 'GET', body } = request;
  // CSRF protection: the cookie is only accepted with this header, which other origins can't send.
  const headers: Record<string, string> = {
    'X-Admin-Session': '1',
    Accept: 'application/json',
    ...conditionOf(request),
  };
  if (body === undefined || body instanceof FormData) return { method, headers, body: body ?? null };
  headers['Content-Type'] = 'application/json';
  return { method, headers, body: JSON.stringify(body) };
}

/** The error for a response, with the messages by field in `body.errors`. */
export function errorOf(status: number, body: unknown): HttpError {
  const { error } = (body ?? {}) as ErrorBody;
  const message = error?.message ?? `The server responded with status ${status}.`;
  return new HttpError(message, status, { ...error, errors: messagesAtFields(error?.details, message) });
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

/**
 * Sends a request. If the session has ended, waits for the next sign-in and sends the request again.
 * @throws HttpError with the message of the server
 */
export async function send<T>(request: ApiRequest): Promise<ApiAnswer<T>> {
  logRequest(request);
  const response = await exchange(request);
  const text = await response.text();
  const isJson = response.headers.get('Content-Type')?.includes('json') === true;
  // Proxies report their errors in HTML.
  const body: unknown = text === '' || (!response.ok && !isJson) ? undefined : JSON.parse(text);
  if (onSessionEnd && (await hasEnded(request, response.status))) {
    await onSessionEnd();
    return await send<T>(request);
  }
  if (!response.ok) throw errorOf(response.status, body);
  return { body: body as T, etag: response.headers.get('ETag') ?? undefined };
}

/** Sends a request and returns the response body. */
export async function ask<T>(request: ApiRequest): Promise<T> {
  return (await send<T>(request)).body;
}
