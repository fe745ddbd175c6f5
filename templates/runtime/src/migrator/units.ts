/**
 * What of a script runs at once. The generator splits large scripts of PostgreSQL into several transactions, has what would lock a table
 * for long run by itself, and what writes all rows of a table range by range, by lines such as `-- content-gen: commit`.
 */
import { splitStatements } from '../database/split-statements.ts';
import { type Ranges, rangesOf } from './ranges.ts';

/** Begins a transaction, statements each of which is by itself, or one that runs range by range. */
const MARKER = /^-- content-gen: (?<kind>commit|each|in batches)\b.*$/gmu;

/** Whether a script may be more than one transaction. */
export function hasParts(script: string): boolean {
  return script.search(MARKER) !== -1;
}

/** An index that a statement builds or drops while writes go on, which PostgreSQL does only outside of transactions. */
export interface ConcurrentIndex {
  readonly verb: 'create' | 'drop';
  /** As it is stored. */
  readonly name: string;
}

/** What runs at once: a transaction, a statement that can be in none, or one that is as many transactions as it takes. */
export interface Unit {
  readonly text: string;
  readonly index: ConcurrentIndex | undefined;
  readonly ranges: Ranges | undefined;
}

const CONCURRENT =
  /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*(?<verb>CREATE|DROP)\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?(?:"(?<quoted>(?:[^"]|"")+)"|(?<bare>[\p{L}\p{N}_$]+))/iu;

function concurrentIndex(statement: string): ConcurrentIndex | undefined {
  const groups = CONCURRENT.exec(statement)?.groups;
  if (!groups) return undefined;
  const name = groups['quoted']?.replaceAll('""', '"') ?? groups['bare']?.toLowerCase() ?? '';
  return { verb: groups['verb']?.toLowerCase() === 'drop' ? 'drop' : 'create', name };
}

interface Section {
  readonly kind: string;
  /** Without its first line, but for one of ranges, which says of what. */
  readonly text: string;
}

function sectionsOf(script: string): readonly Section[] {
  const markers = [...script.matchAll(MARKER)];
  const start = { kind: 'commit', text: script.slice(0, markers[0]?.index) };
  const rest = markers.map(({ 0: line, index, groups }, place) => {
    const kind = groups?.['kind'] ?? '';
    const from = kind === 'in batches' ? index : index + line.length;
    return { kind, text: script.slice(from, markers[place + 1]?.index) };
  });
  // What comes before the first marker may be nothing but the head of the file.
  const isHead = rest.length > 0 && rest[0]?.kind !== 'commit' && splitStatements(start.text).length === 0;
  return isHead ? rest : [start, ...rest];
}

/** The units of a script, in their order. */
export function unitsOf(script: string): readonly Unit[] {
  return sectionsOf(script).flatMap(({ kind, text }): readonly Unit[] => {
    if (kind === 'commit') return [{ text, index: undefined, ranges: undefined }];
    return splitStatements(text).map((statement) => ({
      text: statement,
      index: concurrentIndex(statement),
      ranges: rangesOf(statement),
    }));
  });
}
