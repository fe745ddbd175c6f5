/** How the page asks the API: every request that it sends goes through `send`. */
import { HttpError } from 'react-admin';
import { logRequest } from '../request/request-log.ts';
import { messagesAtFields } from './field-messages.ts';
import { type QueryObject, queryString } from './query-string.ts';

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/api/`. */
  readonly path: string;
  readonly query?: QueryObject;
  readonly body?: unknown;
  /** The version that a change is made on: the `ETag` of what was read. */
  readonly ifMatch?: string | undefined;
  /** Whether the entry must not be there yet. */
  readonly isNew?: boolean;
}

export interface ApiAnswer<T> {
  readonly body: T;
  readonly etag: string | undefined;
}

interface ErrorBody {
  readonly error?: { readonly message?: string; readonly details?: unknown };
}

/** Called where the session has ended; resolves once somebody is signed in again. */
type SessionEnd = () => Promise<void>;
let onSessionEnd: SessionEnd | undefined;

export function whenSessionEnds(handler: SessionEnd | undefined): void {
  onSessionEnd = handler;
}

/** The path of a request from the root of the server, as it is sent. */
export function urlOf({ path, query }: ApiRequest): string {
  return `/api/${path}${query ? queryString(query) : ''}`;
}

/** What a change expects: servers may ask for it. Whoever has seen no version takes any. */
function conditionOf({ method, ifMatch, isNew }: ApiRequest): Record<string, string> {
  if (isNew) return { 'If-None-Match': '*' };
  return ifMatch !== undefined || method === 'PUT' || method === 'DELETE' ? { 'If-Match': ifMatch ?? '*' } : {};
}

function initOf(request: ApiRequest): RequestInit {
  const { method = 'GET', body } = request;
  // The cookie counts only beside this header, which pages of other origins can't send.
  const headers: Record<string, string> = {
    'X-Admin-Session': '1',
    Accept: 'application/json',
    ...conditionOf(request),
  };
  if (body === undefined || body instanceof FormData) return { method, headers, body: body ?? null };
  headers['Content-Type'] = 'application/json';
  return { method, headers, body: JSON.stringify(body) };
}

/** The error of an answer; its messages are at the fields that they concern. */
export function errorOf(status: number, body: unknown): HttpError {
  const { error } = (body ?? {}) as ErrorBody;
  const message = error?.message ?? `The server answered ${status}.`;
  return new HttpError(message, status, { ...error, errors: messagesAtFields(error?.details, message) });
}

const SESSION = 'admin/session';

/** Whether a request was refused as the session is over: without one, it has the rights of everybody. */
async function hasEnded({ path }: ApiRequest, status: number): Promise<boolean> {
  if (path === SESSION || (status !== 401 && status !== 403)) return false;
  return !(await fetch(urlOf({ path: SESSION }), initOf({ path: SESSION }))).ok;
}

/**
 * Sends a request; after the session has ended, sends it again once somebody is signed in.
 * @throws HttpError with the message of the server
 */
export async function send<T>(request: ApiRequest): Promise<ApiAnswer<T>> {
  logRequest(request);
  const response = await fetch(urlOf(request), initOf(request));
  const text = await response.text();
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  if (onSessionEnd && (await hasEnded(request, response.status))) {
    await onSessionEnd();
    return await send<T>(request);
  }
  if (!response.ok) throw errorOf(response.status, body);
  return { body: body as T, etag: response.headers.get('ETag') ?? undefined };
}

/** The body of the answer to a request. */
export async function ask<T>(request: ApiRequest): Promise<T> {
  return (await send<T>(request)).body;
}
