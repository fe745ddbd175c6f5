/** Schemas of response bodies: entries in their envelopes. */
import { list, object, schemaRef } from '#contract/routes/json-schema.ts';
import type { ContentType } from '../../model/content-model.ts';
import { type NamedSchema, outputProperties } from './entry-schemas.ts';
import { nameOf, type Scope } from './names.ts';

/** `POST …/localizations` responds with an entry without an envelope; its other locales are among its attributes. */
function localizationResponse({ attributes }: ContentType, scope: Scope) {
  const others = list({
    type: 'object',
    properties: { id: { type: 'integer' } },
    required: ['id'],
    additionalProperties: true,
  });
  const scalars = attributes.filter(({ kind }) => kind === 'scalar');
  return {
    ...object({ id: { type: 'integer' }, ...outputProperties(scalars, scope, true), localizations: others }, ['id']),
    additionalProperties: true,
  };
}

export function responseSchemas(type: ContentType, scope: Scope): readonly NamedSchema[] {
  const name = nameOf(scope, type.uid);
  const entry = schemaRef(name);
  return [
    [`${name}Response`, object({ data: entry, meta: schemaRef('ResponseMeta') })],
    [`${name}ListResponse`, object({ data: list(entry), meta: schemaRef('ListMeta') })],
    [`${name}LocalizationResponse`, localizationResponse(type, scope)],
  ];
}
