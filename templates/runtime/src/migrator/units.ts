/**
 * What of a script of PostgreSQL runs at once. The generator splits large scripts into several transactions, and has what would lock a
 * table for long run by itself, by lines such as `-- content-gen: commit`.
 */
import { splitStatements } from '../database/split-statements.ts';

/** Begins a transaction, or statements each of which is by itself. */
const MARKER = /^-- content-gen: (?<kind>commit|each)\b.*$/mu;

/** Whether a script is more than one transaction. */
export function isBatched(script: string): boolean {
  return MARKER.test(script);
}

/** An index that a statement builds or drops while writes go on, which PostgreSQL does only outside of transactions. */
export interface ConcurrentIndex {
  readonly verb: 'create' | 'drop';
  /** As it is stored. */
  readonly name: string;
}

/** What runs at once: a transaction, or a statement that can be in none. */
export interface Unit {
  readonly text: string;
  readonly index: ConcurrentIndex | undefined;
}

const CONCURRENT =
  /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*(?<verb>CREATE|DROP)\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?(?:"(?<quoted>(?:[^"]|"")+)"|(?<bare>[\p{L}\p{N}_$]+))/iu;

function concurrentIndex(statement: string): ConcurrentIndex | undefined {
  const groups = CONCURRENT.exec(statement)?.groups;
  if (!groups) return undefined;
  const name = groups['quoted']?.replaceAll('""', '"') ?? groups['bare']?.toLowerCase() ?? '';
  return { verb: groups['verb']?.toLowerCase() === 'drop' ? 'drop' : 'create', name };
}

/** The units of a script, in their order. */
export function unitsOf(script: string): readonly Unit[] {
  const [start = '', ...rest] = script.split(MARKER);
  const sections = [{ kind: 'commit', text: start }];
  // What is split by carries its kind before the text that follows it.
  for (let index = 0; index < rest.length; index += 2) {
    sections.push({ kind: rest[index] ?? '', text: rest[index + 1] ?? '' });
  }
  // What comes before the first marker may be nothing but the head of the file.
  const isHead = sections[1]?.kind === 'each' && splitStatements(start).length === 0;
  return sections.slice(isHead ? 1 : 0).flatMap(({ kind, text }): readonly Unit[] => {
    if (kind !== 'each') return [{ text, index: undefined }];
    return splitStatements(text).map((statement) => ({ text: statement, index: concurrentIndex(statement) }));
  });
}
