/** Random indexes: over several attributes, on values inside components, and for words. */
import { type Owner, type RandomChange, type RandomSchema, type Schema } from './random-schema.ts';

/** Scalars that an index can have. */
const SORTED = /^(?:string|email|uid|integer|biginteger|float|decimal|boolean|date|time|datetime|enumeration)$/u;
/** Those with up to 255 characters: more than two of them are too long for an index. */
const TEXTS = /^(?:string|email|uid|enumeration)$/u;
const SEARCHED = /^(?:string|text|richtext|email|uid)$/u;
const TO_ONE = /^(?:oneWay|manyToOne|oneToOne)$/u;
const MAX_TEXTS = 2;

function pathOf(key: string): readonly string[] {
  return key.replace(/^-/u, '').split('.');
}

/** The attribute at the end of a path, unless a list or a zone is on the way. */
function attributeAt(on: RandomSchema, type: string, path: readonly string[]): Schema {
  let { attributes } = on.schema.contentTypes[type];
  for (const name of path.slice(0, -1)) {
    const own = attributes[name];
    if (own?.type !== 'component' || own.repeatable === true) return undefined;
    ({ attributes } = on.schema.components[own.component]);
  }
  return attributes[path.at(-1) ?? ''];
}

function isSystemKey(on: RandomSchema, type: string, name: string): boolean {
  if (name === 'publishedAt') return on.schema.contentTypes[type].draftAndPublish === true;
  return name === 'createdAt' || name === 'updatedAt';
}

function canBeKey(on: RandomSchema, type: string, key: string): boolean {
  const path = pathOf(key);
  const [name = ''] = path;
  if (path.length === 1 && isSystemKey(on, type, name)) return true;
  const own = attributeAt(on, type, path);
  if (own === undefined) return false;
  if (path.length > 1) return SORTED.test(own.type);
  if (own.type === 'media') return own.multiple !== true;
  if (own.type === 'relation') return TO_ONE.test(own.relation) && own.mappedBy === undefined;
  return SORTED.test(own.type);
}

/** The keys of an index that other changes have left, without those that make it too long. */
function keysThatStay(on: RandomSchema, type: string, index: readonly string[]): readonly string[] {
  let texts = 0;
  return index.filter((key, place) => {
    const isFirst = index.findIndex((other) => pathOf(other).join() === pathOf(key).join()) === place;
    if (!isFirst || !canBeKey(on, type, key)) return false;
    if (TEXTS.test(attributeAt(on, type, pathOf(key))?.type)) texts += 1;
    return texts <= MAX_TEXTS;
  });
}

function put(type: Schema, option: 'indexes' | 'search', list: readonly unknown[]): void {
  if (list.length === 0) delete type[option];
  else type[option] = list;
}

/** Removes from all indexes what they can't have any more. */
export function repairIndexes(on: RandomSchema): void {
  for (const [name, type] of Object.entries<Schema>(on.schema.contentTypes)) {
    const indexes = (type.indexes ?? [])
      .map((index: readonly string[]) => keysThatStay(on, name, index))
      .filter((index: readonly string[]) => index.length > 0);
    put(type, 'indexes', indexes);
    const byName = new Map<string, string>(
      (type.search ?? []).map((written: string) => [written.split('^')[0] ?? '', written]),
    );
    const search = [...byName].flatMap(([own, written]) =>
      SEARCHED.test(type.attributes[own]?.type) ? [written] : [],
    );
    put(type, 'search', search);
  }
}

function renamedKey(
  on: RandomSchema,
  type: string,
  key: string,
  [kind, uid]: Owner,
  names: Readonly<Record<string, string>>,
): string {
  let at: Owner = ['type', type];
  const path = pathOf(key).map((name) => {
    const to = at[0] === kind && at[1] === uid ? (names[name] ?? name) : name;
    at = ['component', on.definition(at)?.attributes[name]?.component];
    return to;
  });
  return `${key.startsWith('-') ? '-' : ''}${path.join('.')}`;
}

/** Renames attributes of an owner in all indexes, before they are renamed in its definition. */
export function renameInIndexes(on: RandomSchema, owner: Owner, names: Readonly<Record<string, string>>): void {
  for (const [name, type] of Object.entries<Schema>(on.schema.contentTypes)) {
    const indexes = (type.indexes ?? []).map((index: readonly string[]) =>
      index.map((key) => renamedKey(on, name, key, owner, names)),
    );
    put(type, 'indexes', indexes);
    if (owner[0] !== 'type' || owner[1] !== name) continue;
    const search = (type.search ?? []).map((written: string) => {
      const [own = '', ...weight] = written.split('^');
      return [names[own] ?? own, ...weight].join('^');
    });
    put(type, 'search', search);
  }
}

function change(name: string): RandomChange {
  return { name, content: () => {}, isLossy: false, mayFail: false };
}

/** Takes one index of a type away. */
function dropIndex(on: RandomSchema, name: string): RandomChange | undefined {
  const type = on.schema.contentTypes[name];
  const indexes: readonly (readonly string[])[] = type.indexes ?? [];
  const gone = on.pick(indexes);
  if (gone === undefined) return undefined;
  put(
    type,
    'indexes',
    indexes.filter((index) => index !== gone),
  );
  return change(`no index ${gone.join()} of ${name}`);
}

function addIndex(on: RandomSchema, name: string, index: readonly string[]): RandomChange | undefined {
  const type = on.schema.contentTypes[name];
  const keys = keysThatStay(on, name, index);
  const isKnown = type.indexes?.some((other: readonly string[]) => other.join() === keys.join());
  if (keys.length === 0 || isKnown === true) return undefined;
  put(type, 'indexes', [...(type.indexes ?? []), keys]);
  return change(`index ${keys.join()} of ${name}`);
}

/** Adds an index over up to three attributes, or takes one away. */
export function changeIndexes(on: RandomSchema): RandomChange | undefined {
  const name = on.pick(on.types());
  if (name === undefined) return undefined;
  if (on.chance(0.35)) return dropIndex(on, name);
  const own = Object.keys(on.schema.contentTypes[name].attributes);
  const names = [...own, 'createdAt', 'updatedAt', 'publishedAt'].filter((key) => canBeKey(on, name, key));
  const keys = Array.from({ length: 1 + on.number(3) }, () => on.pick(names) ?? 'createdAt');
  return addIndex(
    on,
    name,
    [...new Set(keys)].map((key) => (on.chance(0.4) ? `-${key}` : key)),
  );
}

/** The paths of all values inside components that an index of a type can have. */
function memberPaths(on: RandomSchema, type: string): readonly string[] {
  const inside = (attributes: Schema, path: readonly string[]): readonly string[] =>
    Object.entries<Schema>(attributes).flatMap(([name, own]) => {
      const key = [...path, name];
      if (own.type === 'component' && own.repeatable !== true) {
        return inside(on.schema.components[own.component].attributes, key);
      }
      return key.length > 1 && canBeKey(on, type, key.join('.')) ? [key.join('.')] : [];
    });
  return inside(on.schema.contentTypes[type].attributes, []);
}

/** Adds an index on a value inside a component, or takes one away. */
export function changeMemberIndex(on: RandomSchema): RandomChange | undefined {
  const places = on.types().flatMap((type) => memberPaths(on, type).map((path) => [type, path] as const));
  const [type, path] = on.pick(places) ?? [];
  if (type === undefined || path === undefined) return undefined;
  return on.chance(0.35) ? dropIndex(on, type) : addIndex(on, type, [path]);
}

/** Searches other attributes of a type, with other weights, or none any more. */
export function changeSearch(on: RandomSchema): RandomChange | undefined {
  const name = on.pick(on.types());
  if (name === undefined) return undefined;
  const type = on.schema.contentTypes[name];
  if (type.search !== undefined && on.chance(0.4)) {
    delete type.search;
    return change(`no search of ${name}`);
  }
  const texts = Object.entries<Schema>(type.attributes).flatMap(([key, own]) => (SEARCHED.test(own.type) ? [key] : []));
  const keys = new Set(Array.from({ length: 1 + on.number(3) }, () => on.pick(texts) ?? 'title'));
  type.search = [...keys].map((key) => (on.chance(0.5) ? `${key}^${2 + on.number(3)}` : key));
  return change(`search ${type.search.join()} of ${name}`);
}
