/** What conditions of a list can be about, and how. */
import { attributeType } from '../../../runtime/src/contract/attribute-types/scalar-type.ts';
import { type Attribute, type Attributes, type ContentType, isPolymorphic, isScalar, labelOf } from '../model/model.ts';
import type { ModelIndex } from '../model/model-context.tsx';
import { canBeColumn } from '../rest/list-query.ts';
import { LIST_STEP, type Operator } from '../rest/conditions.ts';

/** How a value is chosen. */
export type ValueKind = 'text' | 'number' | 'date' | 'datetime' | 'choice' | 'boolean' | 'entry' | 'none';

export interface ConditionAttribute {
  /** Its path through components: `seo.title`, and `links[].label` within a list. */
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

/** What leads to the attributes of a component. */
interface Place {
  readonly path: string;
  readonly label: string;
}

const TOP: Place = { path: '', label: '' };

function attributesAt(attributes: Attributes, index: ModelIndex, at: Place): readonly ConditionAttribute[] {
  return Object.entries(attributes).flatMap(([key, attribute]): readonly ConditionAttribute[] => {
    const [name, label] = [`${at.path}${key}`, `${at.label}${labelOf(key, attribute)}`];
    if (attribute.type === 'component') {
      if (attribute.private === true) return [];
      const step = attribute.repeatable ? LIST_STEP : '';
      const inner = { path: `${name}${step}.`, label: `${label} › ` };
      return [
        { name, label, kind: 'none', operators: OPERATORS.none, attribute },
        ...attributesAt(index.component(attribute.component).attributes, index, inner),
      ];
    }
    // Filters don't follow polymorphic relations.
    if (!canBeColumn(attribute) || (attribute.type === 'relation' && isPolymorphic(attribute))) return [];
    const kind = kindOf(attribute);
    return [{ name, label, kind, operators: OPERATORS[kind], attribute }];
  });
}

export function conditionAttributes(
  { attributes, draftAndPublish }: ContentType,
  index: ModelIndex,
): readonly ConditionAttribute[] {
  const own = attributesAt(attributes, index, TOP);
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
