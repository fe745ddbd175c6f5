/** Queries of Strapi in code, as queries of `entries`. */
import type { TypeInfo } from './file-context.ts';
import type { Rewriter } from './rewriter.ts';
import { bare, compiler, type Expression, type Node, propertyName, textOfLiteral } from './syntax.ts';

/** The options of a call: name → value. */
export type Options = ReadonlyMap<string, Expression>;

/** The members of an object literal; undefined if the code only knows them while it runs. */
export function optionsOf(given: Node | undefined): Options | undefined {
  const ts = compiler();
  if (given === undefined) return new Map();
  const object = bare(given);
  if (!ts.isObjectLiteralExpression(object)) return undefined;
  const options = new Map<string, Expression>();
  for (const member of object.properties) {
    const name = member.name && propertyName(member.name);
    if (name === undefined) return undefined;
    if (ts.isPropertyAssignment(member)) options.set(name, member.initializer);
    else if (ts.isShorthandPropertyAssignment(member)) options.set(name, member.name);
    else return undefined;
  }
  return options;
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/u;

export function memberText(name: string, value: string): string {
  const key = IDENTIFIER.test(name) ? name : JSON.stringify(name);
  return key === value ? key : `${key}: ${value}`;
}

/** `author.books` and `tags` as `{ author: { populate: { books: true } }, tags: true }`. */
function populatePaths(paths: readonly string[]): string {
  if (paths.includes('*')) return "'*'";
  if (paths.every((path) => !path.includes('.'))) return `[${paths.map((path) => JSON.stringify(path)).join(', ')}]`;
  const inner = new Map<string, string[]>();
  for (const path of paths) {
    const [first = '', ...rest] = path.split('.');
    const own = inner.get(first) ?? [];
    if (rest.length > 0) own.push(rest.join('.'));
    inner.set(first, own);
  }
  const members = [...inner].map(([name, rest]) =>
    memberText(name, rest.length === 0 ? 'true' : `{ populate: ${populatePaths(rest)} }`),
  );
  return `{ ${members.join(', ')} }`;
}

/** What a `populate` in code becomes; undefined if it isn't known before the code runs. */
export function populateText(given: Node, rewriter: Rewriter): string | undefined {
  const ts = compiler();
  const node = bare(given);
  const text = textOfLiteral(node);
  if (text !== undefined) {
    return text.startsWith('deep') ? undefined : populatePaths(text.split(',').map((one) => one.trim()));
  }
  if (node.kind === ts.SyntaxKind.TrueKeyword) return "'*'";
  if (ts.isArrayLiteralExpression(node)) {
    const paths = node.elements.map((element) => textOfLiteral(element));
    return paths.every((path) => path !== undefined) ? populatePaths(paths) : undefined;
  }
  const options = ts.isObjectLiteralExpression(node) ? optionsOf(node) : undefined;
  if (options === undefined) return undefined;
  const members: string[] = [];
  for (const [name, value] of options) {
    if (bare(value).kind === ts.SyntaxKind.FalseKeyword) continue;
    const part = partText(value, rewriter);
    if (part === undefined) return undefined;
    members.push(memberText(name, part));
  }
  return members.length === 0 ? undefined : `{ ${members.join(', ')} }`;
}

/** What to populate of one relation. */
function partText(given: Expression, rewriter: Rewriter): string | undefined {
  const ts = compiler();
  const node = bare(given);
  if (node.kind === ts.SyntaxKind.TrueKeyword || textOfLiteral(node) === '*') return 'true';
  const options = ts.isObjectLiteralExpression(node) ? optionsOf(node) : undefined;
  if (options === undefined) return undefined;
  const members: string[] = [];
  for (const [name, value] of options) {
    if (name === 'on') {
      const kinds = optionsOf(value);
      const parts = kinds && [...kinds].map(([kind, part]) => [kind, partText(part, rewriter)] as const);
      if (!parts || parts.some(([, part]) => part === undefined)) return undefined;
      members.push(`on: { ${parts.map(([kind, part]) => memberText(kind, part ?? 'true')).join(', ')} }`);
      continue;
    }
    const part = partOption(name, value, rewriter);
    if (part === undefined) return undefined;
    if (part !== '') members.push(part);
  }
  return members.length === 0 ? 'true' : `{ ${members.join(', ')} }`;
}

function partOption(name: string, value: Expression, rewriter: Rewriter): string | undefined {
  if (name === 'populate') {
    const empty = compiler().isArrayLiteralExpression(bare(value)) && value.getText().replaceAll(/\s/gu, '') === '[]';
    if (empty) return '';
    const text = populateText(value, rewriter);
    return text === undefined ? undefined : `populate: ${text}`;
  }
  if (name === 'fields' || name === 'select') return fieldsText(value, rewriter) ?? '';
  if (name === 'filters' || name === 'where') return `filters: ${filtersText(value, rewriter)}`;
  if (name === 'sort' || name === 'orderBy') return `sort: ${sortText(value, rewriter)}`;
  if (name === 'limit' || name === 'start') return `${name}: ${rewriter.print(value)}`;
  return undefined;
}

/** Conditions: `null` is an operator here. */
export function filtersText(given: Node, rewriter: Rewriter): string {
  const ts = compiler();
  const node = bare(given);
  if (ts.isArrayLiteralExpression(node)) {
    return `[${node.elements.map((one) => filtersText(one, rewriter)).join(', ')}]`;
  }
  if (!ts.isObjectLiteralExpression(node)) return rewriter.print(given);
  const members = node.properties.map((member) => {
    const name = member.name && propertyName(member.name);
    if (!ts.isPropertyAssignment(member) || name === undefined) return rewriter.print(member);
    const value = bare(member.initializer);
    const isNull = value.kind === ts.SyntaxKind.NullKeyword;
    if (!isNull) return memberText(name, filtersText(value, rewriter));
    if (name === '$eq' || name === '$ne') return name === '$eq' ? '$null: true' : '$notNull: true';
    return memberText(name, '{ $null: true }');
  });
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function fieldsText(value: Expression, rewriter: Rewriter): string | undefined {
  const text = textOfLiteral(value);
  if (text === '*') return undefined;
  const node = bare(value);
  const ts = compiler();
  if (ts.isArrayLiteralExpression(node) && node.elements.some((element) => textOfLiteral(element) === '*')) {
    return undefined;
  }
  return text === undefined ? `fields: ${rewriter.print(value)}` : `fields: [${JSON.stringify(text)}]`;
}

/** Directions are lower case here. */
function sortText(value: Expression, rewriter: Rewriter): string {
  return rewriter
    .print(value)
    .replaceAll(/(['":])(ASC|DESC)(['"])/gu, (_all, before: string, word: string, after: string) => {
      return `${before}${word.toLowerCase()}${after}`;
    });
}

const PAGE = ['limit', 'start', 'page', 'pageSize', 'offset'];

/** The parts of a query, translated. */
export interface QueryParts {
  /** All but the pagination. */
  readonly members: readonly string[];
  /** Undefined: all entries. */
  readonly pagination: string | undefined;
}

/** The state of the entries: Strapi's own code also finds drafts, unless it asks for what is published. */
function stateText(options: Options, { hasDrafts }: TypeInfo): string | undefined {
  const state = textOfLiteral(options.get('publicationState') ?? options.get('status'));
  if (!hasDrafts) return '';
  if (state === 'live' || state === 'published') return "publicationState: 'live'";
  if (state === undefined && (options.has('publicationState') || options.has('status'))) return undefined;
  return "publicationState: 'preview'";
}

/** The query of a call; undefined if it isn't known before the code runs. */
export function queryParts(options: Options, type: TypeInfo, rewriter: Rewriter): QueryParts | undefined {
  const members: string[] = [];
  const page: string[] = [];
  for (const [name, value] of options) {
    if (['data', 'documentId', 'publicationState', 'status', 'files', 'count'].includes(name)) continue;
    if (PAGE.includes(name)) {
      if (name === 'limit' && /^-\s*1$/u.test(value.getText())) continue;
      page.push(memberText(name === 'offset' ? 'start' : name, rewriter.print(value)));
      continue;
    }
    if (name === 'pagination') {
      const inner = optionsOf(value);
      if (inner === undefined) return undefined;
      for (const [key, one] of inner) {
        if (!PAGE.includes(key) && key !== 'withCount') return undefined;
        if (key === 'limit' && /^-\s*1$/u.test(one.getText())) continue;
        page.push(memberText(key, rewriter.print(one)));
      }
      continue;
    }
    const text = name === 'locale' ? memberText('locale', rewriter.print(value)) : partOption(name, value, rewriter);
    if (text === undefined) return undefined;
    if (text !== '') members.push(text);
  }
  const state = stateText(options, type);
  if (state === undefined) return undefined;
  if (state !== '') members.push(state);
  return { members, pagination: page.length === 0 ? undefined : `pagination: { ${page.join(', ')} }` };
}

/** Members as an argument: nothing if there are none. */
export function argumentText(members: readonly string[]): string {
  return members.length === 0 ? '' : `{ ${members.join(', ')} }`;
}
