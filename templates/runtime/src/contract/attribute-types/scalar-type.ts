/** Look-up of scalar attribute types by name. */
import type { AttributeType, Canonical } from './attribute-type.ts';
import type { CastResult } from '../values/cast-result.ts';
import type { ColumnType } from './column-type.ts';
import * as types from './index.ts';

export type ScalarType = keyof typeof types;

const TYPES: Readonly<Record<ScalarType, AttributeType>> = types;

export const scalarTypes = Object.keys(types) as readonly ScalarType[];

/** The definition of a type. */
export function attributeType(type: ScalarType): AttributeType {
  return TYPES[type];
}

/** The column type of an attribute type. */
export function columnTypeOf(type: ScalarType): ColumnType {
  return TYPES[type].columnType;
}

/** The canonical form of a value other than null: see `AttributeType.cast`. */
export function castScalar(type: ScalarType, value: unknown): CastResult<Canonical> {
  return TYPES[type].cast(value);
}

/** Whether a type is text without a given form: not a uid, password or enumeration. */
export function isFreeText(type: ScalarType): boolean {
  const { options, isSecret } = TYPES[type];
  return options.includes('maxLength') && !options.includes('targetField') && isSecret !== true;
}

/** Whether attributes of a type can have an ordered index. */
export function canBeIndexed(type: ScalarType): boolean {
  const { isSecret, isLong, columnType } = TYPES[type];
  return isSecret !== true && isLong !== true && columnType !== 'json';
}

/** Whether the server generates missing required values. */
export function isGenerated(type: ScalarType): boolean {
  return TYPES[type].options.includes('targetField');
}
