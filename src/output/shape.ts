/**
 * The shape of a file is what a formatter leaves unchanged: files with the same shape differ only in formatting.
 * TypeScript is compared by its syntax tree, so that no meaningful edit goes unnoticed: tokens that a formatter may add
 * or remove are ignored only where the tree shows that they have no meaning.
 */
import type { ts as TypeScript } from 'ts-morph';
import { hashText } from '../files/hash.ts';
import { loadTsMorph } from '../files/ts-morph.ts';

type Ts = typeof TypeScript;
type TsNode = TypeScript.Node;

/** Returns the shape of a text; undefined if it doesn't parse. */
type ShapeOf = (text: string) => string | undefined;

const SEPARATOR = '\u0001';

/** JSON without whitespace between tokens. */
const shapeOfJson: ShapeOf = (text) => text.replace(/("(?:[^"\\]|\\.)*")|\s+/gu, '$1');

function isTypeMember(ts: Ts, node: TsNode): boolean {
  return ts.isTypeElement(node);
}

/**
 * Parentheses that only group, which the tree expresses anyway. Others end an optional chain, or keep a string from
 * being a directive.
 */
function isGrouping(ts: Ts, node: TsNode): boolean {
  if (ts.isParenthesizedTypeNode(node)) return true;
  return (
    ts.isParenthesizedExpression(node) && !ts.isOptionalChain(node.expression) && !ts.isStringLiteral(node.expression)
  );
}

/**
 * Trailing separators of a list, statement or member, and the leading operator of a multi-line union or intersection.
 */
function isOptional(ts: Ts, parent: TsNode, siblings: readonly TsNode[], index: number): boolean {
  const { SyntaxKind: kinds } = ts;
  const token = siblings[index];
  const isLast = index === siblings.length - 1;
  switch (token?.kind) {
    case kinds.SemicolonToken:
      // Semicolons in the head of a loop separate parts that may be empty.
      return parent.kind !== kinds.ForStatement;
    case kinds.CommaToken: {
      if (!isLast) return false;
      const before = siblings[index - 1];
      const endsList = parent.kind === kinds.SyntaxList && before !== undefined && !ts.isOmittedExpression(before);
      return endsList || isTypeMember(ts, parent);
    }
    case kinds.OpenParenToken:
    case kinds.CloseParenToken:
      return parent.kind === kinds.ArrowFunction || isGrouping(ts, parent);
    case kinds.BarToken:
    case kinds.AmpersandToken:
      return index === 0;
    default:
      return false;
  }
}

/** Quotes around a property name are optional if it is an identifier. */
function isPropertyName(ts: Ts, node: TsNode): boolean {
  const { parent } = node;
  return (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent)) && parent.name === node;
}

function textOf(ts: Ts, node: TsNode, file: TypeScript.SourceFile): string {
  if (ts.isStringLiteral(node)) {
    return isPropertyName(ts, node) && /^[A-Za-z_$][\w$]*$/u.test(node.text) ? node.text : JSON.stringify(node.text);
  }
  return node.getText(file);
}

function shapeOfTypeScript(ts: Ts): ShapeOf {
  return (text) => {
    const options = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
    const file = ts.createSourceFile('file.ts', text, options, true);
    const { parseDiagnostics } = file as { readonly parseDiagnostics?: readonly unknown[] };
    if (parseDiagnostics === undefined || parseDiagnostics.length > 0) return undefined;
    const parts: string[] = [];
    let comments = '';
    const visitToken = (node: TsNode, isKept: boolean): void => {
      // Between two tokens are only whitespace and comments, which are attributed to the next token that is kept.
      const between = text.slice(node.getFullStart(), node.getStart(file)).trim();
      if (between !== '') comments += between.replace(/\s+/gu, ' ');
      if (!isKept) return;
      parts.push(comments, textOf(ts, node, file));
      comments = '';
    };
    const visit = (node: TsNode): void => {
      const children = node.getChildren(file);
      const isShown = !isGrouping(ts, node);
      if (isShown) parts.push(`(${node.kind}`);
      for (const [index, child] of children.entries()) {
        // `;[a, b] = c` after a block, in code without semicolons: the `;` is an empty statement.
        if (ts.isEmptyStatement(child) && node.kind === ts.SyntaxKind.SyntaxList) visitToken(child, false);
        else if (child.kind === ts.SyntaxKind.SyntaxList || child.getChildCount(file) > 0) visit(child);
        else visitToken(child, !isOptional(ts, node, children, index));
      }
      if (isShown) parts.push(')');
    };
    visit(file);
    return parts.join(SEPARATOR);
  };
}

function shapeFor(path: string): ShapeOf | undefined {
  if (path.endsWith('.json')) return shapeOfJson;
  return /\.[jt]s$/u.test(path) ? shapeOfTypeScript(loadTsMorph().ts) : undefined;
}

/**
 * Hash of the shape of a text with the path `path`, in hex; undefined if it is neither JSON nor TypeScript, or doesn't
 * parse.
 */
export function shapeHash(path: string, text: string): string | undefined {
  const shape = shapeFor(path)?.(text);
  return shape === undefined ? undefined : hashText(shape);
}
