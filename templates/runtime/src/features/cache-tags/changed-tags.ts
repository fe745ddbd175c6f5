/** The tags of the answers that a write may have changed, from what an entry was before and is after it. */
import type { CacheTags } from '../../http/cache-tags.ts';
import type { EntryState } from './entry-states.ts';
import { VERSION_COLUMN } from '../../write/version.ts';
import { columnKey, type ExactLinks, type ExactType } from './exact-types.ts';

/** The names of the tags that answers have. */
export type TagNames = Pick<CacheTags, 'all' | 'ofType' | 'ofEntry' | 'ofMembers' | 'ofBucket' | 'ofUse'>;

/** The name of a bucket within which an answer depends on a column. */
export const groupOf = (key: string, value: string): string => `${key}=${value}`;

/** The key of the columns that are not compared: any update may change them. */
export const REST = '*';

function difference(
  before: readonly number[] | undefined,
  after: readonly number[] | undefined,
): readonly number[] | undefined {
  if (!before || !after) return undefined;
  const [was, is] = [new Set(before), new Set(after)];
  return [...before.filter((id) => !is.has(id)), ...after.filter((id) => !was.has(id))];
}

/** The changes of an entry's links. */
interface LinkChange {
  readonly id: number;
  readonly before: readonly number[] | undefined;
  readonly after: readonly number[] | undefined;
}

/** What the change of links means to the answers on both sides; undefined if it is not known whom they concern. */
function linkTags(
  { uid }: ExactType,
  { key, target, isInverse }: ExactLinks,
  { id, before, after }: LinkChange,
  names: TagNames,
): { readonly tags: readonly string[]; readonly uses: readonly string[] } | undefined {
  const changed = difference(before, after);
  if (!changed) return undefined;
  if (changed.length === 0) return { tags: [], uses: before?.join() === after?.join() ? [] : [key] };
  const tags = [
    names.ofBucket(target, key, String(id)),
    ...changed.map((other) => names.ofBucket(uid, key, String(other))),
    // What is published of those who store the relation may change without a write of theirs: where their drafts have the link already.
    ...(isInverse ? changed.map((other) => names.ofEntry(target, other)) : []),
  ];
  return { tags, uses: [key] };
}

/** Every write of what is public increments its version, and those of its relations that of both sides. */
function isSame({ columns }: ExactType, before: EntryState, after: EntryState): boolean {
  const version = columns.findIndex(({ column }) => column === VERSION_COLUMN);
  return (
    before.values[version] === after.values[version] &&
    before.links.every((list, index) => list !== undefined && list.join() === after.links[index]?.join())
  );
}

/** Of an entry that was (`before`) or is (`after`) public; none if neither. */
export function changedTags(
  type: ExactType,
  id: number,
  { before, after }: { readonly before: EntryState | undefined; readonly after: EntryState | undefined },
  names: TagNames,
): readonly string[] {
  if (!before && !after) return [];
  if (before && after && isSame(type, before, after)) return [];
  const { uid, table, columns, referred, links } = type;
  const tags = [names.ofType(uid), names.ofEntry(uid, id)];
  const uses: string[] = [];
  const groups = new Set<string>();
  const isUpdate = before !== undefined && after !== undefined;
  const valuesAt = (index: number): readonly string[] => {
    const [was, is] = [before?.values[index], after?.values[index]];
    return [was, ...(is === was ? [] : [is])].filter((value) => value !== undefined);
  };
  if (isUpdate) uses.push(columnKey(table, REST));
  else tags.push(names.ofMembers(uid));
  for (const [index, { column, key, isBucket, isGroup }] of columns.entries()) {
    const values = valuesAt(index);
    if (isGroup) for (const value of values) groups.add(groupOf(key, value));
    if (isUpdate && values.length === 1) continue;
    if (isUpdate && column !== VERSION_COLUMN) uses.push(key);
    if (isBucket) for (const value of values) tags.push(names.ofBucket(uid, key, value));
  }
  for (const [index, { key }] of referred.entries()) {
    const values = valuesAt(columns.length + index);
    for (const value of values) {
      groups.add(groupOf(key, value));
      if (!isUpdate || values.length > 1) tags.push(names.ofBucket(uid, key, value));
    }
  }
  for (const [index, link] of links.entries()) {
    const change = {
      id,
      before: before ? before.links[index] : [],
      after: after ? after.links[index] : [],
    };
    const found = linkTags(type, link, change, names);
    if (!found) return [names.all];
    tags.push(...found.tags);
    uses.push(...found.uses);
    const others = [...(change.before ?? []), ...(change.after ?? [])];
    for (const other of others) groups.add(groupOf(link.key, String(other)));
  }
  for (const use of uses) {
    tags.push(names.ofUse(use));
    for (const group of groups) tags.push(names.ofUse(use, group));
  }
  return tags;
}
