/** `filters`: selects entries by their attributes and through relations and components. */
import { COLUMN_NAMES } from '../contract/column-names.ts';
import { CONDITION_WEIGHT, MAX_FILTER_DEPTH } from '../contract/limits.ts';
import { isPresence } from '../contract/operators.ts';
import { BadRequestError } from '../contract/errors.ts';
import { isAboutList } from './about-list.ts';
import { matchesAbsent } from './absent-rows.ts';
import { isUnset } from './fields.ts';
import { allOf, negate, orAbsent } from './filter-tree.ts';
import { invalidParameter, invalidValue, pathOf, unknownAttribute } from './invalid-parameter.ts';
import {
  attributesOfComponent,
  attributesOfType,
  leadingTo,
  mayFollow,
  parameterPath,
  type QueryContext,
  seenType,
  usableNames,
} from './query-context.ts';
import { isQueryArray, isQueryObject, ownValue, type QueryObject, type QueryValue, textOf } from './query-value.ts';
import type {
  Readable,
  ReadableAttributes,
  ReadableComponent,
  ReadableLocalizations,
  ReadableRelation,
  ReadableScalar,
} from './readable-attributes.ts';
import type { Filter, ItemFilter, RelatedFilter } from './read-query.ts';
import { usedByVisible } from './rules/file-uses.ts';
import { parseScalarFilter } from './scalar-filter.ts';
import { followed } from './shown-locale.ts';

/** The rows that a filter applies to. */
interface Rows {
  readonly attributes: ReadableAttributes;
  /** The rows of a relation: operators without an attribute name, and bare values, compare their id. */
  readonly related: boolean;
  readonly depth: number;
  /** The path of the filter so far, such as `filters.author`. */
  readonly path: string;
}

type Reach = (filter: Filter | undefined) => RelatedFilter | ItemFilter;

/** The operators that say how many rows of a list must meet a filter. `$some` is what a filter without one means. */
const QUANTIFIERS: ReadonlyMap<string, (filter: Filter, reach: Reach) => Filter> = new Map([
  ['$some', (filter: Filter, reach: Reach): Filter => reach(filter)],
  ['$none', (filter: Filter, reach: Reach): Filter => negate(reach(filter))],
  ['$every', (filter: Filter, reach: Reach): Filter => negate(reach({ kind: 'unmet', filter }))],
]);

function deeper(rows: Rows): Rows {
  if (rows.depth >= MAX_FILTER_DEPTH) {
    throw new BadRequestError(`filters is nested deeper than ${MAX_FILTER_DEPTH} levels`);
  }
  return { ...rows, depth: rows.depth + 1 };
}

function idOf(rows: Rows): ReadableScalar {
  const found = rows.attributes.get('id');
  if (found?.kind !== 'scalar') throw new Error('every type has an id');
  return found;
}

/** Whether a value contains a string that is not a number, and so can only be a document id. */
function namesDocuments(value: QueryValue): boolean {
  if (isQueryArray(value)) return value.some(namesDocuments);
  return !isQueryObject(value) && !/^[+-]?\d*$/u.test(textOf(value, 'filters'));
}

/** The document id of related rows; undefined in formats without document ids. */
function documentOf(rows: Rows): ReadableScalar | undefined {
  const document = rows.attributes.get('documentId');
  return document?.kind === 'scalar' && document.column === COLUMN_NAMES.documentId ? document : undefined;
}

/** The attribute that identifies related rows: their id or, in formats with document ids, their document id. */
function keyOf(rows: Rows, value: QueryValue): ReadableScalar {
  return (namesDocuments(value) ? documentOf(rows) : undefined) ?? idOf(rows);
}

/** A condition on the ids of related rows, with an operator or as a bare value. In lists, ids and document ids may be mixed. */
function parseKey(operator: string | undefined, value: QueryValue, rows: Rows, context: QueryContext): Filter {
  const parse = (keys: QueryValue) =>
    parseScalarFilter(keyOf(rows, keys), operator === undefined ? keys : { [operator]: keys }, context, rows.path);
  const isList = operator === undefined || operator === '$in' || operator === '$notIn';
  if (!isList || !isQueryArray(value) || !documentOf(rows)) return parse(value);
  const documents = value.filter(namesDocuments);
  if (documents.length === 0 || documents.length === value.length) return parse(value);
  const filters = [parse(documents), parse(value.filter((key) => !namesDocuments(key)))];
  return { kind: operator === '$notIn' ? 'and' : 'or', filters };
}

function unknownIn(rows: Rows, context: QueryContext, name: string): BadRequestError {
  const { attributes, path } = rows;
  const usable = usableNames(context, attributes);
  return unknownAttribute(pathOf(path, name), name, { owner: attributes.owner, usable });
}

/** `$and` and `$or` take a list of filters. `$not` takes one filter, or a list that is negated as a conjunction. */
function elementsOf(operator: string, value: QueryValue, { path }: Rows): readonly QueryValue[] {
  if (isQueryArray(value)) {
    return value;
  }
  if (operator !== '$not') throw invalidValue(pathOf(path, operator), 'must be a list of conditions');
  return [value];
}

function parseLogic(operator: '$and' | '$or' | '$not', value: QueryValue, rows: Rows, context: QueryContext): Filter {
  const inner = deeper(rows);
  const filters = elementsOf(operator, value, rows).map((element, index) => {
    const path = pathOf(rows.path, operator, String(index));
    // A bare value, as in `author[$not]=3`, compares the id of a related row; `$and` and `$or` take objects only.
    if (!isQueryObject(element) && operator !== '$not') throw invalidValue(path, 'must be a condition');
    return parseRows(element, { ...inner, path }, context);
  });
  if (operator === '$not') {
    return negate(allOf(filters) ?? { kind: 'and', filters: [] });
  }
  return { kind: operator === '$and' ? 'and' : 'or', filters };
}

/** The conditions of a filter by whether they are on presence. */
function partitioned(value: QueryObject): { presence: [string, QueryValue][]; others: [string, QueryValue][] } {
  const entries = Object.entries(value);
  return {
    presence: entries.filter(([name]) => isPresence(name)),
    others: entries.filter(([name]) => !isPresence(name)),
  };
}

/**
 * Separates conditions on presence, such as `author[$null]`, `author[id][$null]` and `author[documentId][$null]`, from the rest:
 * every row has these, so that only the absence of the row can be meant.
 */
function splitPresence(
  value: QueryObject,
  rows: Rows,
): { presence: readonly (readonly [string, QueryValue])[]; rest: QueryObject } {
  const { presence, others } = partitioned(value);
  const rest = Object.fromEntries(others);
  for (const name of documentOf(rows) ? ['id', 'documentId'] : ['id']) {
    const key = ownValue(value, name);
    if (key === undefined || !isQueryObject(key)) continue;
    const inner = partitioned(key);
    presence.push(...inner.presence);
    if (inner.others.length > 0) rest[name] = Object.fromEntries(inner.others);
    else delete rest[name];
  }
  return { presence, rest };
}

/** `some` matches if there is a row at all; the operators say whether there must be one. */
function presenceFilters(
  presence: readonly (readonly [string, QueryValue])[],
  some: Filter,
  rows: Rows,
  context: QueryContext,
): Filter[] {
  return presence.map(([name, operand]) => {
    const about = parseScalarFilter(idOf(rows), { [name]: operand }, context, rows.path);
    return about.kind === 'null' ? negate(some) : some;
  });
}

/** The operators of `QUANTIFIERS` in a filter, each with its own filter on the rows of the list, and the rest. */
function splitQuantifiers(
  value: QueryObject,
  reach: Reach,
  rows: Rows,
  context: QueryContext,
): { readonly quantified: readonly Filter[]; readonly rest: QueryObject } {
  const rest: Record<string, QueryValue> = {};
  const quantified: Filter[] = [];
  for (const [name, operand] of Object.entries(value)) {
    const quantify = QUANTIFIERS.get(name);
    if (!quantify) {
      rest[name] = operand;
      continue;
    }
    const path = pathOf(rows.path, name);
    if (!isAboutList(reach(undefined))) {
      throw invalidValue(path, `${name} is for lists, and this is at most one entry or component`);
    }
    context.budget.condition(CONDITION_WEIGHT.reached);
    quantified.push(quantify(parseRows(operand, { ...rows, path }, context), reach));
  }
  return { quantified, rest };
}

/** A filter on rows reached from an entry through a relation or component; `reach` wraps it accordingly. */
function parseReached(value: QueryValue, rows: Rows, context: QueryContext, reach: Reach): Filter {
  context.budget.condition(CONDITION_WEIGHT.reached);
  if (!isQueryObject(value)) {
    return reach(parseRows(value, rows, context));
  }
  const { quantified, rest: unquantified } = splitQuantifiers(value, reach, rows, context);
  const { presence, rest } = splitPresence(unquantified, rows);
  const filters = presenceFilters(presence, reach(undefined), rows, context);
  const conditions = Object.keys(rest).length > 0 ? orAbsent(reach(parseRows(rest, rows, context))) : undefined;
  return allOf([...quantified, ...filters, conditions]) ?? { kind: 'and', filters: [] };
}

function parseRelation(
  relation: ReadableRelation | ReadableLocalizations,
  value: QueryValue,
  rows: Rows,
  context: QueryContext,
): Filter {
  if (!mayFollow(context, relation)) throw unknownIn(rows, context, relation.name);
  const { type, ...seen } = seenType(context, relation.target);
  const attributes = attributesOfType(context, type);
  const path = pathOf(rows.path, relation.name);
  const way = relation.kind === 'relation' ? followed(context, leadingTo(relation, type)) : leadingTo(relation, type);
  const behind = { ...context, inSharedItem: false };
  return parseReached(value, { ...deeper(rows), attributes, related: true, path }, behind, (filter) => ({
    kind: 'related',
    relation: way,
    ...seen,
    filter,
  }));
}

function parseComponent(component: ReadableComponent, value: QueryValue, rows: Rows, context: QueryContext): Filter {
  const path = pathOf(rows.path, component.name);
  if (!isQueryObject(value)) throw invalidValue(path, 'must name an attribute of the component');
  const attributes = attributesOfComponent(context, component.component);
  const inside = { ...context, inSharedItem: context.inSharedItem || component.shared };
  return parseReached(value, { ...deeper(rows), attributes, related: false, path }, inside, (filter) => ({
    kind: 'item',
    component,
    filter,
  }));
}

/** A condition on a scalar attribute, as the answer shows it. */
function parseShown(attribute: ReadableScalar, value: QueryValue, rows: Rows, context: QueryContext): Filter {
  const filter = parseScalarFilter(attribute, value, context, pathOf(rows.path, attribute.name));
  if (!isUnset(attribute, context)) return filter;
  return matchesAbsent(filter) ? { kind: 'and', filters: [] } : { kind: 'nothing' };
}

function parseAttribute(attribute: Readable, value: QueryValue, rows: Rows, context: QueryContext): Filter {
  switch (attribute.kind) {
    case 'scalar':
      return parseShown(attribute, value, rows, context);
    case 'relation':
    case 'localizations':
      return parseRelation(attribute, value, rows, context);
    case 'component':
      return parseComponent(attribute, value, rows, context);
    case 'morph':
    case 'zone':
      throw unknownIn(rows, context, attribute.name);
  }
}

function parseEntry(name: string, value: QueryValue, rows: Rows, context: QueryContext): Filter {
  if (name === '$and' || name === '$or' || name === '$not') {
    return parseLogic(name, value, rows, context);
  }
  if (name.startsWith('$') && rows.related) {
    return parseKey(name, value, rows, context);
  }
  if (name === 'usedBy' && context.viewer && rows.attributes.owner === 'file') return usedByVisible(context.viewer);
  const attribute = rows.attributes.get(name);
  if (!attribute) throw unknownIn(rows, context, name);
  return parseAttribute(attribute, value, rows, context);
}

function parseRows(value: QueryValue, rows: Rows, context: QueryContext): Filter {
  if (isQueryObject(value)) {
    const filters = Object.entries(value).map(([name, operand]) => parseEntry(name, operand, rows, context));
    return allOf(filters) ?? { kind: 'and', filters };
  }
  if (!rows.related) throw invalidParameter(rows.path);
  return parseKey(undefined, value, rows, context);
}

/**
 * Parses the filter on entries with these attributes; undefined if `value` is. Throws BadRequestError for a name that is unknown
 * or that the caller may not use, for an unknown operator, and for a value that can't be cast to its attribute's type.
 */
export function parseFilters(
  value: QueryValue | undefined,
  attributes: ReadableAttributes,
  context: QueryContext,
): Filter | undefined {
  const path = parameterPath(context, 'filters');
  return value === undefined ? undefined : parseRows(value, { attributes, related: false, depth: 0, path }, context);
}
