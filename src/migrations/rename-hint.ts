/** What goes and what comes may be one thing with another name: then the line to write is shown. Nothing is guessed. */
import type { Column, ComponentShape, StorageModel, Table } from '../storage/storage-model.ts';
import type { Loss } from './draft.ts';
import { isTypeTable, splitOrigin } from './relabel.ts';

function say(kind: 'type' | 'attribute' | 'component', from: string, to: readonly string[]): string | undefined {
  if (to.length === 0) return undefined;
  const former = from.includes('.') && kind === 'attribute' ? from.slice(from.lastIndexOf('.') + 1) : from;
  const names = to.map((name) => `'${name}'`).join(' or ');
  return `If ${names} is the new name of '${from}', write \`renamedFrom: ${former}\` there: nothing is lost then.`;
}

function typeNamed({ tables }: StorageModel, uid: string): Table | undefined {
  return tables.find((table) => isTypeTable(table) && table.origin === uid);
}

function attributesOf({ columns }: Table): readonly string[] {
  return columns.flatMap(({ origin, type }) => (origin === undefined ? [] : [`${origin} ${type}`]));
}

/** New types that have at least half of the attributes. */
function newTypes(uid: string, before: StorageModel, after: StorageModel): readonly string[] {
  const old = typeNamed(before, uid);
  const attributes = old ? attributesOf(old) : [];
  return after.tables
    .filter((table) => isTypeTable(table) && !typeNamed(before, table.origin))
    .filter((table) => {
      const own = attributesOf(table);
      const shared = own.filter((one) => attributes.includes(one)).length;
      return shared * 2 >= Math.max(attributes.length, own.length);
    })
    .map(({ origin }) => origin);
}

function storedAlike(a: Column, b: Column): boolean {
  return a.type === b.type && a.secret === b.secret && (a.holds === undefined) === (b.holds === undefined);
}

function newAttributes(uid: string, name: string, before: StorageModel, after: StorageModel): readonly string[] {
  const [old, now] = [typeNamed(before, uid), typeNamed(after, uid)];
  const gone = old?.columns.find(({ origin, type }) => origin === name && type !== 'position');
  if (!old || !now || !gone) return [];
  const targetOf = (model: StorageModel, table: Table, column: string): string | undefined => {
    const key = table.foreignKeys.find((one) => one.column === column);
    return model.tables.find((one) => one.name === key?.references)?.origin;
  };
  return now.columns
    .filter((column) => column.origin !== undefined && column.type !== 'position')
    .filter((column) => !old.columns.some(({ origin }) => origin === column.origin))
    .filter((column) => storedAlike(gone, column))
    .filter((column) => targetOf(before, old, gone.name) === targetOf(after, now, column.name))
    .map(({ origin }) => `${uid}.${origin ?? ''}`);
}

/** New link tables between the same types. */
function newLinks(thing: string, before: StorageModel, after: StorageModel): readonly string[] {
  const [uid] = splitOrigin(thing);
  const endsOf = (model: StorageModel, table: Table): string =>
    table.foreignKeys.map((key) => model.tables.find((one) => one.name === key.references)?.origin ?? '').join();
  const old = before.tables.find(({ origin }) => origin === thing);
  if (!old) return [];
  const ends = endsOf(before, old);
  return after.tables
    .filter(({ origin }) => splitOrigin(origin)[0] === uid && !before.tables.some((one) => one.origin === origin))
    .filter((table) => endsOf(after, table) === ends)
    .map(({ origin }) => origin);
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

/** What to write where a loss may be a rename; undefined where nothing new is like it. */
export function renameHint({ code, thing }: Loss, before: StorageModel, after: StorageModel): string | undefined {
  const [uid, rest] = splitOrigin(thing);
  switch (code) {
    case 'drops-type':
      return say('type', thing, newTypes(thing, before, after));
    case 'drops-attribute':
      return say('attribute', thing, [
        ...newAttributes(uid, rest.slice(1), before, after),
        ...newMembers(thing, before, after),
      ]);
    case 'drops-links':
      return say('attribute', thing, [...newLinks(thing, before, after), ...newMembers(thing, before, after)]);
    default:
      return undefined;
  }
}
