/** What conditions of a list can be about, and how. */
import { attributeType } from '../../../runtime/src/contract/attribute-types/scalar-type.ts';
import { type Attribute, type ContentType, isPolymorphic, isScalar, labelOf } from '../model/model.ts';
import { canBeColumn } from '../rest/list-query.ts';
import type { Operator } from '../rest/conditions.ts';

/** How a value is chosen. */
export type ValueKind = 'text' | 'number' | 'date' | 'datetime' | 'choice' | 'boolean' | 'entry' | 'none';

export interface ConditionAttribute {
  readonly name: string;
  readonly label: string;
  readonly kind: ValueKind;
  readonly operators: readonly Operator[];
  /** Undefined for what every entry has. */
  readonly attribute: Attribute | undefined;
}

const EMPTINESS: readonly Operator[] = ['isEmpty', 'isNotEmpty'];
const ORDERED: readonly Operator[] = ['is', 'isNot', 'atLeast', 'atMost'];

const OPERATORS: Readonly<Record<ValueKind, readonly Operator[]>> = {
  text: ['contains', 'startsWith', 'is', 'isNot', ...EMPTINESS],
  number: [...ORDERED, ...EMPTINESS],
  date: [...ORDERED, ...EMPTINESS],
  // Nobody knows the second.
  datetime: ['atLeast', 'atMost', ...EMPTINESS],
  choice: ['is', 'isNot', ...EMPTINESS],
  boolean: ['is', ...EMPTINESS],
  entry: ['is', ...EMPTINESS],
  none: EMPTINESS,
};

function kindOf(attribute: Attribute): ValueKind {
  if (attribute.type === 'relation') return attribute.target === undefined ? 'none' : 'entry';
  if (!isScalar(attribute)) return 'none';
  if (attribute.enum) return 'choice';
  const { columnType, operators } = attributeType(attribute.type);
  switch (columnType) {
    case 'integer':
    case 'biginteger':
    case 'float':
    case 'decimal':
      return 'number';
    case 'date':
    case 'datetime':
    case 'boolean':
      return columnType;
    default:
      return operators === 'text' ? 'text' : 'none';
  }
}

export function conditionAttributes({ attributes, draftAndPublish }: ContentType): readonly ConditionAttribute[] {
  const own = Object.entries(attributes)
    // Filters don't follow polymorphic relations.
    .filter(([, attribute]) => canBeColumn(attribute) && !(attribute.type === 'relation' && isPolymorphic(attribute)))
    .map(([name, attribute]): ConditionAttribute => {
      const kind = kindOf(attribute);
      return { name, label: labelOf(name, attribute), kind, operators: OPERATORS[kind], attribute };
    });
  const times = ['createdAt', 'updatedAt', ...(draftAndPublish ? ['publishedAt'] : [])];
  return [
    ...own,
    ...times.map((name): ConditionAttribute => {
      return {
        name,
        label: labelOf(name, undefined),
        kind: 'datetime',
        operators: OPERATORS.datetime,
        attribute: undefined,
      };
    }),
  ];
}
