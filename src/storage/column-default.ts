/** The default of an attribute as a column default. */
import { attributeType, isGenerated } from '#contract/attribute-types/scalar-type.ts';
import type { JsonValue, ScalarAttribute } from '../model/content-model.ts';
import type { Column } from './storage-model.ts';

/**
 * The value that existing component items get for a new or newly required attribute; undefined if there is none, or if values must
 * be unique.
 */
export function memberDefault({ type, default: value, unique }: ScalarAttribute): JsonValue | undefined {
  return value === null || unique || isGenerated(type) ? undefined : value;
}

/**
 * The value that existing rows get when the column is added, in stored form. Undefined if the attribute has no default,
 * if values must be unique, and for strings with a carriage return, which SQL files don't preserve: a checkout may
 * change line endings.
 */
export function columnDefault(attribute: ScalarAttribute): Column['default'] {
  const { type } = attribute;
  const value = memberDefault(attribute);
  if (value === undefined) return undefined;
  if (attributeType(type).columnType === 'json') return JSON.stringify(value);
  if (typeof value === 'string') return value.includes('\r') ? undefined : value;
  return typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}
