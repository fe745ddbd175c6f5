/** Code that the strict compiler refuses although it runs: what may be undefined, and arithmetic with dates. */
import type { ts as TypeScript } from 'ts-morph';
import type { Rule } from './rewriter.ts';
import { bare, compiler, initializerOf, type Node } from './syntax.ts';

function isDate(node: Node): boolean {
  const ts = compiler();
  const inner = bare(node);
  if (ts.isNewExpression(inner)) return inner.expression.getText() === 'Date';
  const initializer = initializerOf(inner);
  return initializer !== undefined && ts.isNewExpression(bare(initializer)) && isDate(initializer);
}

/** Whether a value is used where it must not be undefined: as an argument, a member, or in a declaration. */
function isNeeded({ parent }: Node, node: Node): boolean {
  const ts = compiler();
  return (
    ((ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression !== node) ||
    (ts.isPropertyAssignment(parent) && parent.initializer === node) ||
    (ts.isVariableDeclaration(parent) && parent.initializer === node) ||
    ts.isReturnStatement(parent) ||
    (ts.isPropertyAccessExpression(parent) && !parent.questionDotToken) ||
    ts.isElementAccessExpression(parent)
  );
}

const ARITHMETIC: ReadonlySet<string> = new Set(['-', '*', '/', '%']);

function isPlain(node: Node): boolean {
  const ts = compiler();
  return (
    ts.isStringLiteralLike(node) ||
    ts.isIdentifier(node) ||
    ts.isPropertyAccessExpression(node) ||
    ts.isTemplateExpression(node) ||
    ts.isNumericLiteral(node)
  );
}

function operands(node: TypeScript.Expression): readonly TypeScript.Expression[] {
  const ts = compiler();
  const inner = bare(node) as TypeScript.Expression;
  const isComma = ts.isBinaryExpression(inner) && inner.operatorToken.kind === ts.SyntaxKind.CommaToken;
  return isComma ? [...operands(inner.left), inner.right] : [inner];
}

/** An enumeration, which types can't be erased from, as an object. */
function enumText(node: TypeScript.EnumDeclaration): string | undefined {
  const ts = compiler();
  const members = node.members.map(({ name, initializer }, index) => {
    const isLiteral =
      initializer === undefined || ts.isStringLiteralLike(initializer) || ts.isNumericLiteral(initializer);
    return isLiteral ? `${name.getText()}: ${initializer?.getText() ?? index}` : undefined;
  });
  if (members.some((one) => one === undefined)) return undefined;
  const name = node.name.text;
  const prefix = node.getText().startsWith('export') ? 'export ' : '';
  return `${prefix}const ${name} = { ${members.join(', ')} } as const;\n${prefix}type ${name} = (typeof ${name})[keyof typeof ${name}];`;
}

export const looseRule: Rule = (node, rewriter) => {
  const ts = compiler();
  if (ts.isEnumDeclaration(node)) return enumText(node);
  if (ts.isBinaryExpression(node) && ARITHMETIC.has(node.operatorToken.getText())) {
    const sides = [node.left, node.right].map((side) =>
      isDate(side) ? `Number(${rewriter.print(side)})` : rewriter.print(side),
    );
    return isDate(node.left) || isDate(node.right) ? sides.join(` ${node.operatorToken.getText()} `) : undefined;
  }
  if (ts.isElementAccessExpression(node) && !node.questionDotToken && isNeeded(node, node)) {
    return `${rewriter.children(node)}!`;
  }
  if (ts.isPropertyAccessExpression(node) && node.expression.getText() === 'process.env' && isNeeded(node, node)) {
    return `${rewriter.children(node)}!`;
  }
  // The types of Node don't know what `fetch` got.
  if (
    ts.isCallExpression(node) &&
    node.arguments.length === 0 &&
    ts.isPropertyAccessExpression(node.expression) &&
    node.expression.name.text === 'json'
  ) {
    return `(${rewriter.children(node)} as Promise<any>)`;
  }
  // What is left of a log that was taken out: `('text', value);`
  if (ts.isExpressionStatement(node)) {
    const parts = operands(node.expression);
    if (parts.length > 1 && parts.slice(0, -1).every(isPlain)) {
      return `void [${parts.map((one) => rewriter.print(one)).join(', ')}];`;
    }
  }
  return undefined;
};
