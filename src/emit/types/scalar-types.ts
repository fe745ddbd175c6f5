/** The TypeScript types of scalar attributes, as they are answered and as they may be sent. */
import type { ScalarAttribute } from '../../model/content-model.ts';
import { tsString } from '../escape.ts';

function enumType(attribute: ScalarAttribute): string {
  return attribute.enum.map(tsString).join(' | ');
}

/** In an answer: without `null`. */
export function scalarOutput(attribute: ScalarAttribute): string {
  switch (attribute.type) {
    case 'integer':
    case 'float':
    case 'decimal':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'enumeration':
      return enumType(attribute);
    case 'json':
      return 'unknown';
    case 'blocks':
      return 'readonly unknown[]';
    case 'string':
    case 'text':
    case 'richtext':
    case 'email':
    case 'password':
    case 'uid':
    case 'biginteger':
    case 'date':
    case 'time':
    case 'datetime':
    case 'timestamp':
      return 'string';
  }
}

/** Types of which a request may also hold the other form of the value. */
const TEXT_OR_NUMBER: ReadonlySet<string> = new Set(['biginteger', 'decimal', 'datetime', 'timestamp']);

/** In a request: without `null`. */
export function scalarInput(attribute: ScalarAttribute): string {
  return TEXT_OR_NUMBER.has(attribute.type) ? 'string | number' : scalarOutput(attribute);
}
