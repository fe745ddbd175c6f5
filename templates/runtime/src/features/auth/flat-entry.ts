/** Flat entries, as clients expect users and roles: id and attributes on one level, also in relations. */

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function flatAttribute(value: unknown): unknown {
  if (!isObject(value) || !('data' in value)) return value;
  const { data } = value;
  return Array.isArray(data) ? data.map(flatEntry) : flatEntry(data);
}

/** Flattens a parsed entry `{id, attributes, meta}` whose attributes are scalars and relations. */
function flatEntry(entry: unknown): unknown {
  if (!isObject(entry) || !isObject(entry['attributes'])) return entry;
  const attributes = Object.entries(entry['attributes']).map(([name, value]) => [name, flatAttribute(value)] as const);
  return { id: entry['id'], ...Object.fromEntries(attributes) };
}

/** Flattens the JSON of an entry. */
export function flatText(entry: string): string {
  return JSON.stringify(flatEntry(JSON.parse(entry)));
}

/** Converts the JSON of a list to an array of flat entries. */
export function flatList(body: Buffer): string {
  const { data } = JSON.parse(body.toString()) as { readonly data: readonly unknown[] };
  return JSON.stringify(data.map(flatEntry));
}
