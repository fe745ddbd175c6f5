/** The schemas of content types and components: as they are answered, created and updated. */
import { type JsonSchema, schemaRef, TIME } from '#contract/routes/json-schema.ts';
import type { Attribute, Component, ContentType } from '../../model/content-model.ts';
import { presenceOf } from '../types/presence.ts';
import { isVisible } from '../types/output-properties.ts';
import { nullable, scalarInputSchema, scalarOutputSchema } from './scalar-schema.ts';
import { type NamesByUid, namesOf } from './schema-names.ts';

function oneOf(schemas: readonly JsonSchema[]): JsonSchema {
  const [only] = schemas;
  return only && schemas.length === 1 ? only : { anyOf: schemas };
}

function zoneItem(names: NamesByUid, uid: string, form: 'output' | 'create'): JsonSchema {
  const tag = {
    type: 'object',
    properties: { __component: { type: 'string', const: uid } },
    required: ['__component'],
  };
  return { allOf: [schemaRef(namesOf(names, uid)[form]), tag] };
}

function list(
  items: JsonSchema,
  { min, max }: { min?: number | undefined; max?: number | undefined } = {},
): JsonSchema {
  return { type: 'array', items, minItems: min, maxItems: max };
}

/** A populated attribute. */
function populatedSchema(attribute: Exclude<Attribute, { kind: 'scalar' }>, names: NamesByUid): JsonSchema {
  const entry = (uid: string) => schemaRef(namesOf(names, uid).output);
  const linked = (many: boolean, targets: readonly string[]): JsonSchema => {
    const target = oneOf(targets.map(entry));
    const data = many ? list(target) : { anyOf: [target, { type: 'null' }] };
    return { type: 'object', properties: { data }, required: ['data'] };
  };
  switch (attribute.kind) {
    case 'relation':
      return linked(attribute.many, attribute.targets);
    case 'media':
      return linked(attribute.multiple, ['file']);
    case 'component':
      return attribute.repeatable ? list(entry(attribute.component)) : nullable(entry(attribute.component));
    case 'dynamiczone':
      return list(oneOf(attribute.components.map((uid) => zoneItem(names, uid, 'output'))));
  }
}

function inputSchema(attribute: Attribute, names: NamesByUid, mayBeNull: boolean): JsonSchema {
  const item = (uid: string) => schemaRef(namesOf(names, uid).create);
  const maybe = (schema: JsonSchema) => (mayBeNull ? nullable(schema) : schema);
  switch (attribute.kind) {
    case 'scalar':
      return scalarInputSchema(attribute, mayBeNull);
    case 'relation':
    case 'media':
      return { ...schemaRef('RelationInput'), description: attribute.description };
    case 'component':
      return maybe(attribute.repeatable ? list(item(attribute.component), attribute) : item(attribute.component));
    case 'dynamiczone':
      return maybe(list(oneOf(attribute.components.map((uid) => zoneItem(names, uid, 'create'))), attribute));
  }
}

/** Marks what no request may set. */
function readOnly({ writable }: Attribute): JsonSchema {
  return writable ? {} : { readOnly: true };
}

/** The attributes of an answer; the scalar ones are always there. */
function outputAttributes(attributes: readonly Attribute[], names: NamesByUid, drafts: boolean) {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const attribute of attributes.filter(isVisible)) {
    if (attribute.kind !== 'scalar') {
      properties[attribute.name] = {
        ...populatedSchema(attribute, names),
        description: attribute.description,
        ...readOnly(attribute),
      };
      continue;
    }
    properties[attribute.name] = {
      ...scalarOutputSchema(attribute, attribute.required && !drafts),
      ...readOnly(attribute),
    };
    required.push(attribute.name);
  }
  return { properties, required };
}

/** `partial`: of an update, or of a draft. */
function inputAttributes(
  attributes: readonly Attribute[],
  names: NamesByUid,
  { partial, drafts }: { readonly partial: boolean; readonly drafts: boolean },
) {
  const writable = attributes.filter((attribute) => attribute.writable);
  const entries = writable.map((attribute) => {
    return [attribute.name, inputSchema(attribute, names, drafts || presenceOf(attribute).nullable)] as const;
  });
  const required =
    partial || drafts ? [] : writable.filter((one) => presenceOf(one).mustBeSent).map(({ name }) => name);
  return { properties: Object.fromEntries(entries), required: required.length > 0 ? required : undefined };
}

function entrySchema(type: ContentType, names: NamesByUid): JsonSchema {
  const own = outputAttributes(type.attributes, names, type.draftAndPublish);
  const system: Record<string, JsonSchema> = {
    createdAt: TIME,
    updatedAt: TIME,
    ...(type.draftAndPublish ? { publishedAt: nullable(TIME) } : {}),
    ...(type.localized ? { locale: { type: 'string' } } : {}),
  };
  const attributes = {
    type: 'object',
    properties: { ...own.properties, ...system },
    required: [...own.required, ...Object.keys(system)],
  };
  return {
    type: 'object',
    title: type.displayName,
    description: type.description,
    properties: { id: { type: 'integer' }, attributes, meta: schemaRef('Locales') },
    required: ['id', 'attributes', 'meta'],
  };
}

function requestSchema(type: ContentType, names: NamesByUid, request: 'create' | 'update'): JsonSchema {
  const partial = request === 'update';
  const { properties, required } = inputAttributes(type.attributes, names, { partial, drafts: type.draftAndPublish });
  const system: Record<string, JsonSchema> = {
    ...(type.draftAndPublish ? { publishedAt: nullable({ type: ['string', 'integer'], format: 'date-time' }) } : {}),
    ...(type.localized && !partial ? { locale: { type: 'string' } } : {}),
  };
  return { type: 'object', properties: { ...properties, ...system }, required };
}

/** The schemas of a content type, by name. Built-in types are only answered. */
export function typeSchemas(type: ContentType, names: NamesByUid): [string, JsonSchema][] {
  const { output, create, update } = namesOf(names, type.uid);
  const answer: [string, JsonSchema] = [output, entrySchema(type, names)];
  if (type.builtIn) return [answer];
  return [answer, [create, requestSchema(type, names, 'create')], [update, requestSchema(type, names, 'update')]];
}

/** The schemas of a component, by name. `drafts`: whether drafts can contain it. */
export function componentSchemas(component: Component, names: NamesByUid, drafts: boolean): [string, JsonSchema][] {
  const { output, create } = namesOf(names, component.uid);
  const answer = outputAttributes(component.attributes, names, drafts);
  // An item that is there already is updated: nothing of it must be sent.
  const request = inputAttributes(component.attributes, names, { partial: true, drafts: false });
  const texts = { title: component.displayName, description: component.description };
  return [
    [
      output,
      {
        type: 'object',
        ...texts,
        properties: { id: { type: 'integer' }, ...answer.properties },
        required: ['id', ...answer.required],
      },
    ],
    [create, { type: 'object', properties: { id: { type: ['integer', 'string'] }, ...request.properties } }],
  ];
}
