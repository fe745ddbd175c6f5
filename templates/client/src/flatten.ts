/**
 * Flattens entries, removing `attributes` and `data`: `{id, title, author: {id, name}}`. Only populated attributes are flattened, so
 * that a JSON value that looks like an entry stays as it is.
 */

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The populated attributes of an object, as pairs of name and options. */
function populatedOf(populate: unknown, object: Members): [string, unknown][] {
  const names = Array.isArray(populate) ? populate : [populate];
  if (names.includes('*')) return Object.keys(object).map((name) => [name, true]);
  if (isObject(populate)) return Object.entries(populate);
  return names.map((name) => [String(name), true]);
}

/** The `populate` that applies inside an entry or component item, given the options of the attribute that contains it. */
function populateWithin(options: unknown, target: Members): unknown {
  if (!isObject(options)) return undefined;
  const { on, populate } = options;
  const fragment = isObject(on) ? on[String(target['__component'] ?? target['__type'])] : undefined;
  return isObject(fragment) ? fragment['populate'] : populate;
}

function isEntry(value: unknown): value is { readonly id?: unknown; readonly attributes: Members } {
  return isObject(value) && isObject(value['attributes']);
}

/** Whether a value is a relation, as opposed to a component item. */
function isRelation(value: Members): value is { readonly data: unknown } {
  const { data } = value;
  return !('id' in value) && (data === null || isEntry(data) || (Array.isArray(data) && data.every(isEntry)));
}

function flattenLink(value: unknown, options: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => flattenLink(item, options));
  if (!isObject(value)) return value;
  if (!isRelation(value)) return flattenMembers(value, populateWithin(options, value));
  const one = (entry: unknown) =>
    isEntry(entry) ? flattenEntry(entry, populateWithin(options, entry.attributes)) : entry;
  return Array.isArray(value.data) ? value.data.map(one) : one(value.data);
}

function flattenMembers(members: Members, populate: unknown): Members {
  if (populate === undefined) return members;
  const flat: Record<string, unknown> = { ...members };
  for (const [name, options] of populatedOf(populate, members)) {
    if (Object.hasOwn(members, name)) flat[name] = flattenLink(members[name], options);
  }
  return flat;
}

/** Flattens an entry; `populate` is the query's. */
export function flattenEntry(entry: unknown, populate: unknown): unknown {
  if (!isEntry(entry)) return entry;
  const { id, attributes } = entry;
  return { ...(id === undefined ? {} : { id }), ...flattenMembers(attributes, populate) };
}
