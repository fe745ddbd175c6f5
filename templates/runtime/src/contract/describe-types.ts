/** Describes content types and components like Strapi's content-type builder, leaving out what the caller may not see. */
import {
  type Attribute,
  type Component,
  type ContentType,
  type ContentTypes,
  isMorphInverse,
  isPolymorphic,
} from './content-type.ts';
import { attributeType } from './attribute-types/scalar-type.ts';
import { strapiConditions } from './strapi-conditions.ts';
import { kindsOf } from './item-attributes.ts';
import { typeName } from './type-name.ts';

type Description = Readonly<Record<string, unknown>>;

/** Whether the caller may find entries of the type `uid`. */
export type MayFind = (uid: string) => boolean;

function describeOwn(attribute: Attribute, mayFind: MayFind): Description | undefined {
  const { required, private: isPrivate } = attribute;
  if (isPrivate) return undefined;
  switch (attribute.type) {
    case 'relation': {
      const { type, relation, target, inverse } = attribute;
      if (isPolymorphic(relation)) return { type, relation };
      if (target === undefined || !mayFind(target)) return undefined;
      if (isMorphInverse(relation)) return { type, relation, target: typeName(target), morphBy: inverse };
      return { type, relation, target: typeName(target), targetAttribute: inverse ?? null, required };
    }
    case 'media': {
      const { type, many, allowedTypes } = attribute;
      return { type, multiple: many, allowedTypes, required };
    }
    case 'component': {
      const { type, component, repeatable, min, max } = attribute;
      return { type, component, repeatable, required, min, max };
    }
    case 'dynamiczone': {
      const { type, components, min, max } = attribute;
      return { type, components, required, min, max };
    }
    default: {
      const { column: _, shared: __, writable: ___, visible: ____, ...rules } = attribute;
      return attributeType(attribute.type).isSecret ? undefined : rules;
    }
  }
}

function describeAttribute(attribute: Attribute, mayFind: MayFind): Description | undefined {
  const own = describeOwn(attribute, mayFind);
  return own && { ...own, ...strapiConditions(attribute) };
}

function describeAttributes({ attributes }: ContentType | Component, mayFind: MayFind): Description {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, attribute]) => {
      const described = describeAttribute(attribute, mayFind);
      return described === undefined ? [] : [[name, described] as const];
    }),
  );
}

/** Built-in types → the plugin they belong to. */
const PLUGINS: ReadonlyMap<string, string> = new Map([
  ['file', 'upload'],
  ['user', 'users-permissions'],
]);

/** Internal tables of the server, never exposed as entries. */
const HIDDEN: ReadonlySet<string> = new Set(['user-role']);

function describeType(type: ContentType, mayFind: MayFind): Description {
  const { uid, kind, displayName = uid, description = '', singularName, pluralName, draftAndPublish, localized } = type;
  return {
    uid: typeName(uid),
    plugin: PLUGINS.get(uid),
    apiID: uid,
    schema: {
      kind,
      collectionName: type.table,
      singularName,
      pluralName,
      displayName,
      description,
      draftAndPublish,
      pluginOptions: localized ? { i18n: { localized } } : {},
      visible: true,
      attributes: describeAttributes(type, mayFind),
    },
  };
}

function typesSeen({ types }: ContentTypes, mayFind: MayFind): readonly ContentType[] {
  return Object.values(types).filter(({ uid }) => !HIDDEN.has(uid) && mayFind(uid));
}

/** Describes the types whose entries the caller may find. */
export function describeTypes(types: ContentTypes, mayFind: MayFind): readonly Description[] {
  return typesSeen(types, mayFind).map((type) => describeType(type, mayFind));
}

/** The uids of the components used in these attribute lists, including nested ones. */
function componentsIn(types: ContentTypes, parts: readonly (ContentType | Component)[]): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...parts];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    for (const [, attribute] of kindsOf(part.attributes).items) {
      if (attribute.private) continue;
      for (const uid of attribute.type === 'component' ? [attribute.component] : attribute.components) {
        const component = types.components[uid];
        if (found.has(uid) || !component) continue;
        found.add(uid);
        open.push(component);
      }
    }
  }
  return found;
}

function describeComponent(component: Component, mayFind: MayFind): Description {
  const { uid, displayName = uid, description = '' } = component;
  const [category, apiId] = uid.split('.');
  const collectionName = `components_${uid.replaceAll(/[.-]/gu, '_')}`;
  const attributes = describeAttributes(component, mayFind);
  return { uid, category, apiId, schema: { collectionName, displayName, description, attributes } };
}

/** Describes the components used by the types whose entries the caller may find. */
export function describeComponents(types: ContentTypes, mayFind: MayFind): readonly Description[] {
  const used = componentsIn(types, typesSeen(types, mayFind));
  return Object.values(types.components)
    .filter(({ uid }) => used.has(uid))
    .map((component) => describeComponent(component, mayFind));
}
