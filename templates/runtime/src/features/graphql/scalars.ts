/** The values of the scalars: what documents and variables may contain. */
import { GraphQLError, Kind, valueFromASTUntyped, type ValueNode } from 'graphql';
import type { ScalarDefinition } from '../../contract/graphql/model.ts';
import { isUploaded } from './uploaded-files.ts';
import { castDate } from '../../contract/values/cast-time.ts';

interface ScalarValues {
  parseValue(value: unknown): unknown;
  parseLiteral(node: ValueNode, variables?: Readonly<Record<string, unknown>> | null): unknown;
}

const LONG = /^-?\d{1,19}$/u;
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?$/u;
const DATE = /^\d{4}-\d\d-\d\d$/u;
const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/u;
/** The code of a locale, or what means all of them. */
const LOCALE = {
  v4: /^(?:(?!all$)[a-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*|all)$/u,
  v5: /^(?:(?!all$)[a-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*|\*)$/u,
};

function fail(message: string): never {
  throw new GraphQLError(message);
}

function refuse(scalar: string, value: unknown): never {
  const shown = (JSON.stringify(value) ?? String(value)).slice(0, 100);
  throw new GraphQLError(`${scalar} cannot represent value: ${shown}`);
}

function long(value: unknown): string {
  const text = typeof value === 'number' && Number.isInteger(value) ? BigInt(value).toString() : value;
  return typeof text === 'string' && LONG.test(text) ? text : refuse('Long', value);
}

function matching(scalar: string, isValid: (text: string) => boolean) {
  return (value: unknown): string => (typeof value === 'string' && isValid(value) ? value : refuse(scalar, value));
}

function isDay(text: string): boolean {
  return DATE.test(text) && castDate(text).ok;
}

/** An instant, as the database keeps it: in UTC, with milliseconds. */
function instant(value: unknown): string {
  const isInstant = typeof value === 'string' && DATE_TIME.test(value) && isDay(value.slice(0, 10));
  const time = isInstant ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? refuse('DateTime', value) : new Date(time).toISOString();
}

/** The value that a literal has without its type; refuses names, which have none. */
function literal(parse: (value: unknown) => unknown): ScalarValues {
  return {
    parseValue: parse,
    parseLiteral(node) {
      if (node.kind === Kind.STRING) return parse(node.value);
      if (node.kind === Kind.INT) {
        const number = Number(node.value);
        return parse(Number.isSafeInteger(number) ? number : node.value);
      }
      return refuse('The scalar', valueFromASTUntyped(node));
    },
  };
}

function hasNames(node: ValueNode): boolean {
  if (node.kind === Kind.ENUM) return true;
  if (node.kind === Kind.LIST) return node.values.some(hasNames);
  return node.kind === Kind.OBJECT && node.fields.some(({ value }) => hasNames(value));
}

const ANY: ScalarValues = {
  parseValue: (value) => value,
  parseLiteral(node, variables) {
    if (hasNames(node)) throw new GraphQLError('JSON cannot represent a name: write it in quotes');
    return valueFromASTUntyped(node, variables);
  },
};

const SCALARS: Readonly<Record<string, ScalarValues>> = {
  JSON: ANY,
  Upload: {
    parseValue: (value) => (isUploaded(value) ? value : fail('Upload value invalid.')),
    parseLiteral: () => fail('Upload literal unsupported.'),
  },
  Long: literal(long),
  Time: literal(matching('Time', (text) => TIME.test(text))),
  Date: literal(matching('Date', isDay)),
  DateTime: literal(instant),
};

export function scalarValues(name: string, format: 'v4' | 'v5'): ScalarValues {
  if (name === 'I18NLocaleCode') return literal(matching(name, (text) => LOCALE[format].test(text)));
  return SCALARS[name] ?? ANY;
}

/** Elements of a dynamic zone: objects whose `__typename` is one of its components. */
export function zoneValues({ name, components = new Map<string, string>() }: ScalarDefinition): ScalarValues {
  const parse = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse(name, value);
    const { __typename: type, ...members } = value as Readonly<Record<string, unknown>>;
    const uid = typeof type === 'string' ? components.get(type) : undefined;
    if (uid === undefined) {
      throw new GraphQLError(`Component not found. expected one of: ${[...components.keys()].join(', ')}`);
    }
    return { __component: uid, ...members };
  };
  return {
    parseValue: parse,
    parseLiteral: (node, variables) => parse(valueFromASTUntyped(node, variables)),
  };
}
