/** Suggests `renamedFrom` if something that is dropped and something new may be the same. Nothing is renamed by guessing. */
import type { Column, ComponentShape, StorageModel, Table } from '../../storage/storage-model.ts';
import { isPublishedLabel } from '../../storage/published-layout.ts';
import { isTypeTable, originOf, typeTable, uidOf } from '../../storage/table-origin.ts';
import type { Loss } from './draft.ts';

function say(kind: 'type' | 'attribute' | 'component', from: string, to: readonly string[]): string | undefined {
  if (to.length === 0) return undefined;
  const former = from.includes('.') && kind === 'attribute' ? from.slice(from.lastIndexOf('.') + 1) : from;
  const names = to.map((name) => `'${name}'`).join(' or ');
  return `If '${from}' was renamed to ${names}, add \`renamedFrom: ${former}\` to the new definition, which preserves the data.`;
}

function attributesOf({ columns }: Table): readonly string[] {
  return columns.flatMap(({ attribute, type }) => (attribute === undefined ? [] : [`${attribute} ${type}`]));
}

/** New types that share at least half of their attributes with the old type. */
function newTypes(uid: string, before: StorageModel, after: StorageModel): readonly string[] {
  const old = typeTable(before, uid);
  const attributes = old ? attributesOf(old) : [];
  return after.tables
    .filter(isTypeTable)
    .filter((table) => !typeTable(before, table.uid) && !isPublishedLabel(table.uid))
    .filter((table) => {
      const own = attributesOf(table);
      const shared = own.filter((one) => attributes.includes(one)).length;
      return shared * 2 >= Math.max(attributes.length, own.length);
    })
    .map((table) => table.uid);
}

function storedAlike(a: Column, b: Column): boolean {
  return a.type === b.type && a.secret === b.secret && (a.holds === undefined) === (b.holds === undefined);
}

function newAttributes(uid: string, name: string, before: StorageModel, after: StorageModel): readonly string[] {
  const [old, now] = [typeTable(before, uid), typeTable(after, uid)];
  const gone = old?.columns.find(({ attribute, role }) => attribute === name && role !== 'listPosition');
  if (!old || !now || !gone) return [];
  const targetOf = (model: StorageModel, table: Table, column: string): string | undefined => {
    const key = table.foreignKeys.find((one) => one.column === column);
    return nameOfTarget(model, key?.references);
  };
  return now.columns
    .filter((column) => column.attribute !== undefined && column.role !== 'listPosition')
    .filter((column) => !old.columns.some(({ attribute }) => attribute === column.attribute))
    .filter((column) => storedAlike(gone, column))
    .filter((column) => targetOf(before, old, gone.name) === targetOf(after, now, column.name))
    .map(({ attribute }) => `${uid}.${attribute ?? ''}`);
}

/** The origin of the table that a key references. */
function nameOfTarget({ tables }: StorageModel, name: string | undefined): string | undefined {
  const table = tables.find((one) => one.name === name);
  return table && originOf(table);
}

/** New link tables between the same types. */
function newLinks(thing: string, before: StorageModel, after: StorageModel): readonly string[] {
  const endsOf = (model: StorageModel, table: Table): string =>
    table.foreignKeys.map((key) => nameOfTarget(model, key.references) ?? '').join();
  const old = before.tables.find((table) => originOf(table) === thing);
  if (!old) return [];
  const ends = endsOf(before, old);
  const isNew = (table: Table): boolean => !before.tables.some((one) => originOf(one) === originOf(table));
  return after.tables
    .filter((table) => uidOf(table) === uidOf(old) && isNew(table) && endsOf(after, table) === ends)
    .map(originOf);
}

function newMembers(thing: string, before: StorageModel, after: StorageModel): readonly string[] {
  const dot = thing.lastIndexOf('.');
  const [uid, name] = [thing.slice(0, dot), thing.slice(dot + 1)];
  const shapeOf = ({ components = [] }: StorageModel): ComponentShape | undefined =>
    components.find((shape) => shape.uid === uid);
  const [old, now] = [shapeOf(before), shapeOf(after)];
  const gone = old?.members.find((member) => member.name === name);
  const typeOf = (member: ComponentShape['members'][number]): string =>
    member.kind === 'value' ? member.type : member.kind;
  return (now?.members ?? [])
    .filter((member) => gone && typeOf(member) === typeOf(gone))
    .filter((member) => !old?.members.some((one) => one.name === member.name))
    .map((member) => `${uid}.${member.name}`);
}

/** The hint for a loss that may be a rename; undefined if nothing new is similar. */
export function renameHint({ code, thing }: Loss, before: StorageModel, after: StorageModel): string | undefined {
  const dot = thing.indexOf('.');
  const [uid, name] = [thing.slice(0, dot), thing.slice(dot + 1)];
  switch (code) {
    case 'drops-type':
      return say('type', thing, newTypes(thing, before, after));
    case 'drops-attribute':
      return say('attribute', thing, [...newAttributes(uid, name, before, after), ...newMembers(thing, before, after)]);
    case 'drops-links':
      return say('attribute', thing, [...newLinks(thing, before, after), ...newMembers(thing, before, after)]);
    default:
      return undefined;
  }
}
