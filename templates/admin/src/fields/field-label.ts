import { labelOf } from '../model/model.ts';
import type { FieldProps } from './field-props.ts';

/** The label of a field, with an asterisk if it is required. */
export function fieldLabel({ name, attribute }: Pick<FieldProps, 'name' | 'attribute'>): string {
  const label = labelOf(name, attribute);
  return attribute.required === true ? `${label} *` : label;
}
