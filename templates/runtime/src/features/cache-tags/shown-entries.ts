/** The entries that an answer shows, found in the text of its body: parsing it would cost more than the tags are worth. */
import type { EntrySelection, ItemSelection, Population } from '../../query/read-query.ts';
import { columnKey } from './exact-types.ts';
import { JsonText, OtherForm } from './json-text.ts';

/** What to do with what an answer shows. */
export interface Note {
  entry(uid: string, id: number): void;
  /** Entries of a type that store a relation to an entry, by its name and the id of that. */
  related(uid: string, key: string, id: number): void;
}

/** Reads one value, from its beginning to its end. */
type Walk = (text: JsonText, note: Note) => void;

/** The members of an object that are looked into, by name. */
interface Members {
  readonly walks: ReadonlyMap<string, Walk>;
  /** How many of them no answer leaves out. */
  readonly required: number;
}

const NONE: Members = { walks: new Map(), required: 0 };

/** Notes each entry that the body of an answer shows, some more than once. False if it can't be known. */
export type NoteShown = (body: Buffer | string, note: Note) => boolean;

/** Reads the members of an object from where it is: after its `{`, or after one of them. */
function walkMembers(text: JsonText, { walks, required }: Members, note: Note): void {
  if (walks.size === 0) {
    text.skipToEnd();
    return;
  }
  let missing = required;
  while (text.hasMember()) {
    const walk = walks.get(text.name());
    if (walk) {
      walk(text, note);
      missing -= 1;
    } else text.skipValue();
  }
  if (missing > 0) throw new OtherForm();
}

/** A list, or one, or none. */
function eachOf(one: Walk): Walk {
  return (text, note) => {
    if (text.takes('[')) while (text.hasElement()) one(text, note);
    else if (!text.takesNull()) one(text, note);
  };
}

/** An object with these members. */
function objectOf(members: Members): Walk {
  return (text, note) => {
    text.expect('{');
    walkMembers(text, members, note);
  };
}

function itemsOf(items: readonly ItemSelection[], isWrapped: boolean): Walk {
  const byUid = new Map(items.map(({ uid, populate }) => [uid, membersOf(populate, isWrapped)]));
  return eachOf((text, note) => {
    text.expect('{');
    while (text.hasMember()) {
      if (text.name() !== '__component') {
        text.skipValue();
        continue;
      }
      walkMembers(text, byUid.get(text.string()) ?? NONE, note);
      return;
    }
  });
}

function hasEntries(population: Population): boolean {
  if (population.kind === 'count') return false;
  if (population.kind === 'component') return population.item.populate.some(hasEntries);
  return population.kind !== 'zone' || population.items.some(({ populate }) => populate.some(hasEntries));
}

function walkOf(population: Population, isWrapped: boolean): readonly [name: string, walk: Walk] {
  switch (population.kind) {
    case 'relation': {
      const related = eachOf(entryOf(population.entry, isWrapped));
      // Relations are wrapped in `data` in one of the formats.
      const walk = isWrapped ? objectOf({ walks: new Map([['data', related]]), required: 1 }) : related;
      return [population.relation.name, walk];
    }
    case 'component':
      return [population.component.name, eachOf(objectOf(membersOf(population.item.populate, isWrapped)))];
    case 'zone':
      return [population.zone.name, itemsOf(population.items, isWrapped)];
    case 'count':
    case 'morph':
      throw new OtherForm();
  }
}

function membersOf(populate: readonly Population[], isWrapped: boolean): Members {
  const walks = new Map(populate.filter(hasEntries).map((one) => walkOf(one, isWrapped)));
  return { walks, required: walks.size };
}

/** An entry that others refer to is not written itself when they begin or cease to. */
function referrersOf(population: Population): readonly (readonly [uid: string, key: string])[] {
  if (population.kind !== 'relation' && population.kind !== 'count') return [];
  const { relation } = population;
  if (relation.kind !== 'relation') return [];
  const { storage, target } = relation;
  if (storage.kind === 'inverseForeignKey') return [[target.uid, columnKey(target.table, storage.column)]];
  return storage.kind === 'link' && storage.isInverse ? [[target.uid, storage.table]] : [];
}

function entryOf({ type, populate }: EntrySelection, isWrapped: boolean): Walk {
  const referrers = populate.flatMap(referrersOf);
  const own = membersOf(populate, isWrapped);
  const members =
    isWrapped && own.walks.size > 0 ? { walks: new Map([['attributes', objectOf(own)]]), required: 1 } : own;
  return (text, note) => {
    text.expect('{');
    if (!text.hasMember() || text.name() !== 'id') throw new OtherForm();
    const id = text.integer();
    note.entry(type.uid, id);
    for (const [uid, key] of referrers) note.related(uid, key, id);
    walkMembers(text, members, note);
  };
}

/** Finds the entries in answers to a query. `isWrapped`: whether attributes and relations are in objects of their own. */
export function shownBy(selection: EntrySelection, isWrapped: boolean): NoteShown {
  const data = eachOf(entryOf(selection, isWrapped));
  return (body, note) => {
    // Each byte of another character than those of ASCII is one that no structure of JSON has.
    const text = new JsonText(typeof body === 'string' ? body : body.toString('latin1'));
    try {
      text.expect('{');
      if (!text.hasMember() || text.name() !== 'data') return false;
      data(text, note);
      return true;
    } catch (error) {
      if (error instanceof OtherForm) return false;
      throw error;
    }
  };
}
