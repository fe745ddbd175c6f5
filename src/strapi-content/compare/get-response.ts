/** Sends requests to a server. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** One of the servers to compare. */
export interface Server {
  /** Base URL without a trailing slash. */
  readonly base: string;
  /** A JWT or an API token. */
  readonly token: string | undefined;
}

export interface ReceivedResponse {
  readonly status: number;
  /** Parsed JSON; for any other content, the size and hash of the bytes. */
  readonly body: unknown;
}

const TIMEOUT_MS = 30_000;
const MAX_ATTEMPTS = 5;
/** In seconds. */
const MAX_WAIT = 65;
/** Maximum size of a response, in bytes. */
const MAX_BYTES = 2 ** 28;

async function bytesOf(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`the response has more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function read(response: Response): Promise<ReceivedResponse> {
  const bytes = await bytesOf(response);
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  if (isJson && bytes.length > 0) {
    return { status: response.status, body: JSON.parse(bytes.toString('utf8')) as unknown };
  }
  return {
    status: response.status,
    body: { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
  };
}

/** Sends a GET request, with retries after 429. Throws if there is no response. */
export async function getResponse(
  { base, token }: Server,
  path: string,
  signal: AbortSignal,
): Promise<ReceivedResponse> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(`${base}${path}`, {
      redirect: 'manual',
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    }).catch((error: unknown) => {
      const cause =
        error instanceof Error ? ((error.cause as Error | undefined)?.message ?? error.message) : String(error);
      throw new Error(`${base} does not respond: ${cause}`, { cause: error });
    });
    if (response.status !== 429 || attempt >= MAX_ATTEMPTS) return read(response);
    await response.body?.cancel();
    await sleep(Math.min(Number(response.headers.get('retry-after') ?? 15), MAX_WAIT) * 1000, undefined, { signal });
  }
}
