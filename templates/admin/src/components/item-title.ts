import { useWatch } from 'react-hook-form';
import { attributeType } from '../../../runtime/src/contract/attribute-types/scalar-type.ts';
import { type Attribute, type Component, isScalar } from '../model/model.ts';
import type { ItemValues } from '../rest/form-values.ts';

/** Whether values are words, unlike those of a `uid` or `email`, which have a format. */
function isWords(attribute: Attribute): boolean {
  if (!isScalar(attribute)) return false;
  const { operators, formatProblem } = attributeType(attribute.type);
  return operators === 'text' && formatProblem === undefined;
}

/** The attribute that identifies an item to users: the first one of words. */
function titleField({ attributes }: Component): string | undefined {
  return Object.entries(attributes).find(([, attribute]) => isWords(attribute))?.[0];
}

const MAX_CHARACTERS = 80;

/** The component and the title of an item: `Link three`. */
export function titleOfItem(item: ItemValues, component: Component): string {
  const value = item[titleField(component) ?? 'id'];
  return [component.displayName, typeof value === 'string' ? value.slice(0, MAX_CHARACTERS) : ''].join(' ').trim();
}

/** The title of an item, updated as the user types; empty without a text attribute. */
export function useItemTitle(source: string, component: Component): string {
  const field = titleField(component);
  const value: unknown = useWatch({ name: `${source}.${field ?? 'id'}` });
  return field !== undefined && typeof value === 'string' ? value.slice(0, MAX_CHARACTERS) : '';
}
