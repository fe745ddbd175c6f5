/** Purges by tags of Varnish with xkey, Fastly and Cloudflare. */
import type { Webhook } from '../../contract/events/webhook.ts';
import type { CacheProblems, CacheService, OpenCacheService, PurgeRequest } from '../../http/cache-services.ts';

type PurgedCache = 'varnish' | 'fastly' | 'cloudflare';

/** The values of a receiver's variables. */
interface Access {
  readonly address: string;
  readonly token: string;
  readonly soft: boolean;
}

interface Kind {
  /** How many tags a request may name: what the service allows, or what fits into the 8 kB of a header. */
  readonly most: number;
  readonly isNear: boolean;
  /** What the address must be; undefined if it is. */
  problem(address: string): string | undefined;
  request(tags: readonly string[], access: Access): PurgeRequest;
}

const isId = (text: string): boolean => /^[A-Za-z0-9]{1,64}$/u.test(text);

const KINDS: Readonly<Record<PurgedCache, Kind>> = {
  varnish: {
    most: 250,
    isNear: true,
    problem: (address) =>
      /^https?:\/\//iu.test(address) && URL.canParse(address) ? undefined : 'must be the URL of a Varnish: http://…',
    request: (tags, { address, soft }) => ({
      url: new URL(address),
      method: 'PURGE',
      headers: { [soft ? 'xkey-softpurge' : 'xkey-purge']: tags.join(' ') },
      body: '',
    }),
  },
  fastly: {
    most: 256,
    isNear: false,
    problem: (address) => (isId(address) ? undefined : 'must be the id of a service of Fastly'),
    request: (tags, { address, token, soft }) => ({
      url: new URL(`https://api.fastly.com/service/${address}/purge`),
      method: 'POST',
      headers: {
        'fastly-key': token,
        accept: 'application/json',
        'content-type': 'application/json',
        ...(soft && { 'fastly-soft-purge': '1' }),
      },
      body: JSON.stringify({ surrogate_keys: tags }),
    }),
  },
  cloudflare: {
    most: 100,
    isNear: false,
    problem: (address) => (isId(address) ? undefined : 'must be the id of a zone of Cloudflare'),
    request: (tags, { address, token }) => ({
      url: new URL(`https://api.cloudflare.com/client/v4/zones/${address}/purge_cache`),
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ tags }),
    }),
  },
};

function problemsOf(
  kind: Kind,
  { url, secret }: Webhook,
  { address, token }: { readonly address: string | undefined; readonly token: string | undefined },
): CacheProblems {
  const problem = address ? kind.problem(address) : 'is not set: the address of a cache in the schema';
  const ofAddress: CacheProblems = problem === undefined ? [] : [[url, problem]];
  if (secret === undefined) return ofAddress;
  if (!token) return [...ofAddress, [secret, 'is not set: the token for a cache in the schema']];
  // As a header, it is one line of ASCII.
  const isToken = /^[\x21-\x7e]+$/u.test(token);
  return isToken ? ofAddress : [...ofAddress, [secret, 'must be a token, without spaces']];
}

/** Opens the service of a webhook whose cache is one of these. */
export const openCacheService: OpenCacheService = (webhook, valueOf): CacheService | CacheProblems => {
  const kind = KINDS[webhook.cache as PurgedCache];
  const [address, token] = [valueOf(webhook.url), webhook.secret === undefined ? '' : valueOf(webhook.secret)];
  const problems = problemsOf(kind, webhook, { address, token });
  if (problems.length > 0) return problems;
  const access = { address: address ?? '', token: token ?? '', soft: webhook.soft === true };
  return { most: kind.most, isNear: kind.isNear, request: (tags) => kind.request(tags, access) };
};
