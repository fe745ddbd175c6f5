/** Validators, as generated code uses them: `v.entry()`, `v.string({ required: true })`, … */
import { attributes } from './attributes.ts';
import { component, dynamicZone } from './component-fields.ts';
import { entry } from './entry.ts';
import { notWritable } from './field.ts';
import { media, otherSide, relation } from './relation-fields.ts';
import { scalarFields, type ScalarFields } from './scalar-fields.ts';

export type { Checked, EntryValidators, Variant } from './entry.ts';

/** By type of attribute; and `entry` and `attributes`, which put those of a content type and of a component together. */
interface Validators extends ScalarFields {
  readonly attributes: typeof attributes;
  readonly component: typeof component;
  readonly dynamicZone: typeof dynamicZone;
  readonly entry: typeof entry;
  readonly media: typeof media;
  readonly notWritable: typeof notWritable;
  readonly otherSide: typeof otherSide;
  readonly relation: typeof relation;
}

export const v: Validators = {
  ...scalarFields,
  attributes,
  component,
  dynamicZone,
  entry,
  media,
  notWritable,
  otherSide,
  relation,
};
