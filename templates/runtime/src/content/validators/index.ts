/** Validators, as generated code uses them: `import { v } from '@content-gen/runtime'`. */
export { attributes, type Attributes, type Values } from './attributes.ts';
export { component, dynamicZone } from './component-fields.ts';
export { entry, type Checked, type EntryValidators, type Variant } from './entry.ts';
export type { Agreement, Exact } from './exact.ts';
export type { Field, Fields } from './field.ts';
export type { ComponentInput, EntryCreate, EntryOptions, EntryUpdate } from './input-types.ts';
export { biginteger, decimal, float, integer } from './number-fields.ts';
export { blocks, boolean, json } from './plain-fields.ts';
export { media, relation } from './relation-fields.ts';
export { email, enumeration, password, richtext, string, text, uid } from './text-fields.ts';
export { date, datetime, time, timestamp } from './time-fields.ts';
export { validate } from './validate.ts';
