/** The types of attributes by name. */
import type { AttributeType, Canonical } from './attribute-type.ts';
import type { CastResult } from '../values/cast-result.ts';
import type { ColumnType } from './column-type.ts';
import * as types from './index.ts';

export type ScalarType = keyof typeof types;

const TYPES: Readonly<Record<ScalarType, AttributeType>> = types;

export const scalarTypes = Object.keys(types) as readonly ScalarType[];

/** What is to be said of a type. */
export function attributeType(type: ScalarType): AttributeType {
  return TYPES[type];
}

/** What the column of an attribute of a type holds. */
export function columnTypeOf(type: ScalarType): ColumnType {
  return TYPES[type].columnType;
}

/** Casts a value other than null to the canonical one of a type: see `AttributeType.cast`. */
export function castScalar(type: ScalarType, value: unknown): CastResult<Canonical> {
  return TYPES[type].cast(value);
}

/** Whether an attribute is text that people write as they like: not a uid, a password or one of some values. */
export function isFreeText(type: ScalarType): boolean {
  const { options, isSecret } = TYPES[type];
  return options.includes('maxLength') && !options.includes('targetField') && isSecret !== true;
}

/** Whether the database can keep an index of the values of a type, in their order. */
export function canBeIndexed(type: ScalarType): boolean {
  const { isSecret, isLong, columnType } = TYPES[type];
  return isSecret !== true && isLong !== true && columnType !== 'json';
}

/** Whether the server makes the value of a required attribute. */
export function isGenerated(type: ScalarType): boolean {
  return TYPES[type].options.includes('targetField');
}
