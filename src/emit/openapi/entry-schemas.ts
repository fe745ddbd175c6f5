/** Schemas of responses: entries of content types, and items of components. */
import { type JsonSchema, list, object, schemaRef, TEXT, TIME } from '#contract/routes/json-schema.ts';
import { typeName } from '#contract/type-name.ts';
import type { Attribute, Component, ContentType } from '../../model/content-model.ts';
import { isVisible } from '../types/output-properties.ts';
import { isShort, nameOf, type Scope } from './names.ts';
import type { Shape } from './shapes.ts';
import { nullable, scalarOutputSchema } from './scalar-schemas.ts';
import { textsOf } from './texts.ts';

/** A schema with its name. */
export type NamedSchema = readonly [name: string, schema: JsonSchema];

type Populated = Exclude<Attribute, { kind: 'scalar' }>;

/** A union of schemas; a single schema is returned as it is. */
export function anyOf(schemas: readonly JsonSchema[]): JsonSchema {
  const [only] = schemas;
  return only && schemas.length === 1 ? only : { anyOf: schemas };
}

/** Items of one of several components, discriminated by `__component`. */
export function zoneItems(scope: Scope, uids: readonly string[], word: 'ZoneItem' | 'ZoneItemInput'): JsonSchema {
  const refs = uids.map((uid) => [uid, schemaRef(nameOf(scope, uid, word))] as const);
  return {
    oneOf: refs.map(([, ref]) => ref),
    discriminator: {
      propertyName: '__component',
      mapping: Object.fromEntries(refs.map(([uid, ref]) => [uid, ref['$ref']])),
    },
  };
}

function linked(scope: Scope, many: boolean, targets: readonly string[]): JsonSchema {
  const target = anyOf(targets.map((uid) => schemaRef(nameOf(scope, uid, isShort(scope, uid) ? 'Nested' : ''))));
  return scope.shape.related(target, many);
}

function populatedSchema(attribute: Populated, scope: Scope): JsonSchema {
  switch (attribute.kind) {
    case 'relation':
      return linked(scope, attribute.many, attribute.targets);
    case 'media':
      return linked(scope, attribute.multiple, ['file']);
    case 'component': {
      const item = schemaRef(nameOf(scope, attribute.component));
      return attribute.repeatable ? list(item) : nullable(item);
    }
    case 'dynamiczone':
      return list(zoneItems(scope, attribute.components, 'ZoneItem'));
  }
}

/** An attribute in a response. `drafts`: required attributes may be missing. */
function outputSchema(attribute: Attribute, scope: Scope, drafts: boolean): JsonSchema {
  const schema =
    attribute.kind === 'scalar'
      ? scalarOutputSchema(attribute, attribute.required && !drafts)
      : { ...populatedSchema(attribute, scope), ...textsOf(attribute) };
  return attribute.writable ? schema : { ...schema, readOnly: true };
}

/** The attributes in a response. None is required, since `fields` and `populate` select them. */
export function outputProperties(
  attributes: readonly Attribute[],
  scope: Scope,
  drafts: boolean,
): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    attributes.filter(isVisible).map((attribute) => [attribute.name, outputSchema(attribute, scope, drafts)]),
  );
}

/** Properties that the server adds to the attributes of an entry. */
function systemProperties({ draftAndPublish, localized, documentIds }: ContentType, { format }: Shape) {
  return {
    createdAt: TIME,
    updatedAt: TIME,
    ...(draftAndPublish && { publishedAt: nullable(TIME) }),
    ...(!draftAndPublish && documentIds && format === 'v5' && { publishedAt: TIME }),
    ...(localized && { locale: TEXT }),
  };
}

const NESTED_DESCRIPTION = 'Within another entry; what is populated in it is not described.';

/** The schemas of an entry. `isMorphTarget`: whether polymorphic relations refer to it. */
export function entrySchemas(type: ContentType, scope: Scope, isMorphTarget: boolean): readonly NamedSchema[] {
  const { uid, attributes, draftAndPublish } = type;
  const { shape } = scope;
  const texts = textsOf(type);
  const tag = isMorphTarget && {
    __type: {
      type: 'string',
      const: typeName(uid),
      description: 'Present if a relation to several types populates the entry.',
    },
  };
  const own = (chosen: readonly Attribute[]) => ({
    ...tag,
    ...outputProperties(chosen, scope, draftAndPublish),
    ...systemProperties(type, shape),
  });
  const inside = nameOf(scope, uid, 'Attributes');
  const localizations = type.localized && { localizations: linked(scope, true, [uid]) };
  const { entry, attributes: described } = shape.entry(type, { ...own(attributes), ...localizations }, inside);
  const scalars = attributes.filter(({ kind }) => kind === 'scalar');
  return [
    [nameOf(scope, uid), { ...texts, ...entry }],
    ...(described ? [[inside, described] as const] : []),
    [nameOf(scope, uid, 'Nested'), { ...texts, description: NESTED_DESCRIPTION, ...shape.nested(type, own(scalars)) }],
  ];
}

/** The schemas of an item, also within a dynamic zone. `drafts`: whether drafts can contain it. */
export function itemSchemas(component: Component, scope: Scope, drafts: boolean): readonly NamedSchema[] {
  const { uid, attributes } = component;
  const texts = textsOf(component);
  const properties = { id: { type: 'integer' }, ...outputProperties(attributes, scope, drafts) };
  const tag = { type: 'string', const: uid };
  return [
    [nameOf(scope, uid), { ...texts, ...object(properties, ['id']) }],
    [
      nameOf(scope, uid, 'ZoneItem'),
      { ...texts, ...object({ __component: tag, ...properties }, ['__component', 'id']) },
    ],
  ];
}
