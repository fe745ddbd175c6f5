/** Entries without envelopes, as clients expect users and roles: attributes beside the id, in relations too. */

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function flatAttribute(value: unknown): unknown {
  if (!isObject(value) || !('data' in value)) return value;
  const { data } = value;
  return Array.isArray(data) ? data.map(flatEntry) : flatEntry(data);
}

/** An entry `{id, attributes, meta}`, parsed; of a type whose attributes are plain values and relations. */
function flatEntry(entry: unknown): unknown {
  if (!isObject(entry) || !isObject(entry['attributes'])) return entry;
  const attributes = Object.entries(entry['attributes']).map(([name, value]) => [name, flatAttribute(value)] as const);
  return { id: entry['id'], ...Object.fromEntries(attributes) };
}

/** The text of an entry, flat. */
export function flatText(entry: string): string {
  return JSON.stringify(flatEntry(JSON.parse(entry)));
}

/** The body of a list as a bare array of flat entries. */
export function flatList(body: Buffer): string {
  const { data } = JSON.parse(body.toString()) as { readonly data: readonly unknown[] };
  return JSON.stringify(data.map(flatEntry));
}
