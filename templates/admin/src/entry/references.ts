/** The relations that may refer to entries of a type, also those within components. */
import type { Attributes, ContentType } from '../model/model.ts';
import type { ModelIndex } from '../model/model-context.tsx';
import type { QueryObject } from '../rest/query-string.ts';
import { flat, type RestEntry } from '../rest/rest-entry.ts';

export interface Reference {
  readonly type: ContentType;
  /** Names of attributes: the components on the way, and the relation. */
  readonly paths: readonly (readonly string[])[];
}

/** The most types that are searched: a request each. */
const MAX_TYPES = 12;
/** The most relations of a type: the server limits the weight of filters. */
const MAX_PATHS = 20;
/** Components within components, such as trees of sections, end here. */
const MAX_DEPTH = 3;

/** Filters don't follow polymorphic relations and dynamic zones. */
function pathsIn(attributes: Attributes, target: ContentType, index: ModelIndex, depth = 0): readonly string[][] {
  return Object.entries(attributes).flatMap(([name, attribute]) => {
    if (attribute.private === true) return [];
    if (attribute.type === 'relation') {
      const isIt = attribute.target === target.uid && attribute.morphBy === undefined;
      return isIt ? [[name]] : [];
    }
    if (attribute.type !== 'component' || depth >= MAX_DEPTH) return [];
    const inner = index.component(attribute.component).attributes;
    return pathsIn(inner, target, index, depth + 1).map((path) => [name, ...path]);
  });
}

function conditionAt(path: readonly string[], id: number): QueryObject {
  return path.reduceRight<QueryObject>((inner, name) => ({ [name]: inner }), { id: { $eq: id } });
}

export function referencesTo(
  target: ContentType,
  types: readonly ContentType[],
  index: ModelIndex,
): readonly Reference[] {
  const found = types.flatMap((type) => {
    const paths = pathsIn(type.attributes, target, index).slice(0, MAX_PATHS);
    return paths.length === 0 ? [] : [{ type, paths }];
  });
  return found.slice(0, MAX_TYPES);
}

/** The filter for the entries that refer to an entry. */
export function filterOf({ paths }: Reference, id: number): QueryObject {
  return { $or: paths.map((path) => conditionAt(path, id)) };
}

interface Populated {
  [name: string]: { fields: readonly string[]; filters?: QueryObject; populate?: Populated };
}

/** For single types, which have no filters: populates what refers to an entry. */
export function populateOf({ paths }: Reference, id: number): QueryObject {
  const all: Populated = {};
  for (const path of paths) {
    let level = all;
    for (const name of path.slice(0, -1)) {
      const step = (level[name] ??= { fields: ['id'] });
      level = step.populate ??= {};
    }
    level[path.at(-1) ?? ''] = { fields: ['id'], filters: { id: { $eq: id } } };
  }
  return all;
}

function itemsOf(value: unknown): readonly RestEntry[] {
  const data = typeof value === 'object' && value !== null && 'data' in value ? value.data : value;
  return [(data ?? []) as RestEntry | readonly RestEntry[]].flat();
}

function hasId(entry: RestEntry, [name = '', ...rest]: readonly string[], id: number): boolean {
  const items = itemsOf(flat(entry)[name]);
  return rest.length === 0 ? items.some((one) => one.id === id) : items.some((one) => hasId(one, rest, id));
}

/** Whether an entry with these relations populated refers to another. */
export function refersTo(entry: RestEntry, { paths }: Reference, id: number): boolean {
  return paths.some((path) => hasId(entry, path, id));
}
