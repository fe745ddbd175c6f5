/** The shape of entries in each response format. To add a format, add an object here. */
import type { ApiSettings, FormatName } from '#contract/api-settings.ts';
import { type JsonSchema, list, object, schemaRef, TEXT } from '#contract/routes/json-schema.ts';
import type { ContentType } from '../../model/content-model.ts';

type Properties = Readonly<Record<string, JsonSchema>>;

export interface Shape {
  readonly format: FormatName;
  /**
   * An entry of `type` with the attributes `properties`. `attributes` names their schema, for formats that nest them in an
   * object of their own.
   */
  entry(
    type: ContentType,
    properties: Properties,
    attributes: string,
  ): {
    readonly entry: JsonSchema;
    readonly attributes?: JsonSchema;
  };
  /** An entry populated in another one, with the properties that are described. */
  nested(type: ContentType, properties: Properties): JsonSchema;
  /** The value of a relation: one entry or null, or a list or its length. */
  related(target: JsonSchema, many: boolean): JsonSchema;
  /** An example of an entry. */
  sample(type: ContentType, attributes: JsonSchema): JsonSchema;
  /** Common schemas that differ from those of v4. */
  readonly schemas: Properties;
}

const ID: JsonSchema = { type: 'integer' };
const CHOSEN = 'The attributes selected by `fields` and `populate`.';

function entryOrEntries(target: JsonSchema, many: boolean): JsonSchema {
  return { anyOf: many ? [list(target), schemaRef('RelationCount')] : [target, { type: 'null' }] };
}

/** `{id, attributes, meta}`, with relations in `{data}`. `hasMeta`: whether entries of a type have `meta`. */
function nestedShape(hasMeta: (type: ContentType) => boolean): Shape {
  const meta = (type: ContentType) => hasMeta(type) && { meta: schemaRef('EntryMeta') };
  return {
    format: 'v4',
    entry: (type, properties, attributes) => ({
      entry: object({ id: ID, attributes: schemaRef(attributes), ...meta(type) }),
      attributes: { description: CHOSEN, ...object(properties, []) },
    }),
    nested: (type, properties) =>
      object({ id: ID, attributes: { ...object(properties, []), additionalProperties: true }, ...meta(type) }),
    related: (target, many) => object({ data: entryOrEntries(target, many) }),
    sample: (type, attributes) => ({ id: 1, attributes, ...(hasMeta(type) && { meta: { availableLocales: [] } }) }),
    schemas: {},
  };
}

const IDS = ['id', 'documentId'];

/** A reference to an entry in a request body. */
const LINK: Properties = { documentId: TEXT, id: { type: ['integer', 'string'] }, __type: TEXT, locale: TEXT };

/** `{id, documentId, …attributes}`, with relations directly in them. */
const FLAT: Shape = {
  format: 'v5',
  entry: (_, properties) => ({ entry: object({ id: ID, documentId: TEXT, ...properties }, IDS) }),
  nested: (_, properties) => ({
    ...object({ id: ID, documentId: TEXT, ...properties }, IDS),
    additionalProperties: true,
  }),
  related: entryOrEntries,
  sample: (_, attributes) => ({ id: 1, documentId: 'k2vq7m3xw9c5z1b8n4r6t0ys', ...attributes }),
  schemas: {
    EntryLink: {
      description: 'Identifies an entry by one of its ids; `__type` is required if the relation has several types.',
      ...object(LINK, []),
    },
    RelationConnect: object({ ...LINK, position: schemaRef('RelationPosition') }, []),
    RelationCount: {
      description: 'Replaces a list that was populated with `count`.',
      ...object({ count: { type: 'integer' } }),
    },
  },
};

/** The shape for a server's default format. */
export function shapeOf({ format, entryMeta }: Pick<ApiSettings, 'format' | 'entryMeta'>): Shape {
  if (format === 'v5') return FLAT;
  return nestedShape(entryMeta === 'localized' ? ({ localized }) => localized : () => true);
}
