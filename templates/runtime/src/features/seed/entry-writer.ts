/** Writes sample content as the server's own code does. */
import type { AnyCollection, AnyEntries, AnySingle } from '../../entries/typed/any-entries.ts';
import type { Writer } from './context.ts';

/** The methods of a collection or a single type. Throws if there is no such type. */
export function entriesOf(entries: AnyEntries, uid: string): AnyCollection & AnySingle {
  const found = entries[uid];
  if (!found) throw new Error(`there is no type ${uid}`);
  return found as AnyCollection & AnySingle;
}

/** The id in the answer of a write. */
export function writtenId(answer: unknown): number {
  return (answer as { readonly data: { readonly id: number } }).data.id;
}

export function entryWriter(entries: AnyEntries, upload: Writer['upload']): Writer {
  return {
    create: async (uid, data) => writtenId(await entriesOf(entries, uid).create(data)),
    update: async (uid, id, data) => void (await entriesOf(entries, uid).update(id, data)),
    save: async (uid, data) => writtenId(await entriesOf(entries, uid).save(data)),
    upload,
  };
}
