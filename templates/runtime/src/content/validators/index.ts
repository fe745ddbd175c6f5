/** The validators that generated code uses: `v.entry()`, `v.string({ required: true })`, … */
import { attributes } from './attributes.ts';
import { component, dynamicZone } from './component-fields.ts';
import { entry } from './entry.ts';
import { notWritable, visible } from './field.ts';
import { media, otherSide, relation } from './relation-fields.ts';
import { scalarFields, type ScalarFields } from './scalar-fields.ts';

export type { Checked, EntryValidators, Variant } from './entry.ts';

/** Validators by attribute type, and `entry` and `attributes`, which combine those of a content type or component. */
interface Validators extends ScalarFields {
  readonly attributes: typeof attributes;
  readonly component: typeof component;
  readonly dynamicZone: typeof dynamicZone;
  readonly entry: typeof entry;
  readonly media: typeof media;
  readonly notWritable: typeof notWritable;
  readonly otherSide: typeof otherSide;
  readonly relation: typeof relation;
  readonly visible: typeof visible;
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
  visible,
};
