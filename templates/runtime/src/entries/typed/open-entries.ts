/** The entry services of a server together with what its hooks and routes call them by. */
import type { Database, Transaction } from '../../database/database.ts';
import type { Reader } from '../../query/reader.ts';
import { createEntryServices, type EntryDefinition, type EntryServices } from '../create-services.ts';
import type { AfterCommit } from '../context.ts';
import type { TypeHooks, WriteScope } from '../hooks.ts';
import { type AnyEntries, createEntries } from './create-entries.ts';

type HooksByType = Readonly<Record<string, TypeHooks | undefined>>;
type AnyHook = (event: object) => unknown;

interface EntryOptions {
  readonly database: Database;
  readonly reader: Reader;
  /** Makes a reader of what a transaction sees. */
  readonly readerIn: (database: Database) => Reader;
  readonly definition: EntryDefinition;
  readonly hooks: HooksByType;
  /** Takes what a `committed` hook throws. */
  readonly onHookError: (error: unknown, type: string) => void;
}

interface Opened {
  readonly services: EntryServices;
  readonly entries: AnyEntries;
}

/** A database whose every write is a part of a transaction, and whose reads see what that has written. */
function inTransaction(database: Database, tx: Transaction): Database {
  return {
    ...database,
    ...tx,
    transaction: (work) => work(tx),
    readTransaction: (_, work) => work(tx),
    snapshot: (work) => work(tx),
    longTransaction: (work) => work(tx),
  };
}

/** `afterCommit` runs what is to be done once the transaction is committed in which these services write. */
function open(options: EntryOptions, afterCommit: AfterCommit): Opened {
  const { database, reader, readerIn, definition, hooks, onHookError } = options;
  let opened: Opened | undefined;

  /** The entries of an event; those in a transaction are only made where the hook asks for them. */
  function eventOf(event: object): object {
    const { scope, ...rest } = event as { readonly scope?: WriteScope };
    if (!scope) return Object.assign(rest, { entries: opened?.entries });
    const { tx, later } = scope;
    let inside: AnyEntries | undefined;
    const openInside = () => {
      const bound = inTransaction(database, tx);
      return open({ ...options, database: bound, reader: readerIn(bound) }, async (work) => void later.push(work))
        .entries;
    };
    return Object.defineProperty(rest, 'entries', { enumerable: true, get: () => (inside ??= openInside()) });
  }

  function bound(type: string, own: TypeHooks): TypeHooks {
    const all = Object.entries(own).map(([name, hook]) => {
      if (typeof hook !== 'function') return [name, hook] as const;
      const run: AnyHook = async (event) => (hook as AnyHook).call(own, eventOf(event));
      if (name !== 'committed') return [name, run] as const;
      return [
        name,
        (event: object) => (run(event) as Promise<void>).catch((error: unknown) => onHookError(error, type)),
      ];
    });
    return Object.fromEntries(all) as TypeHooks;
  }

  const all = Object.entries(hooks).map(([uid, own]) => [uid, own && bound(uid, own)]);
  const byType = Object.fromEntries(all) as HooksByType;
  const services = createEntryServices({ database, reader, definition, hooks: byType, afterCommit });
  opened = { services, entries: createEntries(services, definition.contentTypes, Object.keys(definition.validators)) };
  return opened;
}

/** `hooks` of a type get `entries` in each event. What is not in `definition.validators` has no entries here. */
export function openEntries(options: EntryOptions): Opened {
  return open(options, (work) => work());
}
