/** The content of versions: how it is read, and what it means for the type as it is now. */
import { castScalar } from '../../contract/attribute-types/scalar-type.ts';
import type { Attribute, ContentType, ContentTypes } from '../../contract/content-type.ts';
import type { Rename } from '../../contract/migrations/rename.ts';
import { typeName, uidOfTypeName } from '../../contract/type-name.ts';
import { type Content, PRIVATE } from '../../query/content-text.ts';

/** What every entry has besides its attributes. */
const SYSTEM: ReadonlySet<string> = new Set([
  'id',
  'documentId',
  'createdAt',
  'updatedAt',
  'publishedAt',
  'locale',
  PRIVATE,
]);

type Attributes = Readonly<Record<string, Attribute>>;

/** The content of a version, by the names that attributes have now. */
export interface Version {
  /** All attributes, also private ones. */
  readonly content: Content;
  /** Attributes that the type no longer has. Those that were private are left out. */
  readonly dropped: Content;
}

function isObject(value: unknown): value is Content {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The renames of migrations, in their order: those of one migration are carried out at once. */
export type Renames = readonly (readonly Rename[])[];

/** The name that a type or component has after the renames. */
function ownerAfter(uid: string, renames: Renames): string {
  return renames.reduce(
    (name, own) => own.find(({ kind, from }) => kind !== 'attribute' && from === name)?.to ?? name,
    uid,
  );
}

/** The name that a type or component had before the renames. */
function ownerBefore(uid: string, renames: Renames): string {
  return renames.reduceRight(
    (name, own) => own.find(({ kind, to }) => kind !== 'attribute' && to === name)?.from ?? name,
    uid,
  );
}

/** The members by the names that the attributes of `owner`, as it was called before the renames, have after them. */
function withNames(owner: string, content: Content, renames: Renames): Content {
  let uid = owner;
  let named = Object.entries(content);
  for (const own of renames) {
    uid = ownerAfter(uid, [own]);
    const names = new Map(
      own.flatMap((one) => (one.kind === 'attribute' && one.owner === uid ? [[one.from, one.to] as const] : [])),
    );
    named = named.map(([name, value]) => [names.get(name) ?? name, value]);
  }
  return Object.fromEntries(named);
}

interface Following {
  readonly types: ContentTypes;
  readonly renames: Renames;
}

function followed(following: Following, attribute: Attribute | undefined, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => followed(following, attribute, one));
  if (!isObject(value)) return value;
  const { types, renames } = following;
  switch (attribute?.type) {
    case 'relation': {
      const { __type: name } = value;
      return typeof name === 'string'
        ? { ...value, __type: typeName(ownerAfter(uidOfTypeName(name), renames)) }
        : value;
    }
    case 'component':
      return renamed(following, attribute.component, types.components[attribute.component]?.attributes ?? {}, value);
    case 'dynamiczone': {
      const uid = ownerAfter(String(value['__component']), renames);
      return renamed(following, uid, types.components[uid]?.attributes ?? {}, { ...value, __component: uid });
    }
    default:
      return value;
  }
}

/** `owner`: what it is called now. */
function renamed(following: Following, owner: string, attributes: Attributes, content: Content): Content {
  const { renames } = following;
  if (renames.length === 0) return content;
  const named = withNames(ownerBefore(owner, renames), content, renames);
  return Object.fromEntries(
    Object.entries(named).map(([name, value]) => [name, followed(following, attributes[name], value)]),
  );
}

function exactValue(types: ContentTypes, attribute: Attribute | undefined, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  switch (attribute?.type) {
    case 'decimal': {
      const cast = castScalar('decimal', value);
      return cast.ok ? cast.value : value;
    }
    case 'component':
    case 'dynamiczone': {
      const exactItem = (item: Content): Content => {
        const uid = attribute.type === 'component' ? attribute.component : String(item['__component']);
        return withExactDecimals(types, types.components[uid]?.attributes ?? {}, item);
      };
      return Array.isArray(value) ? (value as Content[]).map(exactItem) : exactItem(value as Content);
    }
    default:
      return value;
  }
}

/** Decimals as canonical text: engines spell them in different ways, and versions of earlier servers have them as numbers. */
function withExactDecimals(types: ContentTypes, attributes: Attributes, content: Content): Content {
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => [name, exactValue(types, attributes[name], value)]),
  );
}

/** Only what certainly reveals nothing private: texts, numbers and ids, not the items of components. */
function shownValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.every((one) => typeof one !== 'object') ? value : null;
  return typeof value === 'object' ? null : value;
}

/** Reads a stored content; `renames` are those that it has not seen. */
export function versionOf(types: ContentTypes, type: ContentType, text: string, renames: Renames): Version {
  const { [PRIVATE]: hidden, ...stored } = JSON.parse(text) as Content;
  const follow = (content: Content): Content => renamed({ types, renames }, type.uid, type.attributes, content);
  const open = follow(stored);
  const isKnown = (name: string): boolean => SYSTEM.has(name) || Object.hasOwn(type.attributes, name);
  const dropped = Object.entries(open).filter(([name]) => !isKnown(name));
  return {
    content: withExactDecimals(types, type.attributes, { ...open, ...(isObject(hidden) ? follow(hidden) : {}) }),
    dropped: Object.fromEntries(dropped.map(([name, value]) => [name, shownValue(value)])),
  };
}
