/** Sends requests with fetch: URLs, credentials, bodies, responses and errors. */
import { ApiError } from './api-error.ts';
import { newKey, retrying } from './retry.ts';
import { serializeQuery } from './serialize-query.ts';

/** A token, or a function that is called for each request; it may return undefined for none. */
export type Token = string | (() => string | undefined | Promise<string | undefined>);

/** Options of one request; those of `fetch` are passed to it unchanged. */
export interface RequestOptions {
  /** How often the request is repeated if it failed for a passing reason; 3 by default. */
  readonly retries?: number | undefined;
  /** The key under which a write is carried out once; a random one by default. Set it to repeat a write of another process. */
  readonly idempotencyKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly cache?: 'default' | 'force-cache' | 'no-cache' | 'no-store' | 'only-if-cached' | 'reload';
  readonly credentials?: 'include' | 'omit' | 'same-origin';
  /** Used by the `fetch` of Next.js. */
  readonly next?: { readonly revalidate?: number | false; readonly tags?: string[] };
}

/** Options of a request that changes an entry. */
export interface ChangeOptions extends RequestOptions {
  /** The `etag` with which the entry was read; throws PreconditionFailedError if it has changed since. `*`: the entry must exist. */
  readonly ifMatch?: string | undefined;
  /** `*`: only create the entry; never change an existing one. */
  readonly ifNoneMatch?: '*' | undefined;
}

/** How requests reach the server. */
export interface Connection {
  /** Including `/api`: `https://cms.example.com/api`. */
  readonly baseUrl: string;
  /** The `jwt` of a session, or an API token. */
  readonly token?: Token | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** How often requests are repeated that failed for a passing reason; 3 by default. */
  readonly retries?: number | undefined;
}

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path relative to the base URL, such as `articles/7`. */
  readonly path: string;
  readonly query?: object | undefined;
  /** Sent as JSON, except for FormData. */
  readonly body?: object | undefined;
  /** Whether the server carries it out once for each key. */
  readonly keyed?: boolean | undefined;
  readonly options?: ChangeOptions | undefined;
}

/** A response body with its ETag. */
export interface Answer {
  readonly body: unknown;
  readonly etag: string | undefined;
}

/** Sends a prepared request, like `fetch`. */
export type Transport = (url: string, init: RequestInit) => Promise<Response>;

function urlOf({ baseUrl }: Connection, { path, query = {} }: Request): string {
  const text = serializeQuery(query);
  return `${baseUrl.replace(/\/+$/, '')}/${path}${text === '' ? '' : `?${text}`}`;
}

async function initOf(
  connection: Connection,
  { method, body, options = {} }: Request,
  key: string | undefined,
): Promise<RequestInit> {
  const { headers: own, ifMatch, ifNoneMatch, retries: _, idempotencyKey: _key, ...rest } = options;
  const token = typeof connection.token === 'function' ? await connection.token() : connection.token;
  const isForm = typeof FormData !== 'undefined' && body instanceof FormData;
  const headers = {
    Accept: 'application/json',
    ...(body && !isForm ? { 'Content-Type': 'application/json' } : {}),
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
    ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
    ...(ifNoneMatch === undefined ? {} : { 'If-None-Match': ifNoneMatch }),
    ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    ...connection.headers,
    ...own,
  };
  return { ...(rest as RequestInit), method, headers, ...(body && { body: isForm ? body : JSON.stringify(body) }) };
}

interface ErrorBody {
  readonly error?: { readonly name?: unknown; readonly message?: unknown; readonly details?: unknown };
}

function refusal(response: Response, body: unknown, request: string): ApiError {
  const { status, headers } = response;
  const { error } = (body ?? {}) as ErrorBody;
  const seconds = Number(headers.get('Retry-After') ?? Number.NaN);
  const retryAfter = Number.isFinite(seconds) ? seconds : undefined;
  if (typeof error?.name === 'string' && typeof error.message === 'string') {
    return new ApiError({
      name: error.name,
      message: error.message,
      status,
      details: error.details,
      request,
      retryAfter,
    });
  }
  const message = `${request} returned ${status}, but the response is not from the API: check the base URL`;
  return new ApiError({ name: 'UnexpectedAnswerError', message, status, request, retryAfter });
}

async function readAnswer(response: Response, request: string): Promise<Answer> {
  const text = await response.text();
  let body: unknown;
  try {
    body = text === '' ? undefined : JSON.parse(text);
  } catch {
    throw refusal(response, undefined, request);
  }
  if (!response.ok) throw refusal(response, body, request);
  return { body, etag: response.headers.get('ETag') ?? undefined };
}

/** Wraps an error of `fetch`. An abort by the caller is returned unchanged. */
function connectionError(cause: unknown, request: string, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted || cause instanceof ApiError) return cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new ApiError({
    name: 'ConnectionError',
    message: `${request} got no answer: ${why}`,
    status: 0,
    request,
    cause,
  });
}

/**
 * Sends a request and reads the response; an empty body is undefined. `transport` replaces `fetch`. Throws ApiError, or the reason of
 * `signal` if the request was aborted.
 */
export function sendForAnswer(connection: Connection, request: Request, transport?: Transport): Promise<Answer> {
  const { method, keyed, options = {} } = request;
  const url = urlOf(connection, request);
  const name = `${method} ${url}`;
  const key = options.idempotencyKey ?? (keyed ? newKey() : undefined);
  const sendOnce = async (): Promise<Answer> => {
    const init = await initOf(connection, request, key);
    try {
      const response = await (transport ?? connection.fetch ?? fetch)(url, init);
      return await readAnswer(response, name);
    } catch (error) {
      throw connectionError(error, name, options.signal);
    }
  };
  if (method !== 'GET' && key === undefined) return sendOnce();
  return retrying(sendOnce, { retries: options.retries ?? connection.retries, signal: options.signal });
}

/** Sends a GET request whose response is read bit by bit. Throws ApiError, or the reason of `signal` if it was aborted. */
export async function openResponse(connection: Connection, request: Request): Promise<Response> {
  const name = `GET ${urlOf(connection, request)}`;
  try {
    const init = await initOf(connection, request, undefined);
    const response = await (connection.fetch ?? fetch)(urlOf(connection, request), init);
    if (!response.ok) await readAnswer(response, name);
    return response;
  } catch (error) {
    throw connectionError(error, name, request.options?.signal);
  }
}

/** Like `sendForAnswer`, but returns only the body. */
export async function send(connection: Connection, request: Request, transport?: Transport): Promise<unknown> {
  return (await sendForAnswer(connection, request, transport)).body;
}
