import { labelOf } from '../model/model.ts';
import type { FieldProps } from './field-props.ts';

/** The name of a field, with a mark where a value is required. */
export function fieldLabel({ name, attribute }: Pick<FieldProps, 'name' | 'attribute'>): string {
  return attribute.required === true ? `${labelOf(name)} *` : labelOf(name);
}
