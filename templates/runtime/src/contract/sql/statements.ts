/** Splits scripts of SQL into statements. */
import { isWithinBody } from './bodies.ts';
import { type SqlEngine, tokenAt } from './tokens.ts';

/** A statement of a script. */
export interface SqlStatement {
  /** With the comments before it, without its terminator. */
  readonly text: string;
  /** The same without the comments before it. */
  readonly sql: string;
  /** The offset of its first token in the script, after the comments before it. */
  readonly at: number;
  /** Its tokens: words in upper case, strings and names with their quotes, and every other character. */
  readonly words: readonly string[];
  /** Whether the script ends within a string, a comment or a body. */
  readonly isUnfinished: boolean;
}

const DELIMITER = /DELIMITER[ \t]+(?<delimiter>\S+)[^\n]*/iuy;

/** The line `DELIMITER //`, by which clients of MySQL are told what ends a statement. */
function delimiterAt(script: string, at: number): { readonly delimiter: string; readonly end: number } | undefined {
  DELIMITER.lastIndex = at;
  const delimiter = DELIMITER.exec(script)?.groups?.['delimiter'];
  return delimiter === undefined ? undefined : { delimiter, end: DELIMITER.lastIndex };
}

/** Where a delimiter that consists of letters or dollar signs cuts a word. */
function cutWord(script: string, at: number, end: number, delimiter: string): number {
  if (delimiter === ';') return end;
  for (let cut = at + 1; cut < end; cut += 1) if (script.startsWith(delimiter, cut)) return cut;
  return end;
}

/** The statements of a script, in order. Comments alone are none. */
export function statementsOf(script: string, engine: SqlEngine): readonly SqlStatement[] {
  const statements: SqlStatement[] = [];
  let delimiter = ';';
  let [start, first, parentheses] = [0, 0, 0];
  let words: string[] = [];
  let isExecuted = false;
  const end = (at: number, isUnfinished: boolean): void => {
    if (words.length > 0) {
      const [text, sql] = [start, first].map((from) => script.slice(from, at).trim()) as [string, string];
      statements.push({ text, sql, at: first, words, isUnfinished });
    }
    words = [];
    parentheses = 0;
  };
  const isEnd = (at: number): boolean => {
    if (!script.startsWith(delimiter, at) || isExecuted) return false;
    return delimiter !== ';' || !((engine === 'postgres' && parentheses > 0) || isWithinBody(words, engine));
  };
  let isUnfinished = false;
  for (let at = 0; at < script.length;) {
    const told = engine === 'mysql' && words.length === 0 ? delimiterAt(script, at) : undefined;
    if (told) {
      delimiter = told.delimiter;
      at = start = told.end;
      continue;
    }
    if (isEnd(at)) {
      end(at, false);
      at = start = at + delimiter.length;
      continue;
    }
    const token = tokenAt(script, at, engine);
    const tokenEnd = token.kind === 'word' ? cutWord(script, at, token.end, delimiter) : token.end;
    if (token.kind === 'open' || token.kind === 'close') isExecuted = token.kind === 'open';
    if (token.kind === 'word' || token.kind === 'quoted' || token.kind === 'mark') {
      if (words.length === 0) first = at;
      const text = script.slice(at, tokenEnd);
      if (text === '(') parentheses += 1;
      if (text === ')') parentheses -= 1;
      words.push(token.kind === 'word' ? text.toUpperCase() : text);
    }
    isUnfinished ||= token.isUnfinished;
    at = tokenEnd;
  }
  end(script.length, isUnfinished || isExecuted || isWithinBody(words, engine));
  return statements;
}

/** The texts of the statements of a script, each without its terminator. */
export function splitStatements(script: string, engine: SqlEngine): readonly string[] {
  return statementsOf(script, engine).map(({ text }) => text);
}
