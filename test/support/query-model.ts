/**
 * What a list query means, in plain JavaScript on objects in memory: the rules of docs/queries.md, written independently of the
 * compiler of the runtime.
 */
import type { AttributeDefinition, Attributes, SchemaText } from './whole-entries.ts';
import type { Node } from './fuzz-queries.ts';

type Scalar = string | number | boolean | null;

/** An entry, or an item of a component or zone. Canonical values; relations and lists are arrays of rows in their stored order. */
export interface Row {
  readonly id: number;
  /** Content type or component. */
  readonly uid: string;
  readonly values: Record<string, unknown>;
  /** Stands for a row that is not there. */
  readonly isAbsent?: true;
}

type Options = Readonly<Record<string, Node>>;

const TEXT_TYPES: ReadonlySet<string> = new Set(['string', 'text', 'email', 'uid', 'enumeration']);
const STRUCTURED: ReadonlySet<string> = new Set(['relation', 'component', 'dynamiczone']);
const DEFAULT_PAGE = 25;
const MAX_PAGE_SIZE = 100;
const FRACTION = 30;

/** A decimal in units of its last possible digit. */
function scaled(text: string): bigint {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/iu.exec(text.trim()) ?? [];
  const shift = FRACTION + Number(exponent) - fraction.length;
  const digits = BigInt(whole + fraction);
  const units = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  return sign === '-' ? -units : units;
}

function instant(text: string): string {
  if (/^-?\d+$/u.test(text)) return new Date(Number(text)).toISOString();
  const hasZone = /[Z+]|-\d\d:\d\d$/u.test(text);
  return new Date(text.includes('T') && !hasZone ? `${text}Z` : text).toISOString();
}

function timeOfDay(text: string): string {
  const [seconds = '', fraction = ''] = text.split('.');
  return `${seconds}.${fraction.padEnd(3, '0')}`;
}

type Comparable = string | number | bigint;

/** A stored value, or one in a query, in a form that `order` can compare. */
function comparable(type: string, value: string | number | boolean): Comparable {
  const text = String(value);
  switch (type) {
    case 'integer':
    case 'float':
      return Number(text);
    case 'biginteger':
      return BigInt(text.trim().replace('+', ''));
    case 'decimal':
      return scaled(text);
    case 'boolean':
      return ['true', '1'].includes(text.toLowerCase()) ? 1 : 0;
    case 'date':
      return text.slice(0, 10);
    case 'datetime':
      return instant(text);
    case 'time':
      return timeOfDay(text);
    default:
      return text;
  }
}

/** Texts by their code points. */
function order(left: Comparable, right: Comparable): number {
  if (typeof left === 'string' && typeof right === 'string') {
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  }
  return left === right ? 0 : left < right ? -1 : 1;
}

/** Unclear values count as `true`, as in Strapi. */
function flagOf(text: string): boolean {
  return !['false', 'f', '0', ''].includes(text);
}

function withoutCase(pattern: string): (text: string) => boolean {
  const expression = new RegExp(pattern, 'iu');
  return (text) => expression.test(text);
}

function quoted(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
}

type Match = 'contains' | 'startsWith' | 'endsWith' | 'eq';

function matches(text: string, match: Match, searched: string, fold: boolean): boolean {
  if (fold) {
    const [from, to] = [match === 'startsWith' || match === 'eq', match === 'endsWith' || match === 'eq'];
    return withoutCase(`${from ? '^' : ''}${quoted(searched)}${to ? '$' : ''}`)(text);
  }
  switch (match) {
    case 'contains':
      return text.includes(searched);
    case 'startsWith':
      return text.startsWith(searched);
    case 'endsWith':
      return text.endsWith(searched);
    case 'eq':
      return text === searched;
  }
}

function elementsOf(node: Node): readonly Node[] {
  return Array.isArray(node) ? node : [node];
}

/** The result of a comparison with a non-null value. */
function compares(type: string, value: string | number | boolean, operator: string, node: Node): boolean {
  const to = (operand: Node) => order(comparable(type, value), comparable(type, String(operand)));
  switch (operator) {
    case '$eq':
      return to(node) === 0;
    case '$lt':
      return to(node) < 0;
    case '$lte':
      return to(node) <= 0;
    case '$gt':
      return to(node) > 0;
    case '$gte':
      return to(node) >= 0;
    case '$in':
      return elementsOf(node).some((operand) => to(operand) === 0);
    case '$between': {
      const [low = '', high = ''] = elementsOf(node);
      return to(low) >= 0 && to(high) <= 0;
    }
  }
  const [, match = '', fold] = /^\$(eq|contains|startsWith|endsWith)(i)?$/u.exec(operator) ?? [];
  if (match === '') throw new Error(`no operator ${operator}`);
  if (match === 'eq' && !TEXT_TYPES.has(type)) return to(node) === 0;
  return matches(String(value), match as Match, String(node), fold === 'i');
}

const NEGATED: Readonly<Record<string, string>> = {
  $ne: '$eq',
  $nei: '$eqi',
  $notIn: '$in',
  $notContains: '$contains',
  $notContainsi: '$containsi',
};

/** Whether a condition holds or, if it is not `wanted`, its negation. Null satisfies neither. */
function holdsOperator(type: string, value: Scalar, operator: string, node: Node, wanted: boolean): boolean {
  if (operator === '$not') return holdsScalar(type, value, node, !wanted);
  if (operator === '$null') return ((value === null) === flagOf(String(node))) === wanted;
  if (operator === '$notNull') return ((value !== null) === flagOf(String(node))) === wanted;
  const positive = NEGATED[operator];
  if (positive !== undefined) return holdsOperator(type, value, positive, node, !wanted);
  return value !== null && compares(type, value, operator, node) === wanted;
}

/** All of them or, negated, one of them. */
function holdsAll(conditions: readonly ((wanted: boolean) => boolean)[], wanted: boolean): boolean {
  return wanted ? conditions.every((holds) => holds(true)) : conditions.some((holds) => holds(false));
}

function holdsScalar(type: string, value: Scalar, node: Node, wanted: boolean): boolean {
  if (typeof node === 'string') return holdsOperator(type, value, '$eq', node, wanted);
  if (Array.isArray(node)) return holdsOperator(type, value, '$in', node, wanted);
  const each = Object.entries(node).map(
    ([operator, operand]) =>
      (one: boolean) =>
        holdsOperator(type, value, operator, operand, one),
  );
  return holdsAll(each, wanted);
}

/** Whether an attribute is a list: a condition on it is negated as a whole. */
function isListed({ relation = '', repeatable = false }: AttributeDefinition): boolean {
  return repeatable || relation.endsWith('Many') || relation === 'manyWay';
}

/** Queries on the rows of a schema. */
export class QueryModel {
  readonly #schema: SchemaText;
  readonly #rows: Readonly<Record<string, readonly Row[]>>;
  /** Whether drafts are hidden. */
  #live = true;

  /** `rows`: the entries of each content type. */
  constructor(schema: SchemaText, rows: Readonly<Record<string, readonly Row[]>>) {
    this.#schema = schema;
    this.#rows = rows;
  }

  #attributes(uid: string): Attributes {
    const owner = this.#schema.contentTypes[uid] ?? this.#schema.components?.[uid];
    return { id: { type: 'integer' }, ...owner?.attributes };
  }

  #attribute(uid: string, name: string): AttributeDefinition {
    const found = this.#attributes(uid)[name];
    if (!found) throw new Error(`${uid} has no ${name}`);
    return found;
  }

  #scalar(row: Row, name: string): Scalar {
    return name === 'id' ? row.id : ((row.values[name] ?? null) as Scalar);
  }

  #isVisible(row: Row): boolean {
    return !this.#live || !this.#schema.contentTypes[row.uid]?.draftAndPublish || row.values['publishedAt'] !== null;
  }

  /** The rows behind an attribute, in their stored order. */
  #reached(row: Row, name: string): readonly Row[] {
    return ((row.values[name] ?? []) as readonly Row[]).filter((one) => this.#isVisible(one));
  }

  #holdsReached(row: Row, name: string, node: Node, wanted: boolean): boolean {
    const rows = this.#reached(row, name);
    const isList = isListed(this.#attribute(row.uid, name));
    if (isList && row.isAbsent) return false;
    if (typeof node === 'string' || Array.isArray(node)) {
      return isList
        ? rows.some((one) => holdsScalar('integer', one.id, node, true)) === wanted
        : rows.some((one) => holdsScalar('integer', one.id, node, wanted));
    }
    // Every row has an id, so a null condition on it tests whether there is a row.
    const { id, $some, $none, $every, ...others } = node;
    const isOperators = typeof id === 'object' && !Array.isArray(id);
    const ofId = isOperators ? Object.entries(id) : [];
    const isPresence = ([operator]: readonly [string, Node]) => operator === '$null' || operator === '$notNull';
    const presence = [...Object.entries(others).filter(isPresence), ...ofId.filter(isPresence)];
    const rest = Object.fromEntries(Object.entries(others).filter((pair) => !isPresence(pair)));
    const restOfId = Object.fromEntries(ofId.filter((pair) => !isPresence(pair)));
    if (id !== undefined && !isOperators) rest['id'] = id;
    if (Object.keys(restOfId).length > 0) rest['id'] = restOfId;
    const conditions = presence.map(
      ([operator, flag]) =>
        (one: boolean) =>
          ((rows.length === 0) === (flagOf(String(flag)) === (operator === '$null'))) === one,
    );
    const meet = (filter: Node) => (reached: Row) => this.#holds(reached, filter);
    if ($some !== undefined) conditions.push((one) => rows.some(meet($some)) === one);
    if ($none !== undefined) conditions.push((one) => !rows.some(meet($none)) === one);
    if ($every !== undefined) conditions.push((one) => rows.every(meet($every)) === one);
    // All attributes of a single row that is not there are null.
    const { target, component } = this.#attribute(row.uid, name);
    const absent: Row = { id: null as unknown as number, uid: target ?? component ?? '', values: {}, isAbsent: true };
    const some = (one: boolean) => (isList ? rows.some(meet(rest)) === one : this.#holds(rows[0] ?? absent, rest, one));
    return holdsAll(Object.keys(rest).length > 0 ? [...conditions, some] : conditions, wanted);
  }

  #holdsNamed(row: Row, name: string, node: Node, wanted: boolean): boolean {
    if (name === '$and' || name === '$not') {
      const each = elementsOf(node).map((filter) => (one: boolean) => this.#holds(row, filter, one));
      return holdsAll(each, name === '$and' ? wanted : !wanted);
    }
    // One of them holds if not all of their negations do.
    if (name === '$or') {
      const filters = elementsOf(node);
      return wanted
        ? filters.some((filter) => this.#holds(row, filter, true))
        : filters.every((filter) => this.#holds(row, filter, false));
    }
    if (name.startsWith('$')) return holdsScalar('integer', row.id, { [name]: node }, wanted);
    const { type } = this.#attribute(row.uid, name);
    if (STRUCTURED.has(type)) return this.#holdsReached(row, name, node, wanted);
    return holdsScalar(type, this.#scalar(row, name), node, wanted);
  }

  #holds(row: Row, filter: Node, wanted = true): boolean {
    if (typeof filter !== 'object' || Array.isArray(filter)) return holdsScalar('integer', row.id, filter, wanted);
    const each = Object.entries(filter).map(
      ([name, node]) =>
        (one: boolean) =>
          this.#holdsNamed(row, name, node, one),
    );
    return holdsAll(each, wanted);
  }

  /** The value of a sort key: the smallest or largest of several. */
  #sortValue(row: Row, path: readonly string[], descending: boolean): Comparable | null {
    let rows: readonly Row[] = [row];
    for (const name of path.slice(0, -1)) rows = rows.flatMap((one) => this.#reached(one, name));
    const name = path.at(-1) ?? '';
    const values = rows.flatMap((one) => {
      const value = this.#scalar(one, name);
      if (value === null) return [];
      const { type } = this.#attribute(one.uid, name);
      return [comparable(type, value)];
    });
    values.sort(order);
    return (descending ? values.at(-1) : values[0]) ?? null;
  }

  #sorted(rows: readonly Row[], sort: Node | undefined): Row[] {
    const keys = (sort === undefined ? [] : elementsOf(sort)).map((text) => {
      const [path = '', direction = 'asc'] = String(text).split(':');
      return { path: path.split('.'), descending: direction.toLowerCase() === 'desc' };
    });
    const decorated = rows.map((row) => ({
      row,
      values: keys.map(({ path, descending }) => this.#sortValue(row, path, descending)),
    }));
    decorated.sort((left, right) => {
      for (const [index, { descending }] of keys.entries()) {
        const [one, other] = [left.values[index] ?? null, right.values[index] ?? null];
        const ascending =
          one === null || other === null ? Number(other === null) - Number(one === null) : order(one, other);
        if (ascending !== 0) return descending ? -ascending : ascending;
      }
      return 0;
    });
    return decorated.map(({ row }) => row);
  }

  #populated(uid: string, populate: Node | undefined): (readonly [string, Options])[] {
    const linked = Object.entries(this.#attributes(uid)).filter(([, { type }]) => STRUCTURED.has(type));
    const named = (name: string) => (name === '*' ? linked.map(([one]) => [one, {}] as const) : [[name, {}] as const]);
    if (populate === undefined) return [];
    if (typeof populate === 'string') return populate.split(',').filter(Boolean).flatMap(named);
    if (Array.isArray(populate)) return populate.flatMap((name) => named(String(name)));
    return Object.entries(populate).map(([name, options]) => [
      name,
      typeof options === 'string' ? {} : (options as Options),
    ]);
  }

  #fields(row: Row, fields: Node | undefined): Record<string, unknown> {
    const all = Object.entries(this.#attributes(row.uid)).filter(
      ([name, { type }]) => !STRUCTURED.has(type) && name !== 'id',
    );
    const wanted = fields === undefined ? undefined : elementsOf(fields);
    return Object.fromEntries(
      all
        .filter(([name]) => wanted?.includes(name) ?? true)
        .map(([name, { type }]) => {
          const value = row.values[name] ?? null;
          return [name, type === 'decimal' && value !== null ? Number(value) : value];
        }),
    );
  }

  #related(row: Row, name: string, options: Options): readonly Row[] {
    const { filters, sort } = options;
    const reached = this.#reached(row, name).filter((one) => filters === undefined || this.#holds(one, filters));
    // In its stored order, or by the requested keys and the id.
    const isEntries = this.#attribute(row.uid, name).type === 'relation';
    const rows = sort === undefined || !isEntries ? reached : reached.toSorted((left, right) => left.id - right.id);
    return this.#sorted(rows, sort);
  }

  #value(row: Row, name: string, options: Options): unknown {
    const { type, relation = '', repeatable = false } = this.#attribute(row.uid, name);
    if (type === 'dynamiczone') {
      const on = options['on'] as Options | undefined;
      const items = this.#reached(row, name).filter(({ uid }) => on === undefined || Object.hasOwn(on, uid));
      return windowOf(items, options).map((item) => {
        const chosen = on?.[item.uid];
        const { populate, fields } = (on === undefined ? options : typeof chosen === 'string' ? {} : chosen) as Options;
        return { __component: item.uid, ...this.#item(item, { ...pick({ populate }), ...pick({ fields }) }) };
      });
    }
    const rows = this.#related(row, name, options);
    if (type === 'component') {
      return repeatable
        ? windowOf(rows, options).map((item) => this.#item(item, options))
        : rows[0]
          ? this.#item(rows[0], options)
          : null;
    }
    if (isListed({ type, relation })) return { data: windowOf(rows, options).map((one) => this.#entry(one, options)) };
    return { data: rows[0] ? this.#entry(rows[0], options) : null };
  }

  #shown(row: Row, { fields, populate }: Options): Record<string, unknown> {
    const populated = this.#populated(row.uid, populate).map(([name, options]) => [
      name,
      this.#value(row, name, options),
    ]);
    return { ...this.#fields(row, fields), ...Object.fromEntries(populated) };
  }

  #item(row: Row, options: Options): Record<string, unknown> {
    return { id: row.id, ...this.#shown(row, options) };
  }

  #entry(row: Row, options: Options): unknown {
    return { id: row.id, attributes: this.#shown(row, options) };
  }

  #isFound(row: Row, words: string): boolean {
    const texts = Object.entries(this.#attributes(row.uid)).filter(
      ([name, { type }]) => TEXT_TYPES.has(type) && name !== 'locale',
    );
    return texts.some(([name, { type }]) => holdsScalar(type, this.#scalar(row, name), { $containsi: words }, true));
  }

  /** All entries that match a query, in order, regardless of its pagination. */
  all(uid: string, query: Options): readonly Row[] {
    const { filters, sort, locale = 'en', publicationState, _q: words = '' } = query;
    this.#live = publicationState !== 'preview';
    const isLocalized = this.#schema.contentTypes[uid]?.localized === true;
    const rows = (this.#rows[uid] ?? []).filter(
      (row) =>
        this.#isVisible(row) &&
        (!isLocalized || locale === 'all' || locale === '' || row.values['locale'] === locale) &&
        (filters === undefined || this.#holds(row, filters)) &&
        (words === '' || this.#isFound(row, String(words))),
    );
    return this.#sorted(rows, sort);
  }

  /** The response to a query, except for the times and `meta` of entries. */
  list(uid: string, query: Options): { readonly data: unknown; readonly pagination: unknown } {
    const all = this.all(uid, query);
    const { pagination = {} } = query;
    const page = pageOf(pagination as Options);
    const total = all.length;
    return {
      data: all.slice(page.start, page.start + page.limit).map((row) => this.#entry(row, query)),
      pagination: page.meta(total),
    };
  }
}

function pick(options: Readonly<Record<string, Node | undefined>>): Options {
  return Object.fromEntries(Object.entries(options).filter(([, node]) => node !== undefined)) as Options;
}

interface Page {
  readonly start: number;
  readonly limit: number;
  meta(total: number): unknown;
}

function within(size: number): number {
  return Math.min(Math.max(size, 1), MAX_PAGE_SIZE);
}

function numberOf(node: Node | undefined): number | undefined {
  return node === undefined || node === '' ? undefined : Number(node);
}

function pageOf({ page, pageSize, start, limit, withCount = 'true' }: Options): Page {
  const isCounted = flagOf(String(withCount));
  const [from, most] = [numberOf(start), numberOf(limit)];
  if (from !== undefined || most !== undefined) {
    const size = most === -1 ? MAX_PAGE_SIZE : within(most ?? DEFAULT_PAGE);
    const first = Math.max(from ?? 0, 0);
    return {
      start: first,
      limit: size,
      meta: (total) => ({ start: first, limit: size, ...(isCounted ? { total } : {}) }),
    };
  }
  const [number, size] = [Math.max(numberOf(page) ?? 1, 1), within(numberOf(pageSize) ?? DEFAULT_PAGE)];
  return {
    start: (number - 1) * size,
    limit: size,
    meta: (total) => ({
      page: number,
      pageSize: size,
      ...(isCounted ? { pageCount: Math.ceil(total / size), total } : {}),
    }),
  };
}

/** The part of a populated list. */
function windowOf(rows: readonly Row[], { pagination, start, limit }: Options): readonly Row[] {
  if (pagination !== undefined) {
    const page = pageOf(pagination as Options);
    return rows.slice(page.start, page.start + page.limit);
  }
  const [from, most] = [Math.max(numberOf(start) ?? 0, 0), numberOf(limit) ?? -1];
  return most === -1 ? rows.slice(from) : rows.slice(from, from + Math.max(most, 1));
}
