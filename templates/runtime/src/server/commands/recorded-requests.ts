/** Reads recorded requests: a list of paths, an access log, or a HAR file. */
import { UsageError } from '../../base/command-errors.ts';

/** Path and query of a URL, or of a path. Undefined if it is none. */
function pathOf(text: string): string | undefined {
  if (text.startsWith('/')) return text;
  if (!URL.canParse(text)) return undefined;
  const { protocol, pathname, search } = new URL(text);
  return protocol === 'http:' || protocol === 'https:' ? pathname + search : undefined;
}

interface HarEntry {
  readonly request?: { readonly method?: unknown; readonly url?: unknown };
}

/** Undefined if the text is no HAR file. */
function inHar(text: string): readonly string[] | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  let entries: unknown;
  try {
    entries = (JSON.parse(text) as { readonly log?: { readonly entries?: unknown } }).log?.entries;
  } catch {
    return undefined;
  }
  if (!Array.isArray(entries)) throw new UsageError('The file is JSON, but no HAR file: it has no log.entries');
  return (entries as readonly HarEntry[]).flatMap(({ request }) =>
    request?.method === 'GET' && typeof request.url === 'string' ? (pathOf(request.url) ?? []) : [],
  );
}

/** A request in a line of an access log: `"GET /api/articles?sort=title HTTP/1.1"`. */
const LOGGED = /"(?<method>[A-Z]+) (?<path>\S+) HTTP\/[\d.]+"/u;

function inLine(line: string): string | undefined {
  const { method, path } = LOGGED.exec(line)?.groups ?? {};
  if (path !== undefined) return method === 'GET' ? pathOf(path) : undefined;
  const text = line.trim().replace(/^GET\s+/u, '');
  return text === '' || text.startsWith('#') || /\s/u.test(text) ? undefined : pathOf(text);
}

/** Path and query of each GET request, in order. Other lines are left out. Throws UsageError for JSON that is no HAR file. */
export function requestsIn(text: string): readonly string[] {
  return inHar(text) ?? text.split('\n').flatMap((line) => inLine(line) ?? []);
}
