/**
 * YAML 1.2 text to nodes, within limits. The lexer is driven by hand so that depth, size and forbidden constructs are
 * seen before the recursive part of the library gets to them: the cost of hostile text stays proportional to its length.
 */
import { Composer, CST, Lexer, Parser, isAlias, isMap, isScalar, isSeq, visit } from 'yaml';
import type { Alias, Document, Node } from 'yaml';
import type { Diagnostic, Result } from '../diagnostics/diagnostic.ts';
import { quoted } from '../diagnostics/visible-text.ts';
import type { SourceFile } from './source-file.ts';
import { createLocate } from './source-positions.ts';
import type { Locate } from './source-positions.ts';

const limits = {
  depth: 64,
  tokens: 1_000_000,
  lines: 200_000,
  anchors: 100,
  aliases: 100,
  aliasedNodes: 10_000,
  syntaxErrors: 20,
} as const;

const coreTag = /^!!(?:str|int|float|bool|null|map|seq)$/;

/** A parsed file. */
export interface YamlDocument {
  readonly root: Node | null;
  readonly locate: Locate;
  /** The node that an alias stands for. */
  readonly resolve: (alias: Alias) => Node | undefined;
}

/** Collects the problems of one file; `stop` when going on makes no sense. */
interface Guard {
  readonly report: (code: string, message: string, start: number, length: number, hint?: string) => void;
  readonly diagnostics: Diagnostic[];
  stopped: boolean;
}

function createGuard(locate: Locate): Guard {
  const diagnostics: Diagnostic[] = [];
  return {
    diagnostics,
    stopped: false,
    report: (code, message, start, length, hint) => {
      const location = locate(start, start + length);
      diagnostics.push({ code, severity: 'error', message, location, ...(hint === undefined ? {} : { hint }) });
    },
  };
}

function createCounter(guard: Guard): (what: string, max: number, offset: number) => void {
  const counts = new Map<string, number>();
  return (what, max, offset) => {
    const count = (counts.get(what) ?? 0) + 1;
    counts.set(what, count);
    if (count <= max) return;
    guard.report('yaml/too-large', `the file has more than ${max} ${what}`, offset, 1);
    guard.stopped = true;
  };
}

/** Looks at one lexical token before the parser does. */
function checkToken(guard: Guard, count: ReturnType<typeof createCounter>, token: string, offset: number): void {
  count('tokens', limits.tokens, offset);
  switch (CST.tokenType(token)) {
    case 'newline':
      return count('lines', limits.lines, offset);
    case 'anchor':
      return count('anchors', limits.anchors, offset);
    case 'alias':
      return count('aliases', limits.aliases, offset);
    case 'tag':
      if (coreTag.test(token)) return;
      guard.report('yaml/tag', `the tag ${quoted(token)} is not allowed`, offset, token.length, 'leave the tag out');
      guard.stopped = true;
      return;
    case 'directive-line':
      if (/^%YAML\s+1\.2\s*$/.test(token)) return;
      guard.report('yaml/directive', `the directive ${quoted(token)} is not allowed`, offset, token.length);
      guard.stopped = true;
      return;
    default:
  }
}

/** The concrete syntax of the text, up to the first thing that makes it unacceptable. */
function* tokensOf(text: string, guard: Guard): Generator<CST.Token, void> {
  const parser = new Parser();
  const count = createCounter(guard);
  let isScalarText = false;
  let errors = 0;
  for (const lexeme of new Lexer().lex(text)) {
    // The lexer announces a plain scalar by a token of its own; what follows is its text, whatever it looks like.
    if (!isScalarText) checkToken(guard, count, lexeme, parser.offset);
    isScalarText = !isScalarText && lexeme === CST.SCALAR;
    for (const token of parser.next(lexeme)) {
      if (token.type === 'error') errors += 1;
      yield token;
    }
    if (parser.stack.length > limits.depth) {
      guard.report('yaml/too-deep', `the nesting is deeper than ${limits.depth} levels`, parser.offset - 1, 1);
      guard.stopped = true;
    }
    if (guard.stopped || errors > limits.syntaxErrors) return;
  }
  yield* parser.end();
}

function syntaxErrors(document: Document.Parsed, guard: Guard): void {
  const seen = new Set<number>();
  for (const { pos, message } of document.errors) {
    // One mistake makes several messages at one place: the first says most.
    if (seen.has(pos[0]) || seen.size >= limits.syntaxErrors) continue;
    seen.add(pos[0]);
    guard.report('yaml/syntax', message.split('\n', 1)[0] ?? message, pos[0], Math.max(1, pos[1] - pos[0]));
  }
}

function sizeOf(node: Node): number {
  let size = 0;
  visit(node, () => void (size += 1));
  return size;
}

/** What each alias stands for. An anchored value may contain no alias: nothing can grow by repetition, or contain itself. */
function resolveAliases(document: Document.Parsed, guard: Guard): ReadonlyMap<Alias, Node> {
  const anchors = new Map<string, Node>();
  const aliases = new Map<Alias, Node>();
  let size = 0;
  visit(document, {
    Node: (_key, node) => {
      if (isAlias(node)) {
        const target = anchors.get(node.source);
        const [start, end] = node.range ?? [0, 1];
        if (target === undefined) {
          guard.report('yaml/alias', `the alias *${node.source} names no anchor before it`, start, end - start);
        } else {
          aliases.set(node, target);
          size += sizeOf(target);
          if (size > limits.aliasedNodes) {
            const message = `the aliases of the file repeat more than ${limits.aliasedNodes} values`;
            guard.report('yaml/alias', message, start, end - start);
            return visit.BREAK;
          }
        }
      } else if ((isScalar(node) || isMap(node) || isSeq(node)) && node.anchor !== undefined) {
        anchors.set(node.anchor, node);
      }
      return undefined;
    },
  });
  for (const [alias, target] of aliases) {
    const [start, end] = alias.range ?? [0, 1];
    let nested = false;
    visit(target, { Alias: () => ((nested = true), visit.BREAK) });
    if (nested) guard.report('yaml/alias', 'the value that this alias repeats contains an alias', start, end - start);
  }
  return aliases;
}

/** Parses `source`: one document, core tags only. Syntax errors are reported together. */
export function parseYaml(source: SourceFile): Result<YamlDocument> {
  const locate = createLocate(source);
  const guard = createGuard(locate);
  const composer = new Composer({ uniqueKeys: false, schema: 'core', version: '1.2' });
  const documents: Document.Parsed[] = [];
  for (const document of composer.compose(tokensOf(source.text, guard), true, source.text.length)) {
    documents.push(document);
    if (documents.length > 1) break;
  }
  const [document, second] = documents;
  if (document === undefined || guard.stopped) return { value: undefined, diagnostics: guard.diagnostics };
  syntaxErrors(document, guard);
  if (second !== undefined) {
    const message = 'the file holds a second document, expected one';
    const start = source.text.lastIndexOf('\n---', second.range[0]) + 1;
    guard.report('yaml/several-documents', message, start, 3, 'give each document a file of its own');
  }
  const aliases = resolveAliases(document, guard);
  if (guard.diagnostics.length > 0) return { value: undefined, diagnostics: guard.diagnostics };
  return {
    value: { root: document.contents, locate, resolve: (alias) => aliases.get(alias) },
    diagnostics: [],
  };
}
