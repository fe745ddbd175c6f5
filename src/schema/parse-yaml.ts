/**
 * Parses YAML 1.2 text to nodes, within limits. The lexer is driven by hand, so that excessive depth, excessive size
 * and forbidden constructs are detected before the recursive part of the library sees them: hostile text takes linear
 * time.
 */
import { Composer, CST, type Document, Lexer, Parser } from 'yaml';
import type { DiagnosticCode } from '../diagnostics/codes.ts';
import type { Diagnostic, Result } from '../diagnostics/diagnostic.ts';
import { quoted } from '../diagnostics/visible-text.ts';
import { convertYaml } from './convert-yaml.ts';
import type { Locate } from './source-positions.ts';
import { missingSpaceHint } from './translations.ts';
import type { YamlNode } from './yaml-node.ts';

const limits = {
  depth: 64,
  tokens: 1_000_000,
  /** Of one list or map; no part of a schema needs nearly as many. */
  items: 20_000,
  lines: 200_000,
  anchors: 100,
  aliases: 100,
  syntaxErrors: 20,
} as const;

const coreTag = /^!!(?:str|int|float|bool|null|map|seq)$/;

/** Collects the problems of one file. */
interface Guard {
  readonly diagnostics: Diagnostic[];
  readonly report: (code: DiagnosticCode, message: string, start: number, length: number, hint?: string) => void;
  /** Counts one more `what`; stops the parser if there are more than `max`. */
  readonly count: (what: string, max: number, offset: number) => void;
  /** Whether to stop parsing. */
  stopped: boolean;
}

function createGuard(locate: Locate): Guard {
  const counts = new Map<string, number>();
  const guard: Guard = {
    diagnostics: [],
    stopped: false,
    report: (code, message, start, length, hint) => {
      const location = locate(start, start + length);
      guard.diagnostics.push({ code, severity: 'error', message, location, ...(hint === undefined ? {} : { hint }) });
    },
    count: (what, max, offset) => {
      const count = (counts.get(what) ?? 0) + 1;
      counts.set(what, count);
      if (count <= max) return;
      guard.report('yaml/too-large', `the file has more than ${max} ${what}`, offset, 1);
      guard.stopped = true;
    },
  };
  return guard;
}

/** Checks a lexical token before the parser sees it. */
function checkToken(guard: Guard, token: string, offset: number): void {
  const type = CST.tokenType(token);
  if (type === 'newline') guard.count('lines', limits.lines, offset);
  if (type === 'anchor') guard.count('anchors', limits.anchors, offset);
  if (type === 'alias') guard.count('aliases', limits.aliases, offset);
  if (type === 'tag' && !coreTag.test(token)) {
    guard.report('yaml/tag', `the tag ${quoted(token)} is not allowed`, offset, token.length, 'remove the tag');
    guard.stopped = true;
  }
  if (type === 'directive-line' && !/^%YAML\s+1\.2\s*$/.test(token)) {
    guard.report('yaml/directive', `the directive ${quoted(token)} is not allowed`, offset, token.length);
    guard.stopped = true;
  }
}

/** The concrete syntax tokens of the text, up to the first one that makes it unacceptable. */
function* tokensOf(text: string, guard: Guard): Generator<CST.Token, void> {
  const parser = new Parser();
  let isScalarText = false;
  let tokens = 0;
  let errors = 0;
  for (const lexeme of new Lexer().lex(text)) {
    // The lexer announces a plain scalar with a separate token; the next token is its text, whatever it looks like.
    if (!isScalarText) checkToken(guard, lexeme, parser.offset);
    isScalarText = !isScalarText && lexeme === CST.SCALAR;
    for (const token of parser.next(lexeme)) {
      if (token.type === 'error') errors += 1;
      yield token;
    }
    tokens += 1;
    if (tokens > limits.tokens) {
      guard.report('yaml/too-large', `the file has more than ${limits.tokens} tokens`, parser.offset, 1);
      guard.stopped = true;
    }
    const innermost = parser.stack.at(-1);
    if (innermost && 'items' in innermost && innermost.items.length > limits.items) {
      guard.report('yaml/too-large', `a list or map has more than ${limits.items} elements`, parser.offset - 1, 1);
      guard.stopped = true;
    }
    if (parser.stack.length > limits.depth) {
      guard.report('yaml/too-deep', `the nesting is deeper than ${limits.depth} levels`, parser.offset - 1, 1);
      guard.stopped = true;
    }
    if (guard.stopped || errors > limits.syntaxErrors) return;
  }
  yield* parser.end();
}

/** Reports merge conflict markers instead of the errors that they cause. Returns whether there are any. */
function reportMergeConflicts(text: string, guard: Guard): boolean {
  if (!/^>{7}(?: |$)/m.test(text)) return false;
  const starts = [...text.matchAll(/^<{7}(?: .*)?$/gm)].slice(0, limits.syntaxErrors);
  for (const { 0: marker, index } of starts) {
    const hint = 'keep the lines that you need of both sides, and delete `<<<<<<<`, `=======` and `>>>>>>>`';
    guard.report('yaml/merge-conflict', 'unresolved merge conflict', index, marker.length, hint);
  }
  return starts.length > 0;
}

/** A suggestion for the line with a syntax error, if known. */
function syntaxHint(text: string, offset: number): string | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', start);
  const line = text.slice(start, end === -1 ? undefined : end).slice(0, 200);
  if (/^ *\t/.test(line)) return 'indent lines with spaces instead of tabs';
  return missingSpaceHint(line.trim().replace(/^- /, ''));
}

/** The parser's message about a line with another indentation than the lines around it. */
const OTHER_COLUMN = /must start at the same column/u;

/** The indentation of the line at `offset`, compared with that of the last line before it that has text. */
function indentationHint(text: string, offset: number): string | undefined {
  const lines = text.slice(0, offset).split('\n');
  const before = lines.slice(0, -1).findLast((line) => /^ *[^ #\r]/.test(line));
  const line = text.slice(offset - (lines.at(-1)?.length ?? 0)).split('\n', 1)[0] ?? '';
  const [is, was] = [line, before].map((one) => one?.search(/[^ ]/) ?? -1) as [number, number];
  return is < 0 || was < 0 ? undefined : `this line begins after ${is} spaces, and the line before it after ${was}`;
}

function reportSyntaxErrors(document: Document.Parsed, text: string, guard: Guard): void {
  if (document.errors.length > 0 && reportMergeConflicts(text, guard)) return;
  const lines = new Set<number>();
  let hasOtherColumn = false;
  for (const { pos, message } of document.errors.slice(0, 50 * limits.syntaxErrors)) {
    const isColumn = OTHER_COLUMN.test(message);
    // All lines that follow have another column too.
    if (isColumn && hasOtherColumn) continue;
    hasOtherColumn ||= isColumn;
    const length = Math.max(1, pos[1] - pos[0]);
    const hint = syntaxHint(text, pos[0]) ?? (isColumn ? indentationHint(text, pos[0]) : undefined);
    guard.report('yaml/syntax', message.split('\n', 1)[0] ?? message, pos[0], length, hint);
    // A mistake often causes several errors on its line: only the first is reported.
    const line = guard.diagnostics.at(-1)?.location?.line ?? 0;
    if (lines.has(line)) guard.diagnostics.pop();
    lines.add(line);
    if (lines.size >= limits.syntaxErrors) return;
  }
}

/** The first two documents of the text; a second one is an error, so more are not needed. */
function composeDocuments(text: string, guard: Guard): readonly Document.Parsed[] {
  const composer = new Composer({ uniqueKeys: false, schema: 'core', version: '1.2' });
  const documents: Document.Parsed[] = [];
  for (const document of composer.compose(tokensOf(text, guard), true, text.length)) {
    documents.push(document);
    if (documents.length > 1) break;
  }
  return documents;
}

/** Parses `text`: a single document with core tags only. Syntax errors are reported together. */
export function parseYaml(text: string, locate: Locate): Result<YamlNode> {
  const guard = createGuard(locate);
  const [document, second] = composeDocuments(text, guard);
  if (document === undefined || guard.stopped) return { value: undefined, diagnostics: guard.diagnostics };
  reportSyntaxErrors(document, text, guard);
  if (second !== undefined) {
    const start = text.lastIndexOf('\n---', second.range[0]) + 1;
    const hint = 'move each document to its own file';
    guard.report('yaml/several-documents', 'a second document begins here, expected only one', start, 3, hint);
  }
  const root = convertYaml(document.contents, (message, start, length) =>
    guard.report('yaml/alias', message, start, length),
  );
  const isWhole = guard.diagnostics.length === 0;
  return { value: isWhole ? root : undefined, diagnostics: guard.diagnostics };
}
