/** The TypeScript types of scalar attributes in responses and requests. */
import { attributeType } from '#contract/attribute-types/scalar-type.ts';
import type { ScalarAttribute } from '../../model/content-model.ts';
import { tsString } from '../escape.ts';

/** The type in responses, without `null`. */
export function scalarOutput({ type, enum: values }: ScalarAttribute): string {
  return values.length > 0 ? values.map(tsString).join(' | ') : attributeType(type).typescript.output;
}

/** The type in requests, without `null`. */
export function scalarInput(attribute: ScalarAttribute): string {
  return attributeType(attribute.type).typescript.input ?? scalarOutput(attribute);
}
