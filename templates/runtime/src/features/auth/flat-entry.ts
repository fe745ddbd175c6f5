/** Flat entries, as clients expect users and roles: id and attributes on one level, also in relations. */

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function flatAttribute(value: unknown): unknown {
  if (!isObject(value) || !('data' in value)) return value;
  const { data } = value;
  return Array.isArray(data) ? data.map(flatEntry) : flatEntry(data);
}

/** Flattens an entry `{id, attributes, meta}` whose attributes are scalars and relations. */
export function flatEntry(entry: unknown): unknown {
  if (!isObject(entry) || !isObject(entry['attributes'])) return entry;
  const attributes = Object.entries(entry['attributes']).map(([name, value]) => [name, flatAttribute(value)] as const);
  return { id: entry['id'], ...Object.fromEntries(attributes) };
}
