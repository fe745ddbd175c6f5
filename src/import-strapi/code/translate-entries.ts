/** Calls of `entityService`, `documents()` and `db.query` as calls of `entries`. */
import type { FileContext, TypeInfo } from './file-context.ts';
import type { Rewriter } from './rewriter.ts';
import { bare, compiler, type Expression, type Node } from './syntax.ts';
import { argumentText, filtersText, type Options, optionsOf, type QueryParts, queryParts } from './translate-query.ts';

export type Api = 'entityService' | 'documents' | 'query' | 'service';

export interface EntriesCall {
  readonly api: Api;
  readonly type: TypeInfo;
  readonly method: string;
  /** Without the uid. */
  readonly given: readonly Expression[];
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/u;

export function entriesText({ name }: TypeInfo, rewriter: Rewriter): string {
  // The type is known only while the code runs.
  if (name.startsWith('(')) return `${rewriter.use('entriesOf')}${name}`;
  return `${rewriter.use('server')}.entries${IDENTIFIER.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`}`;
}

/** The query in an argument. */
interface Given {
  /** Undefined if it is known only while the code runs. */
  readonly options: Options | undefined;
  readonly node: Node | undefined;
}

function givenIn(node: Node | undefined, without: readonly string[] = []): Given {
  const options = optionsOf(node);
  return { node, options: options && new Map([...options].filter(([name]) => !without.includes(name))) };
}

function listed(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(', ');
}

/** Data that is in the code as it is. */
function isPlainData(node: Node): boolean {
  const ts = compiler();
  const inner = bare(node);
  if (!ts.isObjectLiteralExpression(inner)) return false;
  return inner.properties.every((one) => {
    const value = ts.isPropertyAssignment(one) ? bare(one.initializer) : undefined;
    return (
      value !== undefined &&
      (ts.isStringLiteralLike(value) || ts.isNumericLiteral(value) || /^(?:true|false|null)$/u.test(value.getText()))
    );
  });
}

const FIRST = 'pagination: { limit: 1 }';

/** Prints calls of the entries of one type. */
class EntriesPrinter {
  readonly #call: EntriesCall;
  readonly #rewriter: Rewriter;
  readonly #major: 4 | 5;
  readonly #entries: string;

  constructor(call: EntriesCall, rewriter: Rewriter, { major }: FileContext) {
    this.#call = call;
    this.#rewriter = rewriter;
    this.#major = major;
    this.#entries = entriesText(call.type, rewriter);
  }

  #use(name: string): string {
    return this.#rewriter.use(name);
  }

  #parts({ options }: Given): QueryParts | undefined {
    return options && queryParts(options, this.#call.type, this.#rewriter);
  }

  /** The query as an argument: converted while the server runs, if it isn't known before. */
  #query(
    given: Given,
    { extra = [], withPage = false }: { extra?: readonly string[]; withPage?: boolean } = {},
  ): string {
    const parts = this.#parts(given);
    if (parts === undefined) {
      const { hasDrafts } = this.#call.type;
      const state = hasDrafts && this.#call.api !== 'service' ? ["publicationState: 'preview'"] : [];
      const query = given.node ? this.#rewriter.print(given.node) : '';
      return argumentText([...state, `...${this.#use('queryOf')}(${query})`, ...extra]);
    }
    return argumentText([...parts.members, ...(withPage && parts.pagination ? [parts.pagination] : []), ...extra]);
  }

  #one(call: string): string {
    return `${this.#use('oneOf')}(${this.#entries}.${call})`;
  }

  #single(given: Given): string {
    return this.#one(`find(${this.#query(given)})`);
  }

  list(node: Node | undefined): string {
    const given = givenIn(node);
    if (this.#call.type.isSingle) return this.#single(given);
    const parts = this.#parts(given);
    const method = parts !== undefined && parts.pagination === undefined ? 'stream' : 'find';
    return `${this.#use('listOf')}(${this.#entries}.${method}(${this.#query(given, { withPage: true })}))`;
  }

  page(node: Node | undefined): string {
    if (this.#call.type.isSingle) return this.#single(givenIn(node));
    return `${this.#use('pageOf')}(${this.#entries}.find(${this.#query(givenIn(node), { withPage: true })}))`;
  }

  /** Entries and their number, as `db.query` has them: `[entries, number]`. */
  listAndCount(node: Node | undefined): string {
    return `Promise.all([${this.list(node)}, ${this.count(node)}])`;
  }

  first(node: Node | undefined): string {
    const given = givenIn(node);
    if (this.#call.type.isSingle) return this.#single(given);
    const id = this.#idIn(given);
    if (id !== undefined) return this.#one(`findOne(${listed(id, this.#query(givenIn(node, ['where', 'filters'])))})`);
    return `${this.#use('firstOf')}(${this.#entries}.find(${this.#query(given, { extra: [FIRST] })}))`;
  }

  #key(node: Node): string {
    const text = this.#rewriter.print(node);
    const isNumber = compiler().isNumericLiteral(bare(node)) || text.startsWith('Number(');
    return this.#major === 5 || isNumber ? text : `Number(${text})`;
  }

  /** The id, if it is the only condition: `{ where: { id } }`. */
  #idIn({ options }: Given): string | undefined {
    const where = options?.get('where') ?? options?.get('filters');
    const conditions = where && optionsOf(where);
    if (!conditions || conditions.size !== 1) return undefined;
    const id = conditions.get('id') ?? conditions.get('documentId');
    return id === undefined || compiler().isObjectLiteralExpression(bare(id)) ? undefined : this.#key(id);
  }

  findOne(key: Node | undefined, node: Node | undefined): string | undefined {
    const given = givenIn(node, ['documentId']);
    if (this.#call.type.isSingle) return this.#single(given);
    return key && this.#one(`findOne(${listed(this.#key(key), this.#query(given))})`);
  }

  /** Data as `entries` take it, without what only Strapi allows in it: dates, and members that are undefined. */
  #data(node: Expression): string {
    const text = this.#rewriter.print(node);
    return isPlainData(node) ? text : `${this.#use('dataOf')}(${text})`;
  }

  /** The data of a new entry: in Strapi's own code, it is a draft unless it says otherwise. */
  #newData(node: Expression, options: Options): string {
    const text = this.#data(node);
    const { api, type } = this.#call;
    if (!type.hasDrafts || api === 'service' || options.get('status')?.getText().includes('published')) return text;
    const members = optionsOf(node);
    if (members?.has('publishedAt')) return text;
    return `{ publishedAt: null, ...${text} }`;
  }

  /** The arguments of a write: the data, and what to return. */
  #dataIn(node: Expression | undefined, isNew: boolean): string | undefined {
    if (node === undefined) return undefined;
    const { options } = givenIn(node);
    if (options === undefined) return `${this.#use('dataOf')}((${this.#rewriter.print(node)}).data)`;
    const data = options.get('data');
    if (data === undefined) return undefined;
    const returned = new Map([...options].filter(([name]) => ['populate', 'locale', 'fields'].includes(name)));
    const parts = queryParts(returned, { ...this.#call.type, hasDrafts: false }, this.#rewriter);
    const text = isNew ? this.#newData(data, options) : this.#data(data);
    return listed(text, parts && argumentText(parts.members));
  }

  create(node: Expression | undefined): string | undefined {
    const data = this.#dataIn(node, true);
    return data && this.#one(`${this.#call.type.isSingle ? 'save' : 'create'}(${data})`);
  }

  update(key: Node | undefined, node: Expression | undefined): string | undefined {
    const data = this.#dataIn(node, false);
    if (data === undefined) return undefined;
    if (this.#call.type.isSingle) return this.#one(`save(${data})`);
    return key && this.#one(`update(${this.#key(key)}, ${data})`);
  }

  publish(key: Node | undefined, isPublic: boolean): string | undefined {
    if (key === undefined || !this.#call.type.hasDrafts) return undefined;
    const time = isPublic ? 'new Date().toISOString()' : 'null';
    return this.#one(`update(${this.#key(key)}, { publishedAt: ${time} })`);
  }

  delete(key: Node | undefined): string | undefined {
    if (this.#call.type.isSingle) return this.#one('delete()');
    return key && this.#one(`delete(${this.#key(key)})`);
  }

  /** `update` and `delete` of `db.query`: of the first that matches. */
  onFirst(node: Expression | undefined, method: 'update' | 'delete'): string | undefined {
    const data = method === 'update' ? this.#dataIn(node, false) : '';
    const given = givenIn(node, ['data', 'populate', 'select']);
    if (data === undefined) return undefined;
    if (this.#call.type.isSingle) return this.#one(method === 'update' ? `save(${data})` : 'delete()');
    const id = this.#idIn(given);
    if (id !== undefined) return this.#one(`${method}(${listed(id, data)})`);
    if (!given.options?.has('where')) return undefined;
    const found = `${this.#entries}.find(${this.#query(given, { extra: [FIRST] })})`;
    return `${this.#use('onFirst')}(${found}, (id) => ${this.#entries}.${method}(${listed('id', data)}))`;
  }

  count(node: Node | undefined): string {
    const { options } = givenIn(node);
    // `count` of db.query also takes the condition itself.
    const isCondition =
      this.#call.api === 'query' &&
      options !== undefined &&
      options.size > 0 &&
      !options.has('where') &&
      !options.has('filters');
    if (isCondition && node) return `${this.#entries}.count({ filters: ${filtersText(node, this.#rewriter)} })`;
    const given = givenIn(node, [
      'populate',
      'fields',
      'select',
      'sort',
      'orderBy',
      'limit',
      'start',
      'offset',
      'pagination',
    ]);
    return `${this.#entries}.count(${this.#query(given)})`;
  }

  many(method: 'createMany' | 'updateMany' | 'deleteMany', node: Expression | undefined): string | undefined {
    const { options } = givenIn(node);
    const data = options?.get('data');
    if (options === undefined) return undefined;
    if (method === 'createMany') {
      return data && `${this.#entries}.createMany(${this.#data(data)}).then((ids) => ({ count: ids.length, ids }))`;
    }
    const query = this.#query(givenIn(node, ['data'])) || '{}';
    const rest = method === 'updateMany' ? data && this.#data(data) : '';
    if (rest === undefined) return undefined;
    return `${this.#entries}.${method}(${listed(query, rest)}).then((count) => ({ count }))`;
  }
}

function entityCall({ method, given }: EntriesCall, to: EntriesPrinter): string | undefined {
  const [first, second] = given;
  switch (method) {
    case 'findMany':
      return to.list(first);
    case 'findPage':
      return to.page(first);
    case 'findOne':
      return to.findOne(first, second);
    case 'create':
      return to.create(first);
    case 'update':
      return to.update(first, second);
    case 'delete':
      return to.delete(first);
    case 'count':
      return to.count(first);
    default:
      return undefined;
  }
}

function documentsCall({ method, given }: EntriesCall, to: EntriesPrinter): string | undefined {
  const [first] = given;
  const key = optionsOf(first)?.get('documentId');
  switch (method) {
    case 'findMany':
      return to.list(first);
    case 'findFirst':
      return to.first(first);
    case 'findOne':
      return to.findOne(key, first);
    case 'create':
      return to.create(first);
    case 'update':
      return to.update(key, first);
    case 'delete':
      return to.delete(key);
    case 'count':
      return to.count(first);
    case 'publish':
    case 'unpublish':
      return to.publish(key, method === 'publish');
    default:
      return undefined;
  }
}

function queryCall({ method, given }: EntriesCall, to: EntriesPrinter): string | undefined {
  const [first] = given;
  switch (method) {
    case 'findOne':
      return to.first(first);
    case 'findMany':
      return to.list(first);
    case 'findWithCount':
      return to.listAndCount(first);
    case 'create':
      return to.create(first);
    case 'update':
    case 'delete':
      return to.onFirst(first, method);
    case 'count':
      return to.count(first);
    case 'createMany':
    case 'updateMany':
    case 'deleteMany':
      return to.many(method, first);
    default:
      return undefined;
  }
}

function serviceCall({ method, given }: EntriesCall, to: EntriesPrinter): string | undefined {
  const [first, second] = given;
  switch (method) {
    case 'find':
      return to.page(first);
    case 'findOne':
      return to.findOne(first, second);
    case 'create':
      return to.create(first);
    case 'update':
      return to.update(first, second);
    case 'delete':
      return to.delete(first);
    case 'count':
      return to.count(first);
    default:
      return undefined;
  }
}

const CALLS = { entityService: entityCall, documents: documentsCall, query: queryCall, service: serviceCall };

/** A call in terms of `entries`; undefined if there is none. */
export function translateEntriesCall(call: EntriesCall, rewriter: Rewriter, file: FileContext): string | undefined {
  return CALLS[call.api](call, new EntriesPrinter(call, rewriter, file));
}
