/** The default of an attribute as its column has it. */
import { attributeType, isGenerated } from '#contract/attribute-types/scalar-type.ts';
import type { ScalarAttribute } from '../model/content-model.ts';
import type { Column } from './storage-model.ts';

/**
 * What rows that exist already get when the column is added; defaults are in the form in which values are stored. Undefined where
 * the attribute has no default, where values must differ, and for texts with a carriage return, which SQL files don't keep: line
 * ends are what a checkout makes of them.
 */
export function columnDefault(attribute: ScalarAttribute): Column['default'] {
  const { type, default: value, unique } = attribute;
  if (value === undefined || value === null || unique || isGenerated(type)) return undefined;
  if (attributeType(type).columnType === 'json') return JSON.stringify(value);
  if (typeof value === 'string') return value.includes('\r') ? undefined : value;
  return typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}
