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

/** A token, node or list of nodes of a file, in the order of the text. `pos` includes the whitespace and comments before it. */
interface Part {
  readonly kind: TypeScript.SyntaxKind;
  readonly pos: number;
  readonly end: number;
  /** Of tokens that aren't in the tree: where their text begins. */
  readonly start?: number;
  /** Undefined for lists, and for tokens that aren't in the tree. */
  readonly node?: TsNode;
  readonly list?: TypeScript.NodeArray<TsNode>;
}

/**
 * Splits nodes and lists into their parts, including tokens that aren't in the tree. `Node.getChildren` does the same, but keeps
 * all parts of a file, which takes longer: the files with all types and descriptors are large.
 */
function partsOfFile(ts: Ts, text: string): (part: Part) => readonly Part[] {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.Standard, text);
  return ({ kind, pos, end, node, list }) => {
    if (kind <= ts.SyntaxKind.LastToken) return [];
    const parts: Part[] = [];
    let position = pos;
    const addTokens = (until: number): void => {
      if (position >= until) return;
      scanner.resetTokenState(position);
      while (position < until) {
        const kind = scanner.scan();
        const token = { kind, pos: position, start: scanner.getTokenStart(), end: scanner.getTokenEnd() };
        if (token.end <= until) parts.push(token);
        position = token.end;
        if (token.kind === ts.SyntaxKind.EndOfFileToken) break;
      }
    };
    const add = (part: Part): void => {
      addTokens(part.pos);
      parts.push(part);
      position = part.end;
    };
    const addNode = (one: TsNode): void => add({ kind: one.kind, pos: one.pos, end: one.end, node: one });
    list?.forEach(addNode);
    node?.forEachChild(addNode, (nodes) =>
      add({ kind: ts.SyntaxKind.SyntaxList, pos: nodes.pos, end: nodes.end, list: nodes }),
    );
    addTokens(end);
    return parts;
  };
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
function isOptional(ts: Ts, parent: Part, siblings: readonly Part[], index: number): boolean {
  const { SyntaxKind: kinds } = ts;
  const isLast = index === siblings.length - 1;
  switch (siblings[index]?.kind) {
    case kinds.SemicolonToken:
      // Semicolons in the head of a loop separate parts that may be empty.
      return parent.kind !== kinds.ForStatement;
    case kinds.CommaToken: {
      if (!isLast) return false;
      const before = siblings[index - 1];
      const endsList = parent.list !== undefined && before !== undefined && before.kind !== kinds.OmittedExpression;
      return endsList || (parent.node !== undefined && ts.isTypeElement(parent.node));
    }
    case kinds.OpenParenToken:
    case kinds.CloseParenToken:
      return parent.kind === kinds.ArrowFunction || (parent.node !== undefined && isGrouping(ts, parent.node));
    case kinds.BarToken:
    case kinds.AmpersandToken:
      return index === 0;
    default:
      return false;
  }
}

/** Quotes around a property name are optional if it is an identifier. */
function isPropertyName(ts: Ts, node: TsNode, parent: TsNode | undefined): boolean {
  return (
    parent !== undefined && (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent)) && parent.name === node
  );
}

/** The text of a token; strings with the same quotes everywhere. */
function tokenText(ts: Ts, { node }: Part, parent: Part, text: string): string {
  if (node === undefined || !ts.isStringLiteral(node)) return text;
  const isPlain = isPropertyName(ts, node, parent.node) && /^[A-Za-z_$][\w$]*$/u.test(node.text);
  return isPlain ? node.text : JSON.stringify(node.text);
}

function shapeOfTypeScript(ts: Ts): ShapeOf {
  return (text) => {
    const options = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
    const file = ts.createSourceFile('file.ts', text, options);
    const { parseDiagnostics } = file as { readonly parseDiagnostics?: readonly unknown[] };
    if (parseDiagnostics === undefined || parseDiagnostics.length > 0) return undefined;
    const partsOf = partsOfFile(ts, text);
    const shape: string[] = [];
    let comments = '';
    const visitToken = (part: Part, parent: Part, isKept: boolean): void => {
      // Between two tokens are only whitespace and comments, which are attributed to the next token that is kept.
      const start = part.start ?? part.node?.getStart(file) ?? part.pos;
      const between = text.slice(part.pos, start).trim();
      if (between !== '') comments += between.replace(/\s+/gu, ' ');
      if (!isKept) return;
      shape.push(comments, tokenText(ts, part, parent, text.slice(start, part.end)));
      comments = '';
    };
    const visit = (part: Part, parts: readonly Part[]): void => {
      const isShown = part.node === undefined || !isGrouping(ts, part.node);
      if (isShown) shape.push(`(${part.kind}`);
      for (const [index, child] of parts.entries()) {
        const below = partsOf(child);
        // `;[a, b] = c` after a block, in code without semicolons: the `;` is an empty statement.
        if (child.kind === ts.SyntaxKind.EmptyStatement && part.list !== undefined) visitToken(child, part, false);
        else if (child.list !== undefined || below.length > 0) visit(child, below);
        else visitToken(child, part, !isOptional(ts, part, parts, index));
      }
      if (isShown) shape.push(')');
    };
    const whole = { kind: file.kind, pos: file.pos, end: file.end, node: file };
    visit(whole, partsOf(whole));
    return shape.join(SEPARATOR);
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
