/** Normalizes the responses of two servers, and finds the differences. */

export interface NormalizeOptions {
  /** Base URLs of both servers, which are removed from URLs in responses. */
  readonly bases: readonly string[];
  /** Whether ids of components, and of entries that have a document id, must be the same. */
  readonly ids: boolean;
}

type Members = Readonly<Record<string, unknown>>;

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Keys that are not content. */
const IGNORED_KEYS: ReadonlySet<string> = new Set(['createdBy', 'updatedBy', '__type', 'createdById', 'updatedById']);

/** Whether an object is an entry or a file, as opposed to a component. */
function isEntry(value: Members): boolean {
  return ['attributes', 'documentId', 'createdAt', 'updatedAt', 'hash', 'username'].some((key) => key in value);
}

function withoutBase(text: string, bases: readonly string[]): string {
  const base = bases.find((one) => text.startsWith(`${one}/`));
  return base === undefined ? text : text.slice(base.length);
}

/** Removes everything that may differ from a value. Empty lists become `null`, since Strapi returns either for media. */
export function normalize(value: unknown, options: NormalizeOptions): unknown {
  if (Array.isArray(value)) return value.length === 0 ? null : value.map((one) => normalize(one, options));
  if (typeof value === 'string') return withoutBase(value, options.bases);
  if (!isMembers(value)) return value;
  const drops = (key: string): boolean => {
    if (IGNORED_KEYS.has(key)) return true;
    if (key === 'meta') return 'id' in value;
    return key === 'id' && !options.ids && (!isEntry(value) || 'documentId' in value);
  };
  const kept = Object.entries(value).filter(([key]) => !drops(key));
  return Object.fromEntries(kept.map(([key, one]) => [key, normalize(one, options)]));
}

const MAX_DIFFERENCES = 5;
const MAX_LENGTH = 100;

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

/** The differences of two values, such as `data[3].title: "a" | "b"`; at most MAX_DIFFERENCES. */
export function differencesOf(one: unknown, other: unknown, path = 'body', found: string[] = []): readonly string[] {
  if (found.length >= MAX_DIFFERENCES || Object.is(one, other)) return found;
  if (Array.isArray(one) && Array.isArray(other)) {
    if (one.length !== other.length) found.push(`${path}: ${one.length} | ${other.length} elements`);
    for (let index = 0; index < Math.min(one.length, other.length); index += 1) {
      differencesOf(one[index], other[index], `${path}[${index}]`, found);
    }
  } else if (isMembers(one) && isMembers(other)) {
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
      differencesOf(one[key], other[key], `${path}.${key}`, found);
    }
  } else {
    found.push(`${path}: ${short(one)} | ${short(other)}`);
  }
  return found;
}
