/** Checks and writes a change of an entry in one transaction; answers its text. */
import type { Executor } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { NotFoundError, ValidationError } from '../contract/errors.ts';
import type { CheckedQuery } from '../query/reader.ts';
import { checkCompleteness } from './completeness.ts';
import type { EntryInput, StoredEntry, TypeContext, WriteRequest } from './context.ts';
import { checkUpdate, notSent, publishes } from './entry-input.ts';
import { getEntry } from './stored-entry.ts';
import { Superseded } from './superseded.ts';
import { withUidValues } from './uid-value.ts';
import { namingTaken, selfOf } from './unique.ts';
import { isOfRow, updateEntryLast } from './update-entry.ts';
import type { Write } from './write-entry.ts';

/**
 * The values of an update that makes a draft public, with those that the server makes by itself. Throws ValidationError for
 * what the draft lacks.
 */
async function completed(
  { tx, type }: Write,
  context: TypeContext,
  { id, localization }: StoredEntry,
  { data, input }: { readonly data: unknown; readonly input: EntryInput },
): Promise<EntryInput> {
  const attributes = notSent(Object.entries(type.attributes), data);
  const found = await checkCompleteness(tx, context, id, { attributes, lock: true });
  if (!found) throw new Superseded();
  if (found.issues.length > 0) throw new ValidationError(found.issues);
  return withUidValues(tx, type, input, { ...found.values, ...input, locale: localization?.locale });
}

async function changeOnce(
  context: TypeContext,
  stored: StoredEntry,
  { data, caller, checked, client, ownFiles }: WriteRequest,
): Promise<string> {
  const { database, types, type } = context;
  const input = await checkUpdate(context, stored, { data, client });
  const outside = { tx: database, types, type, caller, ownFiles, answer: checked.entry };
  const update = async (tx: Executor): Promise<string> => {
    const write = { ...outside, tx };
    const isPublishing = publishes(type, stored, data);
    const values = isPublishing ? await completed(write, context, stored, { data, input }) : input;
    const text = await updateEntryLast(write, stored, values);
    if (text === undefined) throw new Superseded();
    return text;
  };
  return namingTaken(context, { input, self: selfOf(stored) }, () =>
    isOfRow(outside, input) ? update(database) : database.transaction(update),
  );
}

/** Validates and applies an update of an entry. Throws NotFoundError if there is none. */
export async function changeEntry(context: TypeContext, stored: StoredEntry, write: WriteRequest): Promise<string> {
  for (let current = stored; ; current = await getEntry(context.database, context.type, stored.id)) {
    try {
      return await changeOnce(context, current, write);
    } catch (error) {
      // Published or unpublished meanwhile: the rules for drafts are others. Or it is gone.
      if (error instanceof Superseded) continue;
      // What is wrong with the data is said only of an entry that there is.
      if (error instanceof ValidationError) await getEntry(context.database, context.type, stored.id);
      throw error;
    }
  }
}

/** Deletes an entry; answers it as it was. Throws NotFoundError if it is gone by now. */
export async function removeEntry(context: TypeContext, id: number, checked: CheckedQuery): Promise<string> {
  const { database, reader, type } = context;
  return database.transaction(async (tx) => {
    const entry = await reader.findEntry(tx, checked, id);
    if (entry === undefined) throw new NotFoundError();
    // The database takes it out of every list.
    await tx.run(sql`DELETE FROM ${tx.dialect.id(type.table)} WHERE id = ${id}`);
    return entry;
  });
}
