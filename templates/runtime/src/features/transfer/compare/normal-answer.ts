/** Brings the answers of two servers to a form in which they can be compared, and tells how they differ. */

export interface NormalOptions {
  /** The addresses of both servers, which are left out of URLs. */
  readonly bases: readonly string[];
  /** Whether ids of components, and of entries that have a document id, must be the same. */
  readonly ids: boolean;
}

type Members = Readonly<Record<string, unknown>>;

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What tells nothing about content. */
const LEFT_OUT: ReadonlySet<string> = new Set(['createdBy', 'updatedBy', '__type', 'createdById', 'updatedById']);

/** Whether members are those of an entry, or of a file, rather than of a component. */
function isEntry(value: Members): boolean {
  return ['attributes', 'documentId', 'createdAt', 'updatedAt', 'hash', 'username'].some((key) => key in value);
}

function withoutBase(text: string, bases: readonly string[]): string {
  const base = bases.find((one) => text.startsWith(`${one}/`));
  return base === undefined ? text : text.slice(base.length);
}

/** A value without what may differ. `null` stands for an empty list, too: of media, Strapi says either. */
export function normal(value: unknown, options: NormalOptions): unknown {
  if (Array.isArray(value)) return value.length === 0 ? null : value.map((one) => normal(one, options));
  if (typeof value === 'string') return withoutBase(value, options.bases);
  if (!isMembers(value)) return value;
  const drops = (key: string): boolean => {
    if (LEFT_OUT.has(key)) return true;
    if (key === 'meta') return 'id' in value;
    return key === 'id' && !options.ids && (!isEntry(value) || 'documentId' in value);
  };
  const kept = Object.entries(value).filter(([key]) => !drops(key));
  return Object.fromEntries(kept.map(([key, one]) => [key, normal(one, options)]));
}

const MAX_DIFFERENCES = 5;
const MAX_LENGTH = 100;

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

/** Where two values differ: `data[3].title: "a" | "b"`. */
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
