/** Queries for lists: only what their columns show. */
import { attributeType } from '../../../runtime/src/contract/attribute-types/scalar-type.ts';
import { type Attribute, type ContentType, isPolymorphic, isScalar } from '../model/model.ts';
import type { ModelIndex } from '../model/model-context.tsx';
import { MEDIA_FIELDS } from './entry-query.ts';
import type { QueryObject, QueryValue } from './query-string.ts';
import { refFields } from './rest-entry.ts';

function populateColumn(attribute: Attribute, index: ModelIndex): QueryValue {
  if (attribute.type === 'media') return { fields: MEDIA_FIELDS };
  if (attribute.type !== 'relation' || isPolymorphic(attribute)) return undefined;
  const target = index.type(attribute.target);
  if (!target) return undefined;
  return attribute.multiple ? { count: true } : { fields: refFields(target) };
}

/** Whether lists can show an attribute: not write-only values, components or long texts. */
export function canBeColumn(attribute: Attribute): boolean {
  if (attribute.private === true) return false;
  if (!isScalar(attribute)) return attribute.type === 'relation' || attribute.type === 'media';
  const { isSecret, columnType, input } = attributeType(attribute.type);
  return isSecret !== true && columnType !== 'json' && input !== 'markdown';
}

/** By what a list is sorted where a column says it; for relations, the title of the related entry. Undefined: not sortable. */
export function sortKeyOf({ attributes }: ContentType, name: string, index: ModelIndex): string | undefined {
  const attribute = attributes[name];
  if (attribute?.type === 'media') return undefined;
  if (attribute?.type !== 'relation') return name;
  const target = index.type(attribute.target);
  return attribute.multiple || !target ? undefined : `${name}.${target.mainField}`;
}

export function listQuery(type: ContentType, columns: readonly string[], index: ModelIndex): QueryObject {
  const fields = new Set(refFields(type));
  const populate: Record<string, QueryValue> = {};
  for (const name of columns) {
    const attribute = type.attributes[name];
    const populated = attribute && populateColumn(attribute, index);
    if (populated !== undefined) populate[name] = populated;
    else if (!attribute || (attribute.type !== 'relation' && canBeColumn(attribute))) fields.add(name);
  }
  return { fields: [...fields], ...(Object.keys(populate).length > 0 && { populate }) };
}
