/** A test client that sends the requests of one caller. */
import { jsonOf } from './checked-json.ts';
import type { ContentTypes } from '../contract/content-type.ts';
import { requestedEntries } from './requested-entries.ts';

/** Options of a request. */
export interface TestRequest {
  /** Sent as JSON, unless it is a `FormData`. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response of any status. */
export interface TestAnswer<Body> {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed; undefined if it is empty. */
  readonly body: Body;
}

/** A caller of the server. */
export interface TestClient<Entries> {
  /** The id of the user; undefined without credentials. */
  readonly userId: number | undefined;
  /** The JWT of the user; undefined without credentials. */
  readonly token: string | undefined;
  /** The entries, through HTTP requests. Error responses throw an HttpError with their status and message. */
  readonly entries: Omit<Entries, 'as'>;
  /** Sends any request: `send('GET', '/api/articles?sort=title')`. The type of the response body is not checked. */
  send<Body = unknown>(method: string, path: string, request?: TestRequest): Promise<TestAnswer<Body>>;
}

function bodyOf(body: unknown): { readonly body?: string | FormData; readonly type: Readonly<Record<string, string>> } {
  if (body === undefined) return { type: {} };
  if (body instanceof FormData) return { body, type: {} };
  return { body: JSON.stringify(body), type: { 'content-type': 'application/json' } };
}

export function createClient<Entries>(
  origin: string,
  types: ContentTypes,
  { userId, token }: { readonly userId?: number; readonly token?: string },
): TestClient<Entries> {
  const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const request = (method: string, path: string, { body, headers }: TestRequest = {}): Promise<Response> => {
    const { type, ...sent } = bodyOf(body);
    return fetch(`${origin}${path}`, { method, headers: { ...type, ...authorization, ...headers }, ...sent });
  };
  return {
    userId,
    token,
    entries: requestedEntries(types, request) as unknown as Omit<Entries, 'as'>,
    async send(method, path, sent) {
      const response = await request(method, path, sent);
      return { status: response.status, headers: response.headers, body: (await jsonOf(response)) as never };
    },
  };
}
