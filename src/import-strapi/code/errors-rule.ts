/** What refuses a request: `ctx.badRequest(…)` and `ctx.throw(…)` become errors that are thrown. */
import type { Rewriter } from './rewriter.ts';
import type { ts as TypeScript } from 'ts-morph';
import { compiler, type Expression, isFunc, type Node, visitAll } from './syntax.ts';

/** Methods of the context in Strapi: status and name of the error. */
const REFUSALS: Readonly<Record<string, readonly [number, string]>> = {
  badRequest: [400, 'BadRequestError'],
  unauthorized: [401, 'UnauthorizedError'],
  paymentRequired: [402, 'PaymentRequiredError'],
  forbidden: [403, 'ForbiddenError'],
  notFound: [404, 'NotFoundError'],
  methodNotAllowed: [405, 'MethodNotAllowedError'],
  notAcceptable: [406, 'NotAcceptableError'],
  conflict: [409, 'ConflictError'],
  gone: [410, 'GoneError'],
  preconditionFailed: [412, 'PreconditionFailedError'],
  payloadTooLarge: [413, 'PayloadTooLargeError'],
  unprocessableEntity: [422, 'UnprocessableEntityError'],
  locked: [423, 'LockedError'],
  tooManyRequests: [429, 'TooManyRequestsError'],
  internalServerError: [500, 'InternalServerError'],
  notImplemented: [501, 'NotImplementedError'],
  badGateway: [502, 'BadGatewayError'],
  serviceUnavailable: [503, 'ServiceUnavailableError'],
  gatewayTimeout: [504, 'GatewayTimeoutError'],
};

export function isRefusal(method: string): boolean {
  return Object.hasOwn(REFUSALS, method);
}

function isText(node: Expression | undefined): boolean {
  const ts = compiler();
  return node !== undefined && (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node));
}

/** The error for a refusal: of a class, where one says the same. */
export function refusalText(method: string, given: readonly Expression[], rewriter: Rewriter): string {
  const [status, name] = REFUSALS[method] ?? [500, 'InternalServerError'];
  const printed = given.map((one) => rewriter.print(one));
  const [only] = given;
  const hasClass = given.length === 0 ? [401, 403, 404] : given.length === 1 && isText(only) ? [400, 401, 403] : [];
  if (hasClass.includes(status)) return `new ${rewriter.use(name)}(${printed.join(', ')})`;
  return `${rewriter.use('failure')}(${[status, `'${name}'`, ...printed].join(', ')})`;
}

const NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(REFUSALS).map(([method, [status]]) => [String(status), method]),
);

/** The error of `ctx.throw(status, message)`. */
export function thrownText(given: readonly Expression[], rewriter: Rewriter): string {
  const ts = compiler();
  const [status, ...rest] = given;
  const method = status && ts.isNumericLiteral(status) ? NAMES[status.text] : undefined;
  if (method !== undefined) return refusalText(method, rest, rewriter);
  const isNumber = status !== undefined && !isText(status);
  const printed = given.map((one) => rewriter.print(one));
  return `${rewriter.use('failure')}(${[...(isNumber ? [] : ['500']), ...printed.slice(0, 1), "'Error'", ...printed.slice(1)].join(', ')})`;
}

/** `throw` where the refusal is a statement or what is returned, else a call that throws. */
export function throwing(node: Node, error: string): { readonly statement: Node; readonly text: string } | undefined {
  const ts = compiler();
  let at: Node = node;
  while (ts.isAwaitExpression(at.parent) || ts.isParenthesizedExpression(at.parent)) at = at.parent;
  const { parent } = at;
  if (ts.isReturnStatement(parent) || ts.isExpressionStatement(parent) || ts.isThrowStatement(parent)) {
    return { statement: parent, text: `throw ${error};` };
  }
  return undefined;
}

/** Whether a block refuses requests itself, rather than in a function in it. */
export function refuses(block: Node, isCall: (node: Node) => boolean): boolean {
  let found = false;
  visitAll(block, (node) => {
    if (node !== block && isFunc(node)) return false;
    if (isCall(node)) found = true;
    return !found;
  });
  return found;
}

/** A `catch` that lets refusals pass: in Strapi they were answers, not errors. */
export function catchText(node: TypeScript.CatchClause, isRefused: boolean, rewriter: Rewriter): string {
  const { variableDeclaration: variable, block } = node;
  const body = rewriter.print(block);
  const isPattern = variable !== undefined && !compiler().isIdentifier(variable.name);
  if (isPattern || (!variable && !isRefused)) {
    return `catch ${variable ? `(${rewriter.print(variable.name)}: any) ` : ''}${body}`;
  }
  const name = variable ? rewriter.print(variable.name) : 'error';
  const pass = isRefused ? `{\nif (${name} instanceof ${rewriter.use('HttpError')}) throw ${name};` : '{';
  return `catch (${name}: any) ${body.replace('{', () => pass)}`;
}
