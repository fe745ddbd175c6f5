/** What requests and answers of a content type hold, around the schemas of its entries. */
import { type JsonSchema, object, schemaRef } from './json-schema.ts';

/** JSON Schemas of the bodies of one content type. */
export interface EntrySchemas {
  /** An entry in its envelope. */
  readonly one: JsonSchema;
  /** A page of a list. */
  readonly page: JsonSchema;
  readonly inData: { readonly create: JsonSchema; readonly update: JsonSchema };
  /** The other form of a body, of types with media: files come with the entry that gets them. */
  form(action: 'create' | 'update', media: readonly string[]): JsonSchema;
  /** What a new locale of an entry is made of, without an envelope. */
  readonly localization: JsonSchema;
  readonly localized: JsonSchema;
}

function envelope(data: JsonSchema, meta: JsonSchema): JsonSchema {
  return { type: 'object', properties: { data, meta }, required: ['data', 'meta'] };
}

function formOf(data: JsonSchema, media: readonly string[]): JsonSchema {
  const file = { type: 'string', contentMediaType: 'application/octet-stream' };
  const files = media.map((name) => [`files.${name}`, { type: 'array', items: file }] as const);
  const text = { type: 'string', contentMediaType: 'application/json', contentSchema: data };
  return object({ data: text, ...Object.fromEntries(files) }, ['data']);
}

/** `names` are those of the type's schemas in openapi.json. */
export function entrySchemas(names: {
  readonly output: string;
  readonly create: string;
  readonly update: string;
}): EntrySchemas {
  const entry = schemaRef(names.output);
  const input = { create: schemaRef(names.create), update: schemaRef(names.update) };
  const attributes = { $ref: `#/components/schemas/${names.output}/properties/attributes` };
  const meta = { type: 'object', properties: { pagination: schemaRef('Pagination') } };
  return {
    one: envelope(entry, { type: 'object' }),
    page: envelope({ type: 'array', items: entry }, meta),
    inData: { create: object({ data: input.create }), update: object({ data: input.update }) },
    form: (action, media) => formOf(input[action], media),
    localization: { allOf: [input.update, object({ locale: { type: 'string' } })] },
    localized: { allOf: [object({ id: { type: 'integer' } }), attributes] },
  };
}
