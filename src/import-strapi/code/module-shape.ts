/** What a file exports: the object with its methods, a function, or another value. */
import type { ts as TypeScript } from 'ts-morph';
import {
  bare,
  compiler,
  type Expression,
  initializerOf,
  isFunc,
  type Node,
  type SourceFile,
  textOfLiteral,
} from './syntax.ts';

export interface ModuleShape {
  /** The statement with the export; undefined if there is none. */
  readonly statement: TypeScript.Statement | undefined;
  /** What is exported, without factories around it. */
  readonly value: Expression | undefined;
  /** The uid in `createCoreController(uid, …)`. */
  readonly uid: string | undefined;
  /** `createCoreController`, `createCoreService` or `createCoreRouter`. */
  readonly factory: string | undefined;
  /** What a factory does before it returns its object. */
  readonly before: readonly TypeScript.Statement[];
  /** The object with methods. */
  readonly object: TypeScript.ObjectLiteralExpression | undefined;
}

/** `module.exports = value`, `export default value`, `export = value`. */
function exported(source: SourceFile): readonly [TypeScript.Statement, Expression] | undefined {
  const ts = compiler();
  for (const statement of source.statements) {
    if (ts.isExportAssignment(statement)) return [statement, statement.expression];
    if (!ts.isExpressionStatement(statement)) continue;
    const assignment = statement.expression;
    if (
      ts.isBinaryExpression(assignment) &&
      assignment.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      /^(?:module\.exports|exports\.default|module\.exports\.default)$/u.test(assignment.left.getText())
    ) {
      return [statement, assignment.right];
    }
  }
  return undefined;
}

/** The value of a constant, for a name of one. */
function resolved(node: Expression): Expression {
  const inner = bare(node) as Expression;
  const initializer = initializerOf(inner);
  return initializer === undefined ? inner : resolved(initializer);
}

interface Returned {
  readonly before: readonly TypeScript.Statement[];
  readonly object: TypeScript.ObjectLiteralExpression;
}

/** The object literal of a value, or of what a function of `strapi` returns. */
export function objectIn(value: Expression): Returned | undefined {
  const ts = compiler();
  const inner = resolved(value);
  if (ts.isObjectLiteralExpression(inner)) return { before: [], object: inner };
  if (!ts.isArrowFunction(inner) && !ts.isFunctionExpression(inner)) return undefined;
  if (!isFactory(inner)) return undefined;
  const { body } = inner;
  if (!ts.isBlock(body)) return objectIn(body);
  const last = body.statements.at(-1);
  if (!last || !ts.isReturnStatement(last) || !last.expression) return undefined;
  const returned = bare(last.expression);
  if (ts.isObjectLiteralExpression(returned)) return { before: body.statements.slice(0, -1), object: returned };
  const initializer = initializerOf(returned);
  const object = initializer && bare(initializer);
  if (!object || !ts.isObjectLiteralExpression(object)) return undefined;
  const before = body.statements.filter((one) => one !== last && !isDeclarationOf(one, object));
  return { before, object };
}

function isDeclarationOf(statement: TypeScript.Statement, value: Node): boolean {
  const ts = compiler();
  return (
    ts.isVariableStatement(statement) &&
    statement.declarationList.declarations.some(({ initializer }) => initializer && bare(initializer) === value)
  );
}

/** A function of `strapi` alone, as factories take. */
function isFactory({ parameters }: TypeScript.ArrowFunction | TypeScript.FunctionExpression): boolean {
  const [first, ...more] = parameters;
  if (more.length > 0) return false;
  return first === undefined || /^(?:_?strapi|\{\s*strapi\b[^}]*\}|_\w*|\{\s*\})/u.test(first.name.getText());
}

function factoryIn(
  value: Expression,
): { readonly name: string; readonly uid: string | undefined; readonly given: Expression | undefined } | undefined {
  const ts = compiler();
  if (!ts.isCallExpression(value)) return undefined;
  const name = /(?:^|\.)(createCore(?:Controller|Service|Router))$/u.exec(value.expression.getText())?.[1];
  if (name === undefined) return undefined;
  return { name, uid: textOfLiteral(value.arguments[0]), given: value.arguments[1] };
}

export function shapeOf(source: SourceFile): ModuleShape {
  const found = exported(source);
  if (!found) {
    return {
      statement: undefined,
      value: undefined,
      uid: undefined,
      factory: undefined,
      before: [],
      object: undefined,
    };
  }
  const [statement, expression] = found;
  const value = resolved(expression);
  const factory = factoryIn(value);
  const inner = factory ? factory.given : value;
  const returned = inner && objectIn(inner);
  return {
    statement,
    value: inner,
    uid: factory?.uid,
    factory: factory?.name,
    before: returned?.before ?? [],
    object: returned?.object,
  };
}

/** Whether a value is a function, by itself or by a constant. */
export function functionIn(
  value: Expression | undefined,
): TypeScript.ArrowFunction | TypeScript.FunctionExpression | undefined {
  const ts = compiler();
  if (value === undefined) return undefined;
  const inner = resolved(value);
  return (ts.isArrowFunction(inner) || ts.isFunctionExpression(inner)) && isFunc(inner) ? inner : undefined;
}
