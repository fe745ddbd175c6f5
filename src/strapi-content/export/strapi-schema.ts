/** Converts the schemas of this project to the format of a Strapi export. */
import { COLUMN_NAMES } from '#contract/column-names.ts';
import type { Attribute, Component, ContentType, ContentTypes, RelationAttribute } from '#contract/content-type.ts';
import { CREATOR_FIELDS } from '#contract/creator-fields.ts';
import type { JsonValue } from '#contract/values/json.ts';
import { strapiConditions } from '#contract/strapi-conditions.ts';
import { BUILT_IN, LOCALE, PERMISSION } from '../../strapi/own-names.ts';

export type Major = 4 | 5;

const UIDS: ReadonlyMap<string, string> = new Map([...BUILT_IN].map(([uid, name]) => [name, uid]));

/** The uid of a type in Strapi. */
export function strapiUid(uid: string): string {
  return UIDS.get(uid) ?? `api::${uid}.${uid}`;
}

/** Attributes of users that Strapi does not have. */
const OWN: ReadonlySet<string> = new Set([
  'resetPasswordExpiresAt',
  'confirmationExpiresAt',
  'tokenGeneration',
  'keptSession',
]);

/** Whether an attribute also exists in Strapi's exports, which leave out by whom entries were written. */
export function isExported({ uid }: Pick<ContentType, 'uid'>, name: string): boolean {
  return !CREATOR_FIELDS.has(name) && (uid !== 'user' || !OWN.has(name));
}

const TO_STRAPI: Readonly<Record<string, string>> = { oneWay: 'oneToOne', manyWay: 'oneToMany' };

/** The name of a kind of relation in Strapi. */
export function strapiRelation({ relation }: RelationAttribute): string {
  return TO_STRAPI[relation] ?? relation;
}

/** Kinds of storage in which the other side holds the data. */
const OTHER_SIDE: ReadonlySet<string> = new Set(['inverseForeignKey', 'inverseMorph']);
/** Relations that refer to the owning side with `morphBy`. */
const MORPH_INVERSE: ReadonlySet<string> = new Set(['morphOne', 'morphMany']);

/** Whether this side owns the relation, and so has its links in an export. */
export function isOwner({ storage, inverse, relation }: RelationAttribute): boolean {
  if (relation === 'oneToMany' && inverse !== undefined) return false;
  if (OTHER_SIDE.has(storage.kind)) return false;
  return inverse === undefined || storage.kind !== 'link' || storage.own === COLUMN_NAMES.owner;
}

type Members = Readonly<Record<string, JsonValue>>;

function relationOf(attribute: RelationAttribute): Members {
  const { target, inverse } = attribute;
  const otherSide = MORPH_INVERSE.has(attribute.relation) ? 'morphBy' : 'mappedBy';
  const side = isOwner(attribute) ? 'inversedBy' : otherSide;
  return {
    type: 'relation',
    relation: strapiRelation(attribute),
    ...(target === undefined ? {} : { target: strapiUid(target) }),
    ...(inverse === undefined ? {} : { [side]: inverse }),
  };
}

/** Keys of attributes that Strapi's schemas do not have. */
const OMITTED_KEYS: ReadonlySet<string> = new Set([
  'column',
  'storage',
  'many',
  'shared',
  'writable',
  'type',
  'relation',
  'target',
  'inverse',
  'visible',
]);

function attributeOf(attribute: Attribute, isLocalized: boolean): Members {
  const rules = Object.fromEntries(Object.entries(attribute).filter(([key]) => !OMITTED_KEYS.has(key))) as Members;
  const own =
    attribute.type === 'relation'
      ? relationOf(attribute)
      : attribute.type === 'media'
        ? { type: 'media', multiple: attribute.many }
        : { type: attribute.type };
  const localized = isLocalized && attribute.shared !== true && attribute.type !== 'relation';
  return {
    ...own,
    ...rules,
    ...strapiConditions(attribute),
    ...(localized ? { pluginOptions: { i18n: { localized: true } } } : {}),
  };
}

const TIME: Members = { type: 'datetime' };

function attributesOf(type: ContentType | Component, isLocalized: boolean): Members {
  const own = Object.entries(type.attributes).filter(([name]) => isExported(type, name));
  return Object.fromEntries(own.map(([name, attribute]) => [name, attributeOf(attribute, isLocalized)]));
}

function typeSchema(type: ContentType, major: Major): Members {
  const uid = strapiUid(type.uid);
  const plugin = /^plugin::(?<name>[^.]+)/u.exec(uid)?.groups?.['name'];
  const localized: Members = {
    localizations: { type: 'relation', relation: 'oneToMany', target: uid },
    locale: { type: 'string' },
  };
  return {
    uid,
    modelType: 'contentType',
    kind: type.kind,
    collectionName: type.table,
    info: {
      singularName: type.singularName,
      pluralName: type.pluralName,
      displayName: type.displayName ?? type.singularName,
    },
    options: { draftAndPublish: type.draftAndPublish },
    pluginOptions: type.localized ? { i18n: { localized: true } } : {},
    modelName: uid.slice(uid.lastIndexOf('.') + 1),
    ...(plugin === undefined ? {} : { plugin }),
    attributes: {
      ...attributesOf(type, type.localized),
      createdAt: TIME,
      updatedAt: TIME,
      ...(type.draftAndPublish || major === 5 ? { publishedAt: TIME } : {}),
      ...(type.localized || major === 5 ? localized : {}),
      ...(major === 5 ? { documentId: { type: 'string' } } : {}),
    },
  };
}

function builtIn(uid: string, singularName: string, attributes: Members): Members {
  const info = { singularName, pluralName: `${singularName}s`, displayName: singularName };
  return {
    uid,
    modelType: 'contentType',
    kind: 'collectionType',
    info,
    options: {},
    pluginOptions: {},
    attributes: { ...attributes, createdAt: TIME, updatedAt: TIME },
  };
}

/** The schemas of an archive: built-in types, content types, components. */
export function strapiSchemas({ types, components }: ContentTypes, major: Major): readonly Members[] {
  const role: Members = {
    type: 'relation',
    relation: 'manyToOne',
    target: strapiUid('user-role'),
    inversedBy: 'permissions',
  };
  return [
    builtIn(PERMISSION, 'permission', { action: { type: 'string' }, role }),
    builtIn(LOCALE, 'locale', { name: { type: 'string' }, code: { type: 'string' } }),
    ...Object.values(types).map((type) => typeSchema(type, major)),
    ...Object.values(components).map((component): Members => {
      const [category = '', name = ''] = component.uid.split('.');
      return {
        uid: component.uid,
        modelType: 'component',
        collectionName: `components_${category}_${name}`,
        info: { displayName: component.displayName ?? name },
        options: {},
        pluginOptions: {},
        modelName: name,
        attributes: attributesOf(component, false),
      };
    }),
  ];
}
