/**
 * Splits a script into units that run separately. The generator marks them by lines such as `-- content-gen: commit`: it
 * splits large scripts for PostgreSQL into several transactions, runs statements that would hold a table lock for long by
 * themselves, and updates whole tables in ranges of ids.
 */
import { splitStatements } from '../contract/sql/statements.ts';
import type { SqlEngine } from '../contract/sql/tokens.ts';
import { type Ranges, rangesOf } from './ranges.ts';

/** The line before a transaction, before statements that each run by themselves, or before one that runs range by range. */
const MARKER = /^-- content-gen: (?<kind>commit|each|in batches)\b.*$/gmu;

/** Whether a script may consist of several units. */
export function hasParts(script: string): boolean {
  return script.search(MARKER) !== -1;
}

/** An index that a statement creates or drops CONCURRENTLY, which PostgreSQL only does outside of transactions. */
export interface ConcurrentIndex {
  readonly verb: 'create' | 'drop';
  /** As the catalogue stores it. */
  readonly name: string;
}

/**
 * What runs at once: a transaction, a statement that can't be in one, or a statement that runs in one transaction per range.
 */
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
  /** Without the marker line, except for ranges, whose marker names the table and its key. */
  readonly text: string;
}

function sectionsOf(script: string, engine: SqlEngine): readonly Section[] {
  const markers = [...script.matchAll(MARKER)];
  const start = { kind: 'commit', text: script.slice(0, markers[0]?.index) };
  const rest = markers.map(({ 0: line, index, groups }, place) => {
    const kind = groups?.['kind'] ?? '';
    const from = kind === 'in batches' ? index : index + line.length;
    return { kind, text: script.slice(from, markers[place + 1]?.index) };
  });
  // The text before the first marker may be just the comments at the head of the file.
  const isHead = rest.length > 0 && rest[0]?.kind !== 'commit' && splitStatements(start.text, engine).length === 0;
  return isHead ? rest : [start, ...rest];
}

/** The units of a script, in order. */
export function unitsOf(script: string, engine: SqlEngine): readonly Unit[] {
  return sectionsOf(script, engine).flatMap(({ kind, text }): readonly Unit[] => {
    if (kind === 'commit') return [{ text, index: undefined, ranges: undefined }];
    return splitStatements(text, engine).map((statement) => ({
      text: statement,
      index: concurrentIndex(statement),
      ranges: rangesOf(statement),
    }));
  });
}
