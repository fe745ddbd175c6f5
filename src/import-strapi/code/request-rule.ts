/** The context of a request: `ctx` of controllers, policies and middlewares becomes a `Call`. */
import type { ts as TypeScript } from 'ts-morph';
import { catchText, isRefusal, refusalText, refuses, throwing, thrownText } from './errors-rule.ts';
import type { FileContext } from './file-context.ts';
import { pathFrom, type Segment } from './member-path.ts';
import type { Rewriter, Rule } from './rewriter.ts';
import { parameterText } from './types-rule.ts';
import {
  bare,
  compiler,
  type Declaration,
  declarationOf,
  type Func,
  functionAround,
  isAsync,
  isFunc,
  type Node,
  visitAll,
} from './syntax.ts';

const NAMES: ReadonlySet<string> = new Set(['ctx', '_ctx', 'context', '_context', 'policyContext', 'koaContext']);

/** Roles in which the first parameter of a function may be the context, whatever it is named. */
const REQUESTS: ReadonlySet<string> = new Set(['controller', 'policy', 'middleware', 'users', 'routes']);

/** Whether a parameter is the context of a request. */
export function isContext(declaration: Declaration | undefined, { role }: FileContext): boolean {
  const ts = compiler();
  if (!declaration || !ts.isParameter(declaration) || role === 'lifecycles' || role === 'cron') return false;
  if (!ts.isIdentifier(declaration.name)) return false;
  const name = declaration.name.text;
  const isFirst = isFunc(declaration.parent) && declaration.parent.parameters[0] === declaration;
  return name === 'ctx' || (isFirst && REQUESTS.has(role) && NAMES.has(name));
}

/** `{ request, state }` in place of the context. */
function isTakenApart(declaration: Declaration, { role }: FileContext): boolean {
  const ts = compiler();
  if (!ts.isParameter(declaration) || !ts.isObjectBindingPattern(declaration.name)) return false;
  if (!REQUESTS.has(role) || !isFunc(declaration.parent) || declaration.parent.parameters[0] !== declaration) {
    return false;
  }
  const names = declaration.name.elements.map((element) => (element.propertyName ?? element.name).getText());
  return names.length > 0 && names.every((name) => ['request', 'state', 'params', 'query', 'response'].includes(name));
}

/** The name of the call, which must not be that of anything else in the file. */
function callName(node: Node): string {
  const source = node.getSourceFile() as TypeScript.SourceFile & { callName?: string };
  source.callName ??= /\bcall\b(?!\s*\()/u.test(source.text.replaceAll(/\.call\b/gu, '')) ? 'theCall' : 'call';
  return source.callName;
}

function contextIn(node: Node, file: FileContext): readonly Segment[] | undefined {
  const path = pathFrom(node);
  if (!path || !/^[A-Za-z_$]/u.test(path.root)) return undefined;
  let first: Node = bare(node);
  const ts = compiler();
  while (!ts.isIdentifier(first) && 'expression' in first) first = bare(first.expression as Node);
  return isContext(declarationOf(first, path.root), file) ? path.segments : undefined;
}

function pathText(segments: readonly Segment[]): string {
  return segments.map(({ name, arguments: given }) => (given ? `${name}()` : name)).join('.');
}

/** Members of the context that the call has itself. */
const OWN: Readonly<Record<string, string>> = {
  'request.body': 'body',
  'request.query': 'query',
  query: 'query',
  params: 'params',
  'request.params': 'params',
};

const FILES =
  'uploads of own routes: read them with body: "stream" in the endpoint, or upload them to /api/upload first';

const UNKNOWN: Readonly<Record<string, string>> = {
  'request.files': FILES,
  'request.file': FILES,
  'state.auth': 'there is no ctx.state.auth: use call.caller and its permissions',
  'state.route': 'there is no ctx.state.route',
  'state.isAuthenticated': "use call.caller.kind === 'user'",
};

function isAssigned(node: Node): boolean {
  const ts = compiler();
  const { parent } = node;
  return (
    ts.isBinaryExpression(parent) &&
    parent.left === node &&
    parent.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
    parent.operatorToken.kind <= ts.SyntaxKind.LastAssignment
  );
}

function isCondition(node: Node): boolean {
  const ts = compiler();
  const { parent } = node;
  if (ts.isIfStatement(parent)) return parent.expression === node;
  if (ts.isConditionalExpression(parent)) return parent.condition === node;
  return ts.isPrefixUnaryExpression(parent) && parent.operator === ts.SyntaxKind.ExclamationToken;
}

/** `ctx.state.user`, which is loaded when it is needed. */
function userText(node: Node, file: FileContext, rewriter: Rewriter): string {
  const ts = compiler();
  const call = callName(node);
  if (isCondition(node)) return `(${call}.caller.kind === 'user')`;
  const { parent } = node;
  const around = functionAround(node);
  if (around && !isAsync(around) && !becomesAsync(around, file)) {
    return rewriter.mark(node, `load the user before this function: const user = await ${call}.user()`);
  }
  const isPlain = ts.isVariableDeclaration(parent) || ts.isReturnStatement(parent);
  return isPlain ? `await ${call}.user()` : `(await ${call}.user())`;
}

/** Functions with a context that load the user wait for that. */
function becomesAsync(func: Func, file: FileContext): boolean {
  const ts = compiler();
  if (isAsync(func) || ts.isConstructorDeclaration(func) || ts.isAccessor(func) || func.asteriskToken) return false;
  const [first] = func.parameters;
  if (!first || !(isContext(first, file) || isTakenApart(first, file))) return false;
  let loads = false;
  visitAll(func.body ?? func, (node) => {
    if (node !== func.body && isFunc(node)) return false;
    if (/\bstate\b/u.test(node.getText())) {
      loads ||= ts.isPropertyAccessExpression(node) || ts.isVariableDeclaration(node);
    }
    return !loads;
  });
  return loads;
}

/** What stands for a member of the context that is taken apart: `const { query, state } = ctx`. */
function memberOf(name: string, call: string): string {
  if (name === 'query' || name === 'params') return `${call}.${name}`;
  if (name === 'state') return `{ ...${call}.ctx.state, user: await ${call}.user() }`;
  if (name === 'request') {
    return `{ body: ${call}.body, query: ${call}.query, headers: ${call}.ctx.headers, header: ${call}.ctx.headers, method: ${call}.ctx.method, url: ${call}.ctx.url, ip: ${call}.ctx.ip }`;
  }
  return `${call}.ctx.${name}`;
}

/** `const { body } = ctx.request`: an object with what is taken. `of` is where it is taken from: empty for the context. */
function apartText(pattern: TypeScript.ObjectBindingPattern, of: string, rewriter: Rewriter): string {
  const call = callName(pattern);
  const members = pattern.elements.map((element) => {
    const name = (element.propertyName ?? element.name).getText();
    const isFiles =
      of === 'request' ? /^files?$/u.test(name) : name === 'request' && /\bfiles?\b/u.test(element.getText());
    if (isFiles) return `${name}: ${rewriter.mark(element, FILES)}`;
    if (of === 'request') {
      const own = ['body', 'query', 'params'].includes(name);
      return `${name}: ${call}.${own ? name : `ctx.request.${name}`}`;
    }
    if (of === 'state') return `${name}: ${name === 'user' ? `await ${call}.user()` : `${call}.ctx.state.${name}`}`;
    return `${name}: ${memberOf(name, call)}`;
  });
  return `{ ${[...new Set(members)].join(', ')} }`;
}

/** Whether an expression is kept or passed on as it is. */
function isValue(node: Node): boolean {
  const ts = compiler();
  const { parent } = node;
  const isArgument = ts.isCallExpression(parent) && parent.arguments.some((one) => one === node);
  return isArgument || (ts.isVariableDeclaration(parent) && parent.initializer === node);
}

function isWhole(node: Node): boolean {
  const ts = compiler();
  const { parent } = node;
  return !(ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent));
}

function sendText(
  node: TypeScript.CallExpression,
  given: readonly Node[],
  status: string | undefined,
  rewriter: Rewriter,
): string {
  const ts = compiler();
  const call = callName(node);
  const [value] = given;
  const body = value ? rewriter.print(value) : "''";
  if (status !== undefined) return `${rewriter.use('respond')}(${call}, ${body}, ${status})`;
  if (ts.isReturnStatement(node.parent)) return body;
  return `(${call}.ctx.body = ${body})`;
}

export function requestRule(file: FileContext): Rule {
  const ts = compiler();

  /** A refusal, which is a method of the context or `ctx.throw`. */
  function refusal(node: Node): ((rewriter: Rewriter) => string) | undefined {
    if (!ts.isCallExpression(node)) return undefined;
    const segments = contextIn(node, file);
    const [segment] = segments ?? [];
    if (segments?.length !== 1 || !segment?.arguments) return undefined;
    const { name, arguments: given } = segment;
    if (isRefusal(name)) return (rewriter) => refusalText(name, given, rewriter);
    return name === 'throw' ? (rewriter) => thrownText(given, rewriter) : undefined;
  }
  const isAnswer = (node: Node): boolean =>
    refusal(node) !== undefined && ts.isCallExpression(node) && !node.expression.getText().endsWith('.throw');

  function statementText(node: Node, rewriter: Rewriter): string | undefined {
    const inner =
      (ts.isReturnStatement(node) || ts.isExpressionStatement(node) || ts.isThrowStatement(node)) && node.expression;
    if (!inner) return undefined;
    let call: Node = bare(inner);
    if (ts.isAwaitExpression(call)) call = bare(call.expression);
    const error = refusal(call);
    return error && throwing(call, '')?.statement === node ? `throw ${error(rewriter)};` : undefined;
  }

  function functionText(node: Func, rewriter: Rewriter): string | undefined {
    const [first] = node.parameters;
    const apart = first !== undefined && isTakenApart(first, file);
    const text = (): string => rewriter.children(node);
    if (!apart) return becomesAsync(node, file) ? `async ${text()}` : undefined;
    if (!first || !ts.isObjectBindingPattern(first.name) || !node.body) return undefined;
    const pattern = `const ${first.name.getText()}: any = ${apartText(first.name, '', rewriter)};`;
    const printed = isAsync(node) ? text() : `async ${text()}`;
    if (!ts.isBlock(node.body)) return undefined;
    const body = rewriter.children(node.body);
    const at = printed.lastIndexOf(body);
    return at < 0
      ? undefined
      : `${printed.slice(0, at)}{\n${pattern}${body.slice(1)}${printed.slice(at + body.length)}`;
  }

  return (node, rewriter) => {
    if (ts.isCatchClause(node)) {
      const isRefused = refuses(node.parent.tryBlock, isAnswer);
      return catchText(node, isRefused, rewriter);
    }
    if (ts.isBinaryExpression(node) && isAssigned(node.left) && ts.isPropertyAccessExpression(node.left)) {
      const left = contextIn(node.left, file);
      if (left && pathText(left) === 'state.user') {
        return rewriter.mark(node, 'the signed-in user cannot be replaced: pass the user to what needs it');
      }
    }
    const statement = statementText(node, rewriter);
    if (statement !== undefined) return statement;
    if (isFunc(node)) return functionText(node, rewriter);
    if (ts.isParameter(node) && (isContext(node, file) || isTakenApart(node, file))) {
      rewriter.use('Call');
      return parameterText(node, () => '').replace(/^(\(?)[^:]*?\??: *(?:any)?/u, `$1${callName(node)}: Call`);
    }
    const isMember = ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);
    if (!ts.isIdentifier(node) && !isMember && !ts.isCallExpression(node)) return undefined;
    if (ts.isIdentifier(node)) return identifierText(node, rewriter);
    const segments = contextIn(node, file);
    if (!segments || segments.length === 0) return undefined;
    const call = callName(node);
    const path = pathText(segments);
    if (ts.isCallExpression(node)) {
      const error = refusal(node);
      if (error) return `${rewriter.use('refuse')}(${error(rewriter)})`;
      const [{ name, arguments: given = [] } = { name: '' }] = segments;
      if (path === 'send()') return sendText(node, given, given[1] && rewriter.print(given[1]), rewriter);
      if (path === 'created()' || path === 'accepted()') {
        return sendText(node, given, name === 'created' ? '201' : '202', rewriter);
      }
      return undefined;
    }
    const own = OWN[path];
    if (own !== undefined) return `${call}.${own}`;
    if (path === 'state.user.id') return isAssigned(node) ? undefined : `${call}.userId`;
    if (path === 'state.user') return userText(node, file, rewriter);
    if (
      ts.isVariableDeclaration(node.parent) &&
      ts.isObjectBindingPattern(node.parent.name) &&
      ['request', 'state'].includes(path)
    ) {
      return apartText(node.parent.name, path, rewriter);
    }
    // The request itself, which has no body of its own here.
    if ((path === 'request' || path === 'state') && isValue(node)) return memberOf(path, call);
    const unknown = UNKNOWN[path];
    return unknown === undefined ? undefined : rewriter.mark(node, unknown);
  };

  function identifierText(node: TypeScript.Identifier, rewriter: Rewriter): string | undefined {
    if (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) return undefined;
    if (ts.isPropertyAssignment(node.parent) && node.parent.name === node) return undefined;
    if (ts.isParameter(node.parent) && node.parent.name === node) return undefined;
    if (!isContext(declarationOf(node, node.text), file)) return undefined;
    const call = callName(node);
    if (ts.isShorthandPropertyAssignment(node.parent)) return `${node.text}: ${call}`;
    if (!isWhole(node)) return `${call}.ctx`;
    if (ts.isVariableDeclaration(node.parent) && ts.isObjectBindingPattern(node.parent.name)) {
      return apartText(node.parent.name, '', rewriter);
    }
    return call;
  }
}
