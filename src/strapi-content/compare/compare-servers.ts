/** Sends the same requests to two servers and reports differing responses, to be run before clients move to the new server. */
import type { ContentTypes } from '#contract/content-type.ts';
import type { Progress } from '#contract/content-transfer.ts';
import { getResponse, type ReceivedResponse, type Server } from './get-response.ts';
import { differencesOf, normalize, type NormalizeOptions } from './normalize-response.ts';
import { requestsFor, type RouteQueries } from './requests.ts';

export interface CompareOptions {
  readonly servers: readonly [Server, Server];
  /** Maximum number of pages to read of each list. */
  readonly pages: number;
  /** Maximum number of entries of each list to read individually. */
  readonly entries: number;
  /** Maximum number of files to load. */
  readonly files: number;
  readonly ids: boolean;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** A request with differing responses. */
export interface DifferingRequest {
  readonly path: string;
  readonly differences: readonly string[];
}

export interface Comparison {
  readonly requests: number;
  /** How many of these both servers refused in the same way. */
  readonly refused: number;
  readonly different: readonly DifferingRequest[];
}

const PAGE_SIZE = 25;
/** Paths of files in responses. */
const FILE_PATH = /"(?<path>\/uploads\/[^"\\]{1,300})"/gu;

interface Run {
  readonly options: CompareOptions;
  readonly normalizeOptions: NormalizeOptions;
  readonly different: DifferingRequest[];
  /** Paths of files found in responses of the first server. */
  readonly files: Set<string>;
  requests: number;
  refused: number;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The part of a response that is compared. For errors, that is only their name: messages differ between servers. */
function contentOf({ body }: ReceivedResponse): unknown {
  if (!isRecord(body)) return body;
  if (isRecord(body['error'])) return { error: body['error']['name'] };
  const meta = body['meta'];
  return 'data' in body ? { data: body['data'], pagination: isRecord(meta) ? meta['pagination'] : undefined } : body;
}

function noteFiles(run: Run, body: unknown): void {
  if (run.files.size >= run.options.files) return;
  for (const match of JSON.stringify(body).matchAll(FILE_PATH)) {
    const path = match.groups?.['path'];
    if (path !== undefined && run.files.size < run.options.files) run.files.add(path);
  }
}

/** Sends a request to both servers and records differences. Returns the response of the first. */
async function compare(run: Run, path: string): Promise<ReceivedResponse> {
  const { servers, signal, progress } = run.options;
  const [one, other] = (await Promise.all(servers.map((server) => getResponse(server, path, signal)))) as [
    ReceivedResponse,
    ReceivedResponse,
  ];
  run.requests += 1;
  progress.report('requests', run.requests);
  if (one.status !== other.status) {
    run.different.push({ path, differences: [`status: ${one.status} | ${other.status}`] });
    return one;
  }
  if (one.status >= 400) run.refused += 1;
  const differences = differencesOf(
    normalize(contentOf(one), run.normalizeOptions),
    normalize(contentOf(other), run.normalizeOptions),
  );
  if (differences.length > 0) run.different.push({ path, differences });
  return one;
}

function listIn({ body }: ReceivedResponse): readonly unknown[] {
  const data = isRecord(body) ? body['data'] : undefined;
  return Array.isArray(data) ? (data as unknown[]) : [];
}

/** The sort key: an id that is the same on both servers. */
function sortOf(entries: readonly unknown[]): string {
  return entries.some((entry) => isRecord(entry) && 'documentId' in entry) ? 'documentId' : 'id';
}

function idOf(entry: unknown): string | undefined {
  if (!isRecord(entry)) return undefined;
  const id = entry['documentId'] ?? entry['id'];
  return typeof id === 'string' || typeof id === 'number' ? encodeURIComponent(id) : undefined;
}

function url(path: string, ...parts: readonly string[]): string {
  const query = parts.filter((part) => part !== '').join('&');
  return query === '' ? path : `${path}?${query}`;
}

async function compareList(run: Run, { path, queries }: RouteQueries): Promise<void> {
  const { pages, entries } = run.options;
  const first = await getResponse(run.options.servers[0], url(path, 'pagination[pageSize]=1'), run.options.signal);
  const sort = `sort=${sortOf(listIn(first))}`;
  for (const query of Object.values(queries)) {
    for (let page = 1; page <= pages; page += 1) {
      const answer = await compare(
        run,
        url(path, query, sort, `pagination[page]=${page}`, `pagination[pageSize]=${PAGE_SIZE}`),
      );
      noteFiles(run, answer.body);
      const found = listIn(answer);
      const ids = page === 1 ? found.slice(0, entries).flatMap((entry) => idOf(entry) ?? []) : [];
      for (const id of ids) await compare(run, url(`${path}/${id}`, query));
      if (found.length < PAGE_SIZE) break;
    }
  }
}

/** Compares two servers with these types. Throws if one of them does not respond. */
export async function compareServers(types: ContentTypes, options: CompareOptions): Promise<Comparison> {
  const bases = options.servers.map(({ base }) => base);
  const run: Run = {
    options,
    normalizeOptions: { bases, ids: options.ids },
    different: [],
    files: new Set(),
    requests: 0,
    refused: 0,
  };
  await compare(run, '/api/i18n/locales');
  for (const listed of requestsFor(types)) {
    if (listed.kind === 'list') {
      await compareList(run, listed);
      continue;
    }
    for (const query of Object.values(listed.queries)) {
      noteFiles(run, (await compare(run, url(listed.path, query))).body);
    }
  }
  for (const path of run.files) await compare(run, path);
  const { requests, refused, different } = run;
  return { requests, refused, different };
}
