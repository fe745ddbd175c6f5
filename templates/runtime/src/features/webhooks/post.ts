/** Sends a message to a receiver: without redirects, with limits of time and size, and not to private addresses. */
import { lookup, type LookupAddress } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPrivateAddress } from './private-addresses.ts';

/** For a whole try, in milliseconds. */
export const POST_TIMEOUT = 15_000;
/** How much of an answer is read, in bytes. */
const MAX_ANSWER = 64 * 1024;
/** Below it, only the ports of the web are reached. */
const FIRST_FREE_PORT = 1024;
const WEB_PORTS: ReadonlySet<string> = new Set(['', '80', '443']);

/** How a receiver has answered. */
export interface Answered {
  readonly status: number;
  /** The header `Retry-After`. */
  readonly retryAfter: string | undefined;
}

/** What is sent, and a signal that ends it. */
export interface Sent {
  readonly url: URL;
  readonly method: 'POST' | 'PURGE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether it may have a private address, whatever the settings: it gets no content, and is not asked for any. */
  readonly isNear: boolean;
  readonly signal?: AbortSignal;
}

/** Resolves with the answer, whatever its status. Rejects if there is none. */
export type Post = (sent: Sent) => Promise<Answered>;

class PrivateAddressError extends Error {
  constructor(host: string) {
    super(`${host} has a private address: allow these with WEBHOOKS_ALLOW_PRIVATE=true`);
    this.name = 'PrivateAddressError';
  }
}

/** Resolves a name for the connection itself, so that it can't have another address by then. */
const publicLookup: LookupFunction = (host, options, callback) => {
  lookup(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const [first] = addresses ?? [];
    const refused = addresses?.some(({ address }) => isPrivateAddress(address)) ? new PrivateAddressError(host) : null;
    const failure = error ?? refused ?? (first ? null : new Error(`${host} has no address`));
    if (failure || !first) callback(failure, []);
    else if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

/** Addresses in a URL are not looked up. */
function requirePublic({ hostname, port }: URL): void {
  const address = hostname.replace(/^\[|\]$/gu, '');
  if (isIP(address) !== 0 && isPrivateAddress(address)) throw new PrivateAddressError(address);
  if (WEB_PORTS.has(port) || Number(port) >= FIRST_FREE_PORT) return;
  throw new Error(`port ${port} is not one of a web server: allow it with WEBHOOKS_ALLOW_PRIVATE=true`);
}

/** Reads the answer up to its end or the limit, so that the connection can be used again. */
async function discard(answer: IncomingMessage): Promise<void> {
  let length = 0;
  for await (const chunk of answer) {
    length += (chunk as Buffer).length;
    if (length > MAX_ANSWER) {
      answer.destroy();
      return;
    }
  }
}

/** Connections are kept, at most `most` to a receiver. `close` ends those that are idle. */
export function createPost(options: {
  readonly allowsPrivate: boolean;
  readonly most: number;
  readonly timeout?: number;
}): { readonly post: Post; close(): void } {
  const { allowsPrivate, most, timeout = POST_TIMEOUT } = options;
  const kept = { keepAlive: true, maxSockets: most, maxFreeSockets: most, timeout };
  const agents = { 'http:': new HttpAgent(kept), 'https:': new HttpsAgent(kept) };

  const post: Post = async ({ url, method, headers, body, isNear, signal: ending }) => {
    const isFree = allowsPrivate || isNear;
    if (!isFree) requirePublic(url);
    const isSecure = url.protocol === 'https:';
    const late = AbortSignal.timeout(timeout);
    const signal = ending ? AbortSignal.any([late, ending]) : late;
    try {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        const sent = (isSecure ? httpsRequest : httpRequest)(url, {
          method,
          agent: agents[isSecure ? 'https:' : 'http:'],
          headers: { ...headers, 'content-length': Buffer.byteLength(body) },
          signal,
          ...(!isFree && { lookup: publicLookup }),
        });
        sent.on('response', resolve).on('error', reject);
        sent.end(body);
      });
      const status = answer.statusCode ?? 0;
      const retryAfter = answer.headers['retry-after'];
      // An answer is one by its status, even if the rest of it fails.
      await discard(answer).catch(() => answer.destroy());
      return { status, retryAfter };
    } catch (error) {
      if (late.aborted) throw new Error(`no answer within ${timeout / 1000} s`, { cause: error });
      throw error;
    }
  };

  return {
    post,
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}
