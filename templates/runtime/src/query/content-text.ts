/**
 * The JSON of all that an entry contains as an expression of SQL, for statements that store it: its attributes, also private ones, its
 * components, and its relations as ids in their order. Passwords are left out.
 */
import { type ContentType, type ContentTypes, isInverseStorage } from '../contract/content-type.ts';
import { isPublished } from '../contract/states.ts';
import type { Dialect } from '../database/dialect.ts';
import { entryJson } from './compile/compile-entry.ts';
import { compilePopulation } from './compile/compile-population.ts';
import { createCompiler } from './compile/compiler.ts';
import { type JsonTree, object, value, values } from './compile/json-tree.ts';
import { rootRows } from './compile/root-rows.ts';
import { type EntryParts, type EntryShape, FLAT } from './entry-shape.ts';
import type { EntryText } from './entry-text.ts';
import type { EntrySelection, ItemSelection, Population } from './read-query.ts';
import {
  type AllowList,
  createAllowList,
  type Readable,
  type ReadableAttributes,
  type ReadableScalar,
} from './readable-attributes.ts';

/** Lists that other entries store with more members are not kept: every write of a member would store all of them. */
export const MAX_INVERSE_LISTED = 1000;

/** An entry that a relation leads to: its id or, behind a polymorphic relation, with its type. */
function referred<T>({ id, attributes }: EntryParts<T>): JsonTree<T> {
  return attributes.length === 0 ? value(id) : object([...values(attributes), ['id', value(id)]]);
}

const REFERRED: EntryShape = { ...FLAT, entry: referred, onlyIds: true };
/** The member with the private attributes of an entry: no attribute has such a name. */
export const PRIVATE = '~';

/** The content of an entry or of a component item, by the names of attributes. */
export type Content = Readonly<Record<string, unknown>>;

function wholeOf({ attributes: described }: ContentType): EntryShape {
  const isPrivate = (name: string): boolean => described[name]?.private === true;
  return {
    ...FLAT,
    entry: ({ id, documentId, attributes }) =>
      object([
        ['id', value(id)],
        ...(documentId === undefined ? [] : [['documentId', value(documentId)] as const]),
        ...values(attributes.filter(([name]) => !isPrivate(name))),
        [PRIVATE, object(values(attributes.filter(([name]) => isPrivate(name))))],
      ]),
  };
}

/** What is selected of an entry whose id alone is stored. */
function reference(type: ContentType): EntrySelection {
  return { type, live: false, narrowed: undefined, shape: REFERRED, fields: [], populate: [] };
}

interface Selecting {
  readonly types: ContentTypes;
  readonly allowed: AllowList;
}

/** A type in the state in which links find all of its entries. */
function inAnyState({ types }: Selecting, type: ContentType): ContentType {
  return types.types[type.uid] ?? type;
}

function populated(selecting: Selecting, readable: Readable): readonly Population[] {
  const all = { filter: undefined, asked: undefined, sort: [], start: 0, limit: undefined };
  switch (readable.kind) {
    case 'relation': {
      const { storage, target } = readable;
      // Members of a list that is stored in their own rows are those of the same state.
      const type = storage.kind === 'inverseForeignKey' ? target : inAnyState(selecting, target);
      const limit = isInverseStorage(storage) && readable.many ? MAX_INVERSE_LISTED + 1 : undefined;
      // Links to a localized entry refer to its first row.
      const shown = { wanted: undefined, locales: selecting.types.locales };
      const isOfEntry = readable.shared && isInverseStorage(storage);
      const relation = { ...readable, target: type, ...(isOfEntry && { shown }) };
      return [{ kind: 'relation', path: '', relation, window: { ...all, limit }, entry: reference(type) }];
    }
    case 'morph': {
      const targets = readable.targets.map(({ type, column }) => ({
        column,
        entry: reference(inAnyState(selecting, type)),
      }));
      return [{ kind: 'morph', shape: REFERRED, path: '', relation: readable, targets, start: 0, limit: undefined }];
    }
    case 'component': {
      const item = itemOf(
        selecting,
        readable.component.uid,
        selecting.allowed.ofComponent(readable.component, 'server'),
      );
      return [{ kind: 'component', component: readable, window: all, item }];
    }
    case 'zone': {
      const items = readable.components.map((component) =>
        itemOf(selecting, component.uid, selecting.allowed.ofComponent(component, 'server')),
      );
      return [{ kind: 'zone', zone: readable, items, start: 0, limit: undefined }];
    }
    case 'scalar':
    case 'localizations':
      return [];
  }
}

/** Decimals are stored as text, like big integers: as JSON numbers they would lose digits when they are read. */
function exact(field: ReadableScalar): ReadableScalar {
  return field.columnType === 'decimal' ? { ...field, columnType: 'biginteger' } : field;
}

function selected(selecting: Selecting, attributes: ReadableAttributes) {
  const all = [...attributes.values()];
  return {
    fields: all.flatMap((one) =>
      one.kind === 'scalar' && !['id', 'documentId'].includes(one.name) ? [exact(one)] : [],
    ),
    populate: all.flatMap((one) => populated(selecting, one)),
  };
}

function itemOf(selecting: Selecting, uid: string, attributes: ReadableAttributes): ItemSelection {
  return { uid, ...selected(selecting, attributes) };
}

/** A relation to one entry is the value of a column. */
function keysAsFields(attributes: ReadableAttributes): ReadableAttributes {
  const all = [...attributes].map(([name, one]): [string, Readable] => {
    if (one.kind !== 'relation' || one.storage.kind !== 'foreignKey') return [name, one];
    const { column } = one.storage;
    return [name, { kind: 'scalar', name, type: 'integer', columnType: 'integer', column, indexed: false }];
  });
  return Object.assign(new Map(all), { owner: attributes.owner });
}

/** Compiles the text of the entries of a type, in the state that the type is in. */
export function compileContentText(dialect: Dialect, types: ContentTypes, type: ContentType): EntryText {
  const allowed = createAllowList(types);
  const compiler = createCompiler(dialect, compilePopulation);
  const entry: EntrySelection = {
    type,
    live: isPublished(type),
    narrowed: undefined,
    shape: wholeOf(type),
    ...selected({ types, allowed }, keysAsFields(allowed.ofType(type, 'server'))),
  };
  const { rows, from } = rootRows(compiler, entry);
  return { alias: rows.alias, from, text: dialect.jsonText(entryJson(compiler, entry, rows)) };
}
