/** Serializes queries to the nested query strings that the server parses: `filters[title][$eq]=x`. */

/** The role of an object: `populate` maps the names of attributes to their `options`, which may contain `populate` again. */
type Role = 'populate' | 'options' | 'plain';

function roleOf(parent: Role | 'query', name: string): Role {
  if (parent === 'populate') return 'options';
  if (parent === 'query') return name === 'populate' ? 'populate' : 'plain';
  return parent === 'options' && (name === 'populate' || name === 'on') ? 'populate' : 'plain';
}

function encodeName(name: string): string {
  return encodeURIComponent(name).replaceAll('%24', '$');
}

function textOf(value: Date | null | string | number | bigint | boolean): string {
  if (value === null) return '';
  return value instanceof Date ? value.toISOString() : String(value);
}

function addList(parts: string[], key: string, list: readonly unknown[]): true {
  const elements = list.filter((element) => element !== undefined);
  if (elements.length === 0) parts.push(`${key}[]=`);
  for (const [index, element] of elements.entries()) {
    if (!add(parts, `${key}[${index}]`, element, 'plain')) {
      throw new TypeError(`${key}[${index}] is an empty object, which a query can't say: leave it out`);
    }
  }
  return true;
}

/** Appends a value; returns whether there was anything to append. */
function add(parts: string[], key: string, value: unknown, role: Role): boolean {
  if (value === undefined) return false;
  if (Array.isArray(value)) return addList(parts, key, value);
  if (typeof value !== 'object' || value === null || value instanceof Date) {
    parts.push(`${key}=${encodeURIComponent(textOf(value as string))}`);
    return true;
  }
  let isAdded = false;
  for (const [name, member] of Object.entries(value)) {
    isAdded = add(parts, `${key}[${encodeName(name)}]`, member, roleOf(role, name)) || isAdded;
  }
  if (!isAdded && role === 'options') return add(parts, key, true, 'plain');
  return isAdded;
}

/**
 * Serializes a query to a query string, without `?`. Undefined members are left out; a Date becomes ISO 8601 text, null an empty text.
 * Throws TypeError for an empty object in a list.
 */
export function serializeQuery(query: object): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(query)) add(parts, encodeName(name), value, roleOf('query', name));
  return parts.join('&');
}
