/** What of former versions has no place any more, since a migration has renamed or removed it, or has added what they lack. */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { type Attributes, isLinkAttribute, kindsOf } from '../../contract/item-attributes.ts';
import type { CapturedTable } from '../../content/stored-rows/captured-rows.ts';
import { tablesOf } from './published-places.ts';

/** The components of a type, also within others, and the names of their attributes. */
export type Members = Readonly<Record<string, readonly string[]>>;

export function membersOf({ components }: ContentTypes, { attributes }: ContentType): Members {
  const found: Record<string, readonly string[]> = {};
  const add = (own: Attributes): void => {
    const uids = kindsOf(own).items.flatMap(([, one]) => (one.type === 'component' ? [one.component] : one.components));
    for (const uid of uids) {
      const component = components[uid];
      if (!component || Object.hasOwn(found, uid)) continue;
      found[uid] = Object.keys(component.attributes).toSorted();
      add(component.attributes);
    }
  };
  add(attributes);
  return found;
}

function lostMember({ components }: ContentTypes, members: Members): string | undefined {
  for (const [uid, names] of Object.entries(members)) {
    const attributes = components[uid]?.attributes ?? {};
    const lost = names.find((name) => !Object.hasOwn(attributes, name));
    if (lost !== undefined) return `${uid}.${lost}`;
  }
  return undefined;
}

function lostColumn(types: ContentTypes, captured: readonly CapturedTable[]): string | undefined {
  const tables = new Map(tablesOf(types).map((table) => [table.name, table]));
  for (const { table: name, columns } of captured) {
    const table = tables.get(name);
    if (!table) return name;
    const lost = columns.find((column) => !table.columns.some((one) => one.name === column));
    if (lost !== undefined) return `${name}.${lost}`;
  }
  return undefined;
}

/** A required value that entries had not yet. */
function addedColumn(
  { published, attributes, uid }: ContentType,
  captured: readonly CapturedTable[],
): string | undefined {
  const own = captured.find(({ table, fills }) => table === published?.table && !fills);
  if (!own) return undefined;
  const added = Object.entries(attributes).find(([, attribute]) => {
    if (!('required' in attribute) || !attribute.required) return false;
    if (!isLinkAttribute(attribute)) return !own.columns.includes(attribute.column);
    return attribute.storage.kind === 'foreignKey' && !own.columns.includes(attribute.storage.column);
  });
  return added && `${uid}.${added[0]}`;
}

/** The first of them: a table, a column, or an attribute; undefined if the versions can be published as they were. */
export function lostStorage(
  types: ContentTypes,
  type: ContentType,
  { tables, members }: { readonly tables: readonly CapturedTable[]; readonly members: Members },
): string | undefined {
  return lostColumn(types, tables) ?? addedColumn(type, tables) ?? lostMember(types, members);
}
