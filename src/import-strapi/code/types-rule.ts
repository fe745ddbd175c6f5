/** Types for code that was written without the strict compiler: what has none becomes `any`. */
import type { Rule } from './rewriter.ts';
import type { ts as TypeScript } from 'ts-morph';
import { bare, compiler, declarationOf, type Func, isFunc, type Node } from './syntax.ts';

const KNOWN_MODULES =
  /^(?:node:.*|koa|@content-gen\/runtime|fs(?:\/promises)?|path|http|https|stream|buffer|crypto|url|events|util|os|child_process)$/u;

/** Types of Strapi itself and of packages, which are not here. */
function isForeignType(node: Node, hasModule: (specifier: string) => boolean): boolean {
  const ts = compiler();
  let first: Node = node;
  while (ts.isQualifiedName(first)) first = first.left;
  if (!ts.isIdentifier(first)) return false;
  const declaration = declarationOf(node, first.text);
  if (declaration === undefined) return first.text === 'Strapi';
  if (!ts.isImportDeclaration(declaration)) return false;
  const specifier = declaration.moduleSpecifier.getText().slice(1, -1);
  return specifier.startsWith('.') ? !hasModule(specifier) : !KNOWN_MODULES.test(specifier);
}

/** Whether a call is of a package. */
function isOfPackage(node: Node): boolean {
  const ts = compiler();
  let root: Node = bare(node);
  while ('expression' in root) root = bare(root.expression as Node);
  if (!ts.isIdentifier(root)) return false;
  const declaration = declarationOf(node, root.text);
  if (!declaration) return false;
  if (ts.isImportDeclaration(declaration)) return !declaration.moduleSpecifier.getText().slice(1).startsWith('.');
  return (ts.isVariableDeclaration(declaration) || ts.isParameter(declaration)) && !declaration.type;
}

function isScript(node: Node): boolean {
  return /\.(?:js|cjs|mjs)$/u.test(node.getSourceFile().fileName);
}

/** Functions that are called by name: in JavaScript, with fewer arguments, too. */
function isNamed(func: Func): boolean {
  const ts = compiler();
  return (
    ts.isFunctionDeclaration(func) ||
    ts.isMethodDeclaration(func) ||
    ts.isVariableDeclaration(func.parent) ||
    ts.isPropertyAssignment(func.parent) ||
    ts.isBinaryExpression(func.parent)
  );
}

/** Values whose type says less than the code does with them. */
function isLoose(initializer: TypeScript.Expression | undefined, isLet: boolean): boolean {
  const ts = compiler();
  if (initializer === undefined) return true;
  const value = bare(initializer);
  if (isLet) return !ts.isCallExpression(value);
  return (
    ts.isObjectLiteralExpression(value) ||
    ts.isArrayLiteralExpression(value) ||
    ts.isConditionalExpression(value) ||
    ts.isBinaryExpression(value) ||
    (ts.isNewExpression(value) && ['Set', 'Map'].includes(value.expression.getText()) && !value.typeArguments)
  );
}

/** In JavaScript, arguments can be left out. Patterns, and what stands before them, can't be optional. */
function isOptional(node: TypeScript.ParameterDeclaration): boolean {
  const ts = compiler();
  const { parent, initializer, dotDotDotToken } = node;
  if (!isScript(node) || initializer || dotDotDotToken || !isFunc(parent) || !isNamed(parent)) return false;
  return parent.parameters
    .slice(parent.parameters.indexOf(node))
    .every(
      (one) =>
        (ts.isIdentifier(one.name) && !/^_?(?:ctx|context)$/u.test(one.name.text)) ||
        one.initializer !== undefined ||
        one.dotDotDotToken !== undefined,
    );
}

/** Whether a parameter has no parentheses around it. */
function isAlone({ parent }: TypeScript.ParameterDeclaration): boolean {
  const isArrow = compiler().isArrowFunction(parent) && parent.parameters.length === 1;
  return isArrow && /^(?:async\s+)?[\w$]+\s*=>/u.test(parent.getText());
}

export function parameterText(node: TypeScript.ParameterDeclaration, print: (node: Node) => string): string {
  const { dotDotDotToken, name, questionToken, type, initializer } = node;
  const modifiers = (compiler().getModifiers(node) ?? []).map((one) => `${one.getText()} `).join('');
  const question = questionToken || isOptional(node) ? '?' : '';
  const typeText = type ? print(type) : dotDotDotToken ? 'any[]' : 'any';
  const value = initializer ? ` = ${print(initializer)}` : '';
  const text = `${modifiers}${dotDotDotToken ? '...' : ''}${print(name)}${question}: ${typeText}${value}`;
  return isAlone(node) ? `(${text})` : text;
}

function isOfLoop({ parent }: TypeScript.VariableDeclaration): boolean {
  const ts = compiler();
  return ts.isForOfStatement(parent.parent) || ts.isForInStatement(parent.parent) || ts.isForStatement(parent.parent);
}

export const typesRule =
  (hasModule: (specifier: string) => boolean): Rule =>
  (node, rewriter) => {
    const ts = compiler();
    const print = (one: Node): string => rewriter.print(one);
    if (ts.isTypeReferenceNode(node) && isForeignType(node.typeName, hasModule)) return 'any';
    if (ts.isTypeQueryNode(node) && isForeignType(node.exprName, hasModule)) return 'any';
    // What is called is any, which takes no type arguments.
    if (ts.isCallExpression(node) && node.typeArguments && isOfPackage(node.expression)) {
      return `${print(node.expression)}(${node.arguments.map(print).join(', ')})`;
    }
    if (ts.isParameter(node) && ts.isFunctionTypeNode(node.parent)) return undefined;
    if (ts.isParameter(node) && !ts.isIndexSignatureDeclaration(node.parent)) return parameterText(node, print);
    if (ts.isVariableDeclaration(node) && !node.type && !ts.isCatchClause(node.parent) && !isOfLoop(node)) {
      const isLet = (ts.getCombinedNodeFlags(node) & ts.NodeFlags.Const) === 0;
      const isPattern = !ts.isIdentifier(node.name);
      if (!isPattern && !isLoose(node.initializer, isLet)) return undefined;
      return `${print(node.name)}: any${node.initializer ? ` = ${print(node.initializer)}` : ''}`;
    }
    if (ts.isPropertyDeclaration(node) && !node.type && !node.initializer) {
      return rewriter.children(node).replace(/;?$/u, ': any;');
    }
    if (ts.isClassDeclaration(node) && isScript(node)) {
      return rewriter.children(node).replace('{', '{\n  [name: string]: any;\n');
    }
    return undefined;
  };
