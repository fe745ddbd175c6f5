/** Questions about the syntax tree of a file. */
import { loadTsMorph } from '../../files/ts-morph.ts';
import type { ts as TypeScript } from 'ts-morph';

export type Node = TypeScript.Node;
export type Expression = TypeScript.Expression;
export type SourceFile = TypeScript.SourceFile;
export type Func =
  | TypeScript.FunctionDeclaration
  | TypeScript.FunctionExpression
  | TypeScript.ArrowFunction
  | TypeScript.MethodDeclaration
  | TypeScript.ConstructorDeclaration
  | TypeScript.AccessorDeclaration;

/** The compiler that is part of ts-morph. */
export function compiler(): typeof TypeScript {
  return loadTsMorph().ts;
}

export function parseCode(path: string, text: string): SourceFile {
  const ts = compiler();
  const kind = /\.(?:js|cjs|mjs)$/u.test(path) ? ts.ScriptKind.JS : ts.ScriptKind.TS;
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
}

/** Without parentheses, `as`, `!` and `satisfies`. */
export function bare(node: Node): Node {
  const ts = compiler();
  let inner = node;
  while (
    ts.isParenthesizedExpression(inner) ||
    ts.isAsExpression(inner) ||
    ts.isNonNullExpression(inner) ||
    ts.isSatisfiesExpression(inner) ||
    ts.isTypeAssertionExpression(inner)
  ) {
    inner = inner.expression;
  }
  return inner;
}

export function isFunc(node: Node): node is Func {
  const ts = compiler();
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isConstructorDeclaration(node) ||
    ts.isAccessor(node)
  );
}

/** The function that contains a node most closely. */
export function functionAround(node: Node): Func | undefined {
  for (let at = node.parent; at !== undefined; at = at.parent) if (isFunc(at)) return at;
  return undefined;
}

export function isAsync(func: Func): boolean {
  return (compiler().getCombinedModifierFlags(func) & compiler().ModifierFlags.Async) !== 0;
}

function namesIn(name: TypeScript.BindingName, found: (name: string) => void): void {
  if (compiler().isIdentifier(name)) return found(name.text);
  for (const element of name.elements) if (compiler().isBindingElement(element)) namesIn(element.name, found);
}

/** The names that a binding declares. */
export function boundNames(name: TypeScript.BindingName): readonly string[] {
  const names: string[] = [];
  namesIn(name, (one) => names.push(one));
  return names;
}

export type Declaration =
  | TypeScript.ParameterDeclaration
  | TypeScript.VariableDeclaration
  | TypeScript.FunctionDeclaration
  | TypeScript.ClassDeclaration
  | TypeScript.ImportDeclaration;

function declarationIn(statement: TypeScript.Statement, name: string): Declaration | undefined {
  const ts = compiler();
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.find((one) => boundNames(one.name).includes(name));
  }
  if ((ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name?.text === name) {
    return statement;
  }
  if (ts.isImportDeclaration(statement) && importedNames(statement).includes(name)) return statement;
  return undefined;
}

export function importedNames({ importClause }: TypeScript.ImportDeclaration): readonly string[] {
  const { name, namedBindings } = importClause ?? {};
  const named =
    namedBindings === undefined
      ? []
      : compiler().isNamespaceImport(namedBindings)
        ? [namedBindings.name.text]
        : namedBindings.elements.map((element) => element.name.text);
  return [...(name ? [name.text] : []), ...named];
}

/** Where a name is declared, seen from a node; undefined if it is global. */
export function declarationOf(node: Node, name: string): Declaration | undefined {
  const ts = compiler();
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (isFunc(at)) {
      const parameter = at.parameters.find((one) => boundNames(one.name).includes(name));
      if (parameter) return parameter;
    }
    if ((ts.isForStatement(at) || ts.isForOfStatement(at) || ts.isForInStatement(at)) && at.initializer) {
      const list = at.initializer;
      const found =
        ts.isVariableDeclarationList(list) && list.declarations.find((one) => boundNames(one.name).includes(name));
      if (found) return found;
    }
    if (ts.isCatchClause(at) && at.variableDeclaration && boundNames(at.variableDeclaration.name).includes(name)) {
      return at.variableDeclaration;
    }
    const statements =
      ts.isSourceFile(at) || ts.isBlock(at) || ts.isModuleBlock(at) || ts.isCaseOrDefaultClause(at)
        ? at.statements
        : undefined;
    for (const statement of statements ?? []) {
      const found = declarationIn(statement, name);
      if (found) return found;
    }
  }
  return undefined;
}

/** The initializer of a constant, for a reference to it. */
export function initializerOf(node: Node): Expression | undefined {
  const ts = compiler();
  if (!ts.isIdentifier(node)) return undefined;
  const declaration = declarationOf(node, node.text);
  return declaration && ts.isVariableDeclaration(declaration) && ts.isIdentifier(declaration.name)
    ? declaration.initializer
    : undefined;
}

/** The value of a string literal, or of a constant that is one. */
export function textOfLiteral(given: Node | undefined): string | undefined {
  if (given === undefined) return undefined;
  const node = bare(given);
  if (compiler().isStringLiteralLike(node)) return node.text;
  const initializer = initializerOf(node);
  return initializer && compiler().isStringLiteralLike(bare(initializer)) ? textOfLiteral(initializer) : undefined;
}

/** The name of a property, if it is not computed. */
export function propertyName(name: TypeScript.PropertyName | undefined): string | undefined {
  const ts = compiler();
  return name && (ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name))
    ? name.text
    : undefined;
}

/** Visits a node and everything in it, except where `visit` returns false. */
export function visitAll(node: Node, visit: (node: Node) => boolean | void): void {
  if (visit(node) === false) return;
  compiler().forEachChild(node, (child) => visitAll(child, visit));
}

export function lineOf(node: Node): number {
  const source = node.getSourceFile();
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}
