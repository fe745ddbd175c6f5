/** The entries that an answer shows, read from its body. */
import { columnKey } from './exact-types.ts';
import type { EntrySelection, ItemSelection, Population } from '../../query/read-query.ts';

/** What to do with what an answer shows. */
export interface Note {
  entry(uid: string, id: number): void;
  /** Entries of a type that store a relation to an entry, by its name and the id of that. */
  related(uid: string, key: string, id: number): void;
}

/** The form of each entry without relations: its id comes first, then its document id or its attributes. */
const ENTRY = /\{"id": ?(\d+), ?"/gu;

/** The answer has another form than its query: it was made by somebody else. */
class OtherForm extends Error {}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  if (value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** Relations are wrapped in `data` in one of the formats. */
function relatedIn(value: unknown, isWrapped: boolean): readonly unknown[] {
  if (!isWrapped) return listOf(value);
  if (!isObject(value) || value['data'] === undefined) throw new OtherForm();
  return listOf(value['data']);
}

function noteItems(
  items: readonly unknown[],
  selections: readonly ItemSelection[],
  isWrapped: boolean,
  note: Note,
): void {
  for (const item of items) {
    if (!isObject(item)) throw new OtherForm();
    const found = item['__component'];
    for (const { uid, populate } of selections) {
      if (found === undefined || found === uid) notePopulated(item, populate, isWrapped, note);
    }
  }
}

function notePopulated(
  attributes: Readonly<Record<string, unknown>>,
  populate: readonly Population[],
  isWrapped: boolean,
  note: Note,
): void {
  for (const population of populate) {
    switch (population.kind) {
      case 'relation': {
        const value = attributes[population.relation.name];
        if (value === undefined) throw new OtherForm();
        for (const one of relatedIn(value, isWrapped)) noteEntry(one, population.entry, isWrapped, note);
        break;
      }
      case 'component':
        noteItems(listOf(attributes[population.component.name] ?? null), [population.item], isWrapped, note);
        break;
      case 'zone':
        noteItems(listOf(attributes[population.zone.name] ?? null), population.items, isWrapped, note);
        break;
      case 'count':
        break;
      case 'morph':
        throw new OtherForm();
    }
  }
}

/** An entry that others refer to is not written itself when they begin or cease to. */
function noteRelation(population: Population, id: number, note: Note): void {
  if (population.kind !== 'relation' && population.kind !== 'count') return;
  const { relation } = population;
  if (relation.kind !== 'relation') return;
  const { storage, target } = relation;
  if (storage.kind === 'inverseForeignKey') note.related(target.uid, columnKey(target.table, storage.column), id);
  if (storage.kind === 'link' && storage.isInverse) note.related(target.uid, storage.table, id);
}

function noteEntry(value: unknown, { type, populate }: EntrySelection, isWrapped: boolean, note: Note): void {
  if (!isObject(value) || typeof value['id'] !== 'number') throw new OtherForm();
  const id = value['id'];
  note.entry(type.uid, id);
  for (const one of populate) noteRelation(one, id, note);
  if (populate.length === 0) return;
  const attributes = isWrapped ? value['attributes'] : value;
  if (!isObject(attributes)) throw new OtherForm();
  notePopulated(attributes, populate, isWrapped, note);
}

const hasEntries = ({ populate }: { readonly populate: readonly Population[] }): boolean =>
  populate.some(
    (one) =>
      !(one.kind === 'component' && !hasEntries(one.item)) && !(one.kind === 'zone' && !one.items.some(hasEntries)),
  );

/** Notes each entry that the answer shows, some more than once. False if it can't be known. */
export function noteShown(body: string, selection: EntrySelection, isWrapped: boolean, note: Note): boolean {
  if (!hasEntries(selection)) {
    let count = 0;
    for (const [, id] of body.matchAll(ENTRY)) {
      note.entry(selection.type.uid, Number(id));
      count += 1;
    }
    return count > 0 || body.startsWith('{"data":[]');
  }
  try {
    const { data } = JSON.parse(body) as { readonly data?: unknown };
    if (data === undefined) return false;
    for (const one of listOf(data)) noteEntry(one, selection, isWrapped, note);
    return true;
  } catch (error) {
    if (error instanceof OtherForm || error instanceof SyntaxError) return false;
    throw error;
  }
}
