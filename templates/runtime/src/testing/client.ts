/** Requests of one caller to a server, for tests. */
import { jsonOf } from './checked-json.ts';
import type { ContentTypes } from '../contract/content-type.ts';
import { requestedEntries } from './requested-entries.ts';

/** What is sent. */
export interface TestRequest {
  /** As JSON; a `FormData` as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What is answered, whatever the status. */
export interface TestAnswer<Body> {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed; undefined where there is none. */
  readonly body: Body;
}

/** A caller. */
export interface TestClient<Entries> {
  /** The id of the user; undefined for the public. */
  readonly userId: number | undefined;
  /** The JWT of the user. */
  readonly token: string | undefined;
  /** The entries by requests over HTTP. What is refused throws an HttpError with the status and the message of the answer. */
  readonly entries: Omit<Entries, 'as'>;
  /** Any request: `send('GET', '/api/articles?sort=title')`. What its body is, the test has to know. */
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
