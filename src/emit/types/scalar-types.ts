/** The TypeScript types of scalar attributes, as they are answered and as they may be sent. */
import { attributeType } from '#contract/attribute-types/scalar-type.ts';
import type { ScalarAttribute } from '../../model/content-model.ts';
import { tsString } from '../escape.ts';

/** In an answer: without `null`. */
export function scalarOutput({ type, enum: values }: ScalarAttribute): string {
  return values.length > 0 ? values.map(tsString).join(' | ') : attributeType(type).typescript.output;
}

/** In a request: without `null`. */
export function scalarInput(attribute: ScalarAttribute): string {
  return attributeType(attribute.type).typescript.input ?? scalarOutput(attribute);
}
