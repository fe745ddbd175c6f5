/** Reads one entry: with a single statement if its result is bounded, otherwise level by level. */
import { tooLarge } from '../base/cost/answer-budget.ts';
import type { Executor } from '../database/executor.ts';
import type { ReadOptions, Row } from '../database/statement-runner.ts';
import type { Sql } from '../database/sql.ts';
import { AnswerTooLargeError } from '../contract/errors.ts';
import type { EntryLevel } from './compile/compile-level.ts';
import {
  compileOne,
  compileShallowOne,
  compileShallowSingle,
  compileSingle,
  compileVersion,
  type EntryStatement,
  type VersionStatement,
} from './compile/compile-read.ts';
import { boundsFor } from './compile/list-weight.ts';
import { bound } from './compile/parameters.ts';
import { createKnownTooLarge, isWithinLimits, levelRead, type ReadContext, type ReadRun } from './read-limits.ts';
import type { Sized } from './query-cache.ts';
import { completeEntries } from './read-levels.ts';
import type { ReadEntry } from './version-tag.ts';
import type { LocaleFilter, ReadQuery } from './read-query.ts';
import { entryQueryScans } from './scans.ts';

/** An id, or a document id if the read looks entries up by document id. */
type Key = number | string;

/** A read with a single statement, whose row contains the whole entry. */
interface AtOnce {
  statement(key: Key): Sql;
  entryOf(row: Row): ReadEntry;
}

/** A read whose lists are fetched by later statements. */
interface ByLevels {
  statement(key: Key): Sql;
  readonly level: EntryLevel;
  versionOf(row: Row): number;
}

/** A compiled read. For a single type, the key is ignored. */
export interface EntryRead extends Sized {
  /** Undefined if no entry matches the query. Throws BadRequestError if the answer would be too large. */
  entry(key: Key, run: ReadRun): Promise<ReadEntry | undefined>;
  /**
   * The version and tag of the entry, without the entry. Undefined if no entry matches, or if the version does not determine the
   * answer.
   */
  version(key: Key, run: ReadRun): Promise<EntryVersion | undefined>;
}

/** Identifies the state of an entry that an answer shows. */
export type EntryVersion = Omit<ReadEntry, 'text'>;

interface Compiled {
  readonly query: ReadQuery;
  readonly atOnce: AtOnce | undefined;
  readonly shallow: () => ByLevels;
  readonly hasLists: boolean;
  readonly size: number;
  readonly version: () => VersionStatement | undefined;
}

function boundsOfOne({ limits }: ReadContext, { entry }: ReadQuery) {
  return boundsFor(entry.populate, 1, limits);
}

async function completeRow(
  context: ReadContext,
  executor: Executor,
  level: EntryLevel,
  row: Row,
  options?: ReadOptions,
) {
  const [text] = await completeEntries(levelRead(context, executor, options), level, [row]);
  return text ?? '';
}

/** The entry, and whether it is complete; undefined if there is none. */
async function entryAtOnce(
  { database, limits }: ReadContext,
  { query, hasLists }: Compiled,
  { statement, entryOf }: AtOnce,
  { id, run, options }: { readonly id: Key; readonly run: ReadRun; readonly options: ReadOptions },
): Promise<{ readonly entry: ReadEntry | undefined; readonly whole: boolean } | undefined> {
  try {
    const row = await bound(database, run.values).get(statement(id), options);
    if (!row) return undefined;
    const entry = entryOf(row);
    return {
      entry,
      whole: isWithinLimits(typeof entry.text === 'string' ? [entry.text] : entry.text, {
        limits,
        hasLists,
        shape: query.entry.shape,
      }),
    };
  } catch (error) {
    if (error instanceof AnswerTooLargeError) return { entry: undefined, whole: false };
    throw error;
  }
}

/** The entry with signed addresses of files. */
function signed<Entry extends ReadEntry | undefined>({ fileUrls }: ReadContext, entry: Entry): Entry {
  if (!fileUrls || !entry) return entry;
  const { text } = entry;
  return { ...entry, text: typeof text === 'string' ? fileUrls.signed(text) : fileUrls.signedPieces(text) };
}

function entryRead(context: ReadContext, compiled: Compiled): EntryRead {
  const { atOnce, hasLists, size } = compiled;
  let version: VersionStatement | null | undefined;
  const scans = entryQueryScans(compiled.query);
  let shallow: ByLevels | undefined;
  const tooLargeBefore = createKnownTooLarge();
  const byLevels = async (id: Key, run: ReadRun, options: ReadOptions): Promise<ReadEntry | undefined> => {
    const { statement, level, versionOf } = (shallow ??= compiled.shallow());
    return context.database.readTransaction(options, async (reader) => {
      const executor = bound(reader, run.values);
      const row = await executor.get(statement(id), options);
      if (!row) return undefined;
      return { text: await completeRow(context, executor, level, row, options), version: versionOf(row) };
    });
  };
  return {
    size,
    async version(id, run) {
      version ??= compiled.version() ?? null;
      if (!version) return undefined;
      const row = await bound(context.database, run.values).get(version.statement(id), { client: run.client, scans });
      return row && { version: version.versionOf(row), tag: version.tagOf(row) };
    },
    async entry(id, run) {
      const options = { client: run.client, scans };
      if (atOnce && !tooLargeBefore.has(run)) {
        const found = await entryAtOnce(context, compiled, atOnce, { id, run, options });
        if (!found || found.whole) return signed(context, found?.entry);
        if (!hasLists) throw tooLarge(`${context.limits.maxAnswerSize} bytes`, undefined);
        tooLargeBefore.add(run);
      }
      return signed(context, await byLevels(id, run, options));
    },
  };
}

/** Compiles a read by id or, if `ofDocument` is given, by document id in that locale. */
export function compileEntryRead(context: ReadContext, query: ReadQuery, ofDocument?: LocaleFilter): EntryRead {
  const { dialect } = context.database;
  const bounds = boundsOfOne(context, query);
  const atOnce =
    bounds?.kind === 'deferred' ? undefined : compileOne(dialect, query, { anyState: false, bounds, ofDocument });
  return entryRead(context, {
    query,
    atOnce,
    shallow: () => compileShallowOne(dialect, query, { anyState: false, ofDocument }),
    version: () => compileVersion(dialect, query, { ofDocument }),
    hasLists: bounds !== undefined,
    size: atOnce?.text.length ?? 0,
  });
}

/** Compiles the read of a single type's entry. */
export function compileSingleRead(context: ReadContext, query: ReadQuery, locale: LocaleFilter): EntryRead {
  const { dialect } = context.database;
  const bounds = boundsOfOne(context, query);
  const single = bounds?.kind === 'deferred' ? undefined : compileSingle(dialect, query, locale, bounds);
  return entryRead(context, {
    query,
    atOnce: single && { statement: () => single.statement, entryOf: single.entryOf },
    version: () => compileVersion(dialect, query, { single: locale }),
    shallow: () => {
      const { statement, level, versionOf } = compileShallowSingle(dialect, query, locale);
      return { statement: () => statement, level, versionOf };
    },
    hasLists: bounds !== undefined,
    size: single?.statement.text.length ?? 0,
  });
}

/**
 * Compiles the read of an entry after a write, inside the write's transaction. An entry with lists is read level by level there,
 * because after the commit it is too late to refuse it.
 */
export function compileWritten(context: ReadContext, query: ReadQuery): EntryStatement {
  const { dialect } = context.database;
  if (!boundsOfOne(context, query)) {
    const one = compileOne(dialect, query, { anyState: true, bounds: undefined, ofDocument: undefined });
    return { ...one, entryOf: (row) => signed(context, one.entryOf(row)) };
  }
  const { level, versionOf, text, statement } = compileShallowOne(dialect, query, {
    anyState: true,
    ofDocument: undefined,
  });
  return {
    text,
    statement,
    entryOf: (row) => ({ text: level.textOf(row), version: versionOf(row) }),
    returning: undefined,
    complete: async (executor, row) =>
      signed(context, { text: await completeRow(context, executor, level, row), version: versionOf(row) }),
  };
}
