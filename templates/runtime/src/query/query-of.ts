/** Builds queries from objects: of code of the server and of the project, and of requests. */
import { isPresence } from '../contract/operators.ts';
import { BadRequestError } from '../contract/errors.ts';
import { type EntryQuery, MAX_SHAPE_LENGTH } from './entry-query.ts';
import { invalidParameter } from './invalid-parameter.ts';
import { MAX_DEPTH, MAX_ELEMENTS, MAX_LENGTH, MAX_PARAMETERS } from './parse-query-string.ts';
import { type QueryObject, type QueryValue, Slot } from './query-value.ts';

/** No shape of a query string begins with it. */
const OF_OBJECT = '\0';
const REFUSES_HIDDEN = '\0!';
const ALIASES = '\0:';

/** State of the walk through an object: the shape so far, and the strings in its slots. */
interface Walk {
  shape: string;
  /** The number of the first slot. */
  readonly first: number;
  readonly values: string[];
}

/** Which strings of a value are compared or searched for: none, the cursor of `pagination`, or all. */
type Compared = 'none' | 'cursor' | 'all';

/** `outer`: what is compared of the object that has the member; undefined if it is the query itself. */
function comparedIn(name: string, outer: Compared | undefined): Compared {
  if (outer === undefined) {
    if (name === 'pagination') return 'cursor';
    return name === 'filters' || name === '_q' ? 'all' : 'none';
  }
  if (outer === 'cursor') return name === 'after' ? 'all' : 'none';
  return isPresence(name) ? 'none' : outer;
}

type Leaf = string | number | bigint | boolean | Date | null;

function textOf(value: Leaf): string {
  if (value === null) return '';
  return value instanceof Date ? value.toISOString() : String(value);
}

function leafOf(walk: Walk, text: string, compared: Compared): QueryValue {
  if (text.includes('\0')) throw new BadRequestError('The query must not contain U+0000');
  if (compared !== 'all' || text === '') {
    walk.shape += JSON.stringify(text);
    return text;
  }
  walk.shape += '?';
  return new Slot(walk.first + walk.values.push(text) - 1, text);
}

function arrayOf(walk: Walk, elements: readonly unknown[], depth: number, compared: Compared): QueryValue {
  walk.shape += '[';
  const found: QueryValue[] = [];
  for (const element of elements) {
    if (element === undefined) continue;
    found.push(valueOf(walk, element, depth + 1, compared));
    walk.shape += ',';
  }
  walk.shape += ']';
  return found;
}

function objectOf(walk: Walk, object: object, depth: number, compared: Compared): QueryObject {
  walk.shape += '{';
  const found = Object.create(null) as Record<string, QueryValue>;
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue;
    if (name === '__proto__') throw invalidParameter(name);
    walk.shape += `${JSON.stringify(name)}:`;
    found[name] = valueOf(walk, value, depth + 1, comparedIn(name, depth === 0 ? undefined : compared));
    walk.shape += ',';
  }
  walk.shape += '}';
  return found;
}

function valueOf(walk: Walk, value: unknown, depth: number, compared: Compared): QueryValue {
  if (depth > MAX_DEPTH) throw new BadRequestError(`The query is nested deeper than ${MAX_DEPTH} levels`);
  if (value instanceof Slot) return leafOf(walk, value.value, compared);
  if (Array.isArray(value)) return arrayOf(walk, value, depth, compared);
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    return objectOf(walk, value, depth, compared);
  }
  return leafOf(walk, textOf(value as Leaf), compared);
}

/**
 * The query of an object: numbers and booleans become strings, null the empty string, undefined members are skipped. It may
 * contain parts of another query's tree. Slots are numbered from `first`. Throws BadRequestError for values that a query can't
 * represent.
 */
export function queryOf(
  parameters: Readonly<Record<string, unknown>>,
  {
    first = 0,
    refusesHidden = false,
    aliases = false,
  }: Pick<EntryQuery, 'refusesHidden' | 'aliases'> & { readonly first?: number } = {},
): EntryQuery {
  const kind = `${refusesHidden ? REFUSES_HIDDEN : OF_OBJECT}${aliases ? ALIASES : ''}`;
  const walk: Walk = { shape: kind, first, values: [] };
  const tree = objectOf(walk, parameters, 0, 'none');
  const shape = walk.shape.length > MAX_SHAPE_LENGTH ? undefined : walk.shape;
  return { shape, refusesHidden, aliases, values: walk.values, tree: () => tree };
}

/** The numbers of values and characters that are left of the limits. */
interface Room {
  values: number;
  characters: number;
}

function take(room: Room, characters: number): void {
  room.values -= 1;
  room.characters -= characters;
  if (room.values < 0) throw new BadRequestError(`The query has more than ${MAX_PARAMETERS} values`);
  if (room.characters < 0) throw new BadRequestError(`The query is longer than ${MAX_LENGTH} characters`);
}

function checkSize(value: unknown, room: Room): void {
  if (typeof value !== 'object' || value === null) return take(room, typeof value === 'string' ? value.length : 1);
  if (Array.isArray(value) && value.length > MAX_ELEMENTS) {
    throw new BadRequestError(`The query has an array of more than ${MAX_ELEMENTS} elements`);
  }
  for (const [name, inner] of Object.entries(value)) {
    room.characters -= name.length;
    checkSize(inner, room);
  }
}

/**
 * The query of an object in a request, with the limits of a query string. `parameters` is parsed JSON, whose depth is limited. Throws
 * BadRequestError.
 */
export function queryOfRequest(parameters: Readonly<Record<string, unknown>>): EntryQuery {
  checkSize(parameters, { values: MAX_PARAMETERS, characters: MAX_LENGTH });
  return queryOf(parameters);
}
