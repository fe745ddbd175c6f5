/** What the descriptions of all types share. */
import { attributeType } from '../attribute-types/scalar-type.ts';
import type { ColumnType } from '../attribute-types/column-type.ts';
import type { Attribute, Component, ContentType, ContentTypes, ScalarAttribute } from '../content-type.ts';
import { SUBJECTS } from '../policy/permission-name.ts';
import { USER_ATTRIBUTES } from '../user-attributes.ts';
import type { GraphqlSettings } from './settings.ts';

export interface GraphqlScope {
  readonly types: ContentTypes;
  readonly format: 'v4' | 'v5';
  readonly settings: GraphqlSettings;
  /** Components that drafts may have: their required attributes can be missing. */
  readonly loose: ReadonlySet<string>;
}

/** Attributes of users that are part of requests; the server keeps accounts with the others. */
const OPEN_USER_ATTRIBUTES: ReadonlySet<string> = new Set([
  'username',
  'email',
  'provider',
  'password',
  'confirmed',
  'blocked',
  'role',
]);

function componentsOf({ attributes }: Pick<ContentType, 'attributes'>): readonly string[] {
  return Object.values(attributes).flatMap((attribute) => {
    if (attribute.type === 'component') return [attribute.component];
    return attribute.type === 'dynamiczone' ? attribute.components : [];
  });
}

function looseComponents({ types, components }: ContentTypes): ReadonlySet<string> {
  const loose = new Set(Object.values(types).flatMap((type) => (type.draftAndPublish ? componentsOf(type) : [])));
  // Iterating over a Set also visits what is added meanwhile.
  for (const uid of loose) {
    const component = components[uid];
    for (const inner of component ? componentsOf(component) : []) loose.add(inner);
  }
  return loose;
}

export function graphqlScope(types: ContentTypes, format: 'v4' | 'v5', settings: GraphqlSettings): GraphqlScope {
  return { types, format, settings, loose: looseComponents(types) };
}

/** The types of the schema, without built-in ones. */
export function ownTypes({ types }: GraphqlScope): readonly ContentType[] {
  return Object.values(types.types).filter(({ uid }) => !SUBJECTS.has(uid));
}

/** The attributes that requests and answers may have. */
export function attributesIn(owner: ContentType | Component): readonly (readonly [string, Attribute])[] {
  const all = Object.entries(owner.attributes);
  if (owner.uid !== 'user') return all;
  return all.filter(([name]) => !USER_ATTRIBUTES.has(name) || OPEN_USER_ATTRIBUTES.has(name));
}

/** Whether answers may have it. */
export function isShown(attribute: Attribute): boolean {
  if (attribute.private) return false;
  const isScalar = 'column' in attribute && attribute.type !== 'component' && attribute.type !== 'dynamiczone';
  return !isScalar || attributeType(attribute.type).isSecret !== true;
}

const SCALARS: Readonly<Record<ColumnType, string>> = {
  text: 'String',
  integer: 'Int',
  biginteger: 'Long',
  float: 'Float',
  decimal: 'Float',
  boolean: 'Boolean',
  date: 'Date',
  time: 'Time',
  datetime: 'DateTime',
  json: 'JSON',
};

/** The scalar of an attribute's values. Enumerations have types of their own in answers and bodies, and are filtered as text. */
export function scalarOf({ type }: Pick<ScalarAttribute, 'type'>): string {
  return SCALARS[attributeType(type).columnType];
}

/** Scalars with a type of conditions each. */
export const FILTERED_SCALARS: readonly string[] = ['ID', ...new Set(Object.values(SCALARS))];
