/** Converts the components of an entity. */
import { isList, type ItemAttribute, kindsOf } from '#contract/item-attributes.ts';
import type { JsonValue } from '#contract/values/json.ts';
import { member, type Members, type StrapiSchema } from '../../strapi/records.ts';
import { itemId, type ItemOwner, knownItem } from './component-items.ts';
import { convertValue, violatedRule } from './convert-value.ts';
import type { FindingKind } from '../findings.ts';
import { attributeOf, isSameKind, type SourceTypes } from './source-types.ts';

/** Adds a finding about the value at `path`. */
export type Note = (kind: FindingKind, what: string, path: readonly string[], message: string) => void;

/** The state of converting the components of one entity. */
export interface ItemsContext {
  readonly source: SourceTypes;
  readonly isDraft: boolean;
  readonly note: Note;
  /** The largest item id so far. */
  lastItem: number;
}

type Stored = Record<string, JsonValue>;

const BROKEN = 'values that a request would be rejected for';

function convertScalars(
  context: ItemsContext,
  owner: ItemOwner,
  schema: StrapiSchema,
  data: Members,
  path: readonly string[],
  stored: Stored,
): void {
  for (const [name, attribute] of kindsOf(owner.attributes).scalars) {
    const value = member(data, name) ?? null;
    const at = [...path, name];
    if (value === null) {
      if (attribute.required === true && !context.isDraft) context.note('invalid', BROKEN, at, 'is required');
      continue;
    }
    if (!isSameKind(attribute, schema, name)) continue;
    const converted = convertValue(attribute, schema.attributes[name], value);
    if ('problem' in converted) {
      context.note('left', "values inside components that can't be stored", at, converted.problem);
      continue;
    }
    const broken = violatedRule(attribute, converted.value, context.isDraft);
    if (broken !== undefined) context.note('invalid', BROKEN, at, broken);
    stored[attribute.column] = converted.value;
  }
}

function convertItem(
  context: ItemsContext,
  attribute: ItemAttribute,
  value: unknown,
  path: readonly string[],
): Stored | undefined {
  const found = knownItem(context.source, attribute, value);
  if (!found) {
    context.note(
      'left',
      'components that this project does not allow here',
      path,
      JSON.stringify(member(value, '__component') ?? attribute.type),
    );
    return undefined;
  }
  const { component, item } = found;
  const id = itemId(context.source, component, found.id);
  context.lastItem = Math.max(context.lastItem, id);
  const stored: Stored = { id };
  if (attribute.type === 'dynamiczone') stored['__component'] = component.component.uid;
  convertScalars(context, component.component, component.schema, item, path, stored);
  for (const [name, inner] of kindsOf(component.component.attributes).items) {
    if (!attributeOf(component.component, name) || !isSameKind(inner, component.schema, name)) continue;
    const items = convertItems(context, inner, member(item, name), [...path, name]);
    if (items !== null) stored[inner.column] = items;
  }
  return stored;
}

/** The value of a component attribute or dynamic zone; null if there is none. */
export function convertItems(
  context: ItemsContext,
  attribute: ItemAttribute,
  value: unknown,
  path: readonly string[],
): JsonValue {
  if (!isList(attribute)) {
    return (value ?? null) === null ? null : (convertItem(context, attribute, value, path) ?? null);
  }
  if (!Array.isArray(value)) return null;
  const items = value.flatMap(
    (one: unknown, index) => convertItem(context, attribute, one, [...path, String(index)]) ?? [],
  );
  const { min = 0, max = Infinity } = attribute;
  const isWrong = items.length > max || (items.length < min && items.length > 0 && !context.isDraft);
  if (isWrong) context.note('invalid', BROKEN, path, `has ${items.length} components`);
  return items;
}
