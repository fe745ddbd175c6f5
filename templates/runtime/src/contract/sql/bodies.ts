/** Bodies of triggers, functions and procedures, whose semicolons don't end the statement that creates them. */
import type { SqlEngine } from './tokens.ts';

const PROGRAMS: ReadonlySet<string> = new Set(['TRIGGER', 'PROCEDURE', 'FUNCTION', 'EVENT']);

/** What MariaDB also runs outside of programs. */
const COMPOUNDS: ReadonlySet<string> = new Set(['IF', 'CASE', 'LOOP', 'WHILE', 'REPEAT', 'FOR']);

/** What follows the same words elsewhere: `IF NOT EXISTS`, `FOR EACH ROW`. */
const NO_COMPOUND: ReadonlySet<string> = new Set(['NOT', 'EXISTS', 'EACH']);

/** The index after `DEFINER = 'name'@'host'`, if it is there. */
function afterDefiner(words: readonly string[], at: number): number {
  if (words[at] !== 'DEFINER') return at;
  const named = words[at + 3] === '(' ? at + 5 : at + 3;
  return words[named] === '@' ? named + 2 : named;
}

/** Whether a statement of MySQL or MariaDB has a body, or is one. */
function isMysqlProgram(words: readonly string[]): boolean {
  const [first = '', second] = words;
  if (first === 'BEGIN') return second === 'NOT';
  if (COMPOUNDS.has(first) || second === ':') return true;
  if (first !== 'CREATE' && first !== 'ALTER') return false;
  const named = afterDefiner(words, second === 'OR' ? 3 : 1);
  return PROGRAMS.has(words[words[named] === 'AGGREGATE' ? named + 1 : named] ?? '');
}

/** The tokens after which a statement of a body begins. */
const BEFORE_STATEMENT: ReadonlySet<string> = new Set([';', 'BEGIN', 'DO', 'ELSE', 'LOOP', 'REPEAT', 'THEN', ':']);

/** The tokens before a body that is one statement, such as `IF … END IF`. */
const BEFORE_BODY = /^(?:ROW|\)|SQL|DATA|DETERMINISTIC|DEFINER|INVOKER|DO|'.*'|:)$/su;

/** Whether the word at `at` begins a statement; `open` is what encloses it. */
function beginsStatement(words: readonly string[], at: number, open: readonly string[]): boolean {
  const before = words[at - 1];
  if (before === undefined) return true;
  // The functions IF() and REPEAT() have the names of statements.
  if (open.length === 0) return BEFORE_BODY.test(before) || (words[at] !== 'FOR' && words[at + 1] !== '(');
  return BEFORE_STATEMENT.has(before) && open.at(-1) !== 'expression';
}

/** Whether a body of MySQL or MariaDB is still open at the end of these tokens. */
function isMysqlBodyOpen(words: readonly string[]): boolean {
  const open: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === 'END') {
      open.pop();
      if (COMPOUNDS.has(words[at + 1] ?? '')) at += 1;
    } else if (word === 'BEGIN') open.push(word);
    else if (word === 'CASE') open.push(beginsStatement(words, at, open) ? word : 'expression');
    else if (COMPOUNDS.has(word) && !NO_COMPOUND.has(words[at + 1] ?? '') && beginsStatement(words, at, open)) {
      open.push(word);
    }
  }
  return open.length > 0;
}

/** Whether a body `BEGIN ATOMIC … END` of PostgreSQL is still open at the end of these tokens. */
function isAtomicBodyOpen(words: readonly string[]): boolean {
  let depth = 0;
  for (const [at, word] of words.entries()) {
    if (word === 'BEGIN' && words[at + 1] === 'ATOMIC') depth += 1;
    else if (word === 'CASE' && depth > 0) depth += 1;
    else if (word === 'END' && depth > 0) depth -= 1;
  }
  return depth > 0;
}

/**
 * Whether a semicolon after these tokens is within a body. Words are in upper case.
 */
export function isWithinBody(words: readonly string[], engine: SqlEngine): boolean {
  const [first, second = '', third, fourth = ''] = words;
  if (engine === 'mysql') return isMysqlProgram(words) && isMysqlBodyOpen(words);
  if (first !== 'CREATE') return false;
  if (engine === 'postgres') return PROGRAMS.has(second === 'OR' ? fourth : second) && isAtomicBodyOpen(words);
  // `end` may also be the name of a column: as SQLite's own shell, only `; END` ends a trigger.
  const isTrigger = second === 'TRIGGER' || (/^TEMP(?:ORARY)?$/u.test(second) && third === 'TRIGGER');
  return isTrigger && !(words.at(-1) === 'END' && words.at(-2) === ';');
}
