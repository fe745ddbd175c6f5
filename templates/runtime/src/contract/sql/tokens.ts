/** The tokens of SQL, as each engine reads them. */

import type { EngineName } from '../engines.ts';

/** SQL differs between engines in strings, names and comments. */
export type { EngineName as SqlEngine };

/** A token: `open` and `close` are the ends of a comment whose text MySQL executes, `/*! … *\/`. */
export interface SqlToken {
  readonly kind: 'space' | 'comment' | 'quoted' | 'word' | 'mark' | 'open' | 'close';
  /** The offset after it. */
  readonly end: number;
  /** Whether the text ends before the token does. */
  readonly isUnfinished: boolean;
}

const SPACE = /\s+/uy;
const WORD = /[\p{L}\p{N}_$]+/uy;
const DOLLAR_QUOTE = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy;
/** PostgreSQL's strings with backslash escapes. */
const ESCAPE_STRING = /[eE](?=')/uy;
const EXECUTED_COMMENT = /\/\*M?!\d*/uy;

function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function upTo(text: string, at: number, closing: string): SqlToken['end'] | undefined {
  const found = text.indexOf(closing, at);
  return found === -1 ? undefined : found + closing.length;
}

function token(kind: SqlToken['kind'], end: number | undefined, text: string): SqlToken {
  return { kind, end: end ?? text.length, isUnfinished: end === undefined };
}

/** The end of a string or name whose closing quote is doubled within it; `from` is after the opening one. */
function quotedEnd(text: string, from: number, closing: string, hasEscapes: boolean): number | undefined {
  for (let at = from; at < text.length; at += 1) {
    if (hasEscapes && text[at] === '\\') at += 1;
    else if (text[at] === closing) {
      if (text[at + 1] !== closing) return at + 1;
      at += 1;
    }
  }
  return undefined;
}

/** The end of a comment that may contain others, as on PostgreSQL; `from` is after its opening. */
function nestedEnd(text: string, from: number): number | undefined {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    const two = text.slice(at, at + 2);
    if (two === '/*') depth += 1;
    else if (two === '*/') depth -= 1;
    else continue;
    at += 1;
    if (depth === 0) return at + 1;
  }
  return undefined;
}

function isLineComment(text: string, at: number, engine: EngineName): boolean {
  if (engine === 'mysql' && text[at] === '#') return true;
  if (!text.startsWith('--', at)) return false;
  // MySQL reads `5--1` as a difference.
  return engine !== 'mysql' || /^\s?$/u.test(text.charAt(at + 2));
}

function commentAt(text: string, at: number, engine: EngineName): SqlToken | undefined {
  if (isLineComment(text, at, engine)) {
    const end = text.indexOf('\n', at);
    return { kind: 'comment', end: end === -1 ? text.length : end, isUnfinished: false };
  }
  if (engine === 'mysql') {
    const executed = matchEnd(EXECUTED_COMMENT, text, at);
    if (executed !== undefined) return token('open', executed, text);
    if (text.startsWith('*/', at)) return token('close', at + 2, text);
  }
  if (!text.startsWith('/*', at)) return undefined;
  return token('comment', engine === 'postgres' ? nestedEnd(text, at + 2) : upTo(text, at + 2, '*/'), text);
}

function quotedAt(text: string, at: number, engine: EngineName): SqlToken | undefined {
  const first = text[at] ?? '';
  if (engine === 'postgres') {
    const escaped = matchEnd(ESCAPE_STRING, text, at);
    if (escaped !== undefined) return token('quoted', quotedEnd(text, escaped + 1, "'", true), text);
    const opened = first === '$' ? matchEnd(DOLLAR_QUOTE, text, at) : undefined;
    if (opened !== undefined) return token('quoted', upTo(text, opened, text.slice(at, opened)), text);
  }
  if (engine === 'sqlite' && first === '[') return token('quoted', upTo(text, at, ']'), text);
  if (first !== "'" && first !== '"' && (first !== '`' || engine === 'postgres')) return undefined;
  return token('quoted', quotedEnd(text, at + 1, first, engine === 'mysql' && first !== '`'), text);
}

const PLAIN = /[\w(),.;=]/u;

function wordAt(text: string, at: number): SqlToken {
  const word = matchEnd(WORD, text, at);
  return word === undefined ? token('mark', at + 1, text) : token('word', word, text);
}

/** The token that begins at an offset of a text. */
export function tokenAt(text: string, at: number, engine: EngineName): SqlToken {
  const space = matchEnd(SPACE, text, at);
  if (space !== undefined) return token('space', space, text);
  // Most characters begin neither a comment nor a string.
  if (PLAIN.test(text.charAt(at)) && !(engine === 'postgres' && text[at + 1] === "'")) return wordAt(text, at);
  const found = commentAt(text, at, engine) ?? quotedAt(text, at, engine);
  return found ?? wordAt(text, at);
}
