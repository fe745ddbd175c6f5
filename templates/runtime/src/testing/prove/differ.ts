/** Changes what is hidden from a caller, and nothing else. */
import type { ContentType } from '../../contract/content-type.ts';
import { isScalarAttribute } from '../../contract/item-attributes.ts';
import { HttpError } from '../../contract/errors.ts';
import type { Random } from '../../contract/values/random.ts';
import { isExclusive, isOfOtherSide, sharedTable, targetsOf } from '../../features/seed/links.ts';
import { randomEntry } from '../../features/seed/random-entry.ts';
import type { SeedContext } from '../../features/seed/context.ts';
import { entriesOf } from '../../features/seed/entry-writer.ts';
import type { ServerDefinition } from '../../server/definition.ts';
import { allIds, namesInRules } from './hidden-entries.ts';
import { type Twin, twinWriter } from './twins.ts';

interface Difference {
  /** Ids of entries that the caller may not see, by type. */
  readonly hidden: ReadonlyMap<string, ReadonlySet<number>>;
  /** Ids of entries of which the caller sees only what is published, by type. */
  readonly hiddenDrafts: ReadonlyMap<string, ReadonlySet<number>>;
  /** Names of attributes that the caller may not read of any entry, by type. */
  readonly unread: ReadonlyMap<string, ReadonlySet<string>>;
  readonly random: Random;
}

/** The type with those attributes that decide neither who sees an entry nor what other entries store. */
function changeable(type: ContentType, named: ReadonlySet<string>): ContentType {
  const attributes = Object.entries(type.attributes).filter(([name, attribute]) => {
    if (named.has(name) || attribute.shared === true || attribute.visible !== undefined) return false;
    if (isScalarAttribute(attribute)) return attribute.unique !== true;
    return attribute.type !== 'relation';
  });
  return { ...type, attributes: Object.fromEntries(attributes) };
}

/** Random relations to other hidden entries, of those that only the entry itself stores. */
function hiddenLinks(type: ContentType, named: ReadonlySet<string>, { hidden, random }: Difference): object {
  const links = Object.entries(type.attributes).flatMap(([name, attribute]) => {
    if (attribute.type !== 'relation' || named.has(name) || attribute.shared === true) return [];
    if (isOfOtherSide(attribute) || isExclusive(attribute) || attribute.storage.kind === 'morph') return [];
    if (sharedTable(attribute) !== undefined && attribute.inverse !== undefined) return [];
    const [target = ''] = targetsOf(attribute);
    const others = [...(hidden.get(target) ?? [])];
    if (others.length === 0) return [];
    const other = random.pick(others);
    return [[name, attribute.many ? [other] : other] as const];
  });
  return Object.fromEntries(links);
}

/** Random values; entries stay as published as they are. */
function randomValues(context: SeedContext, type: ContentType): Promise<object> {
  return randomEntry(context, { ...type, draftAndPublish: false }, 0);
}

/** What the project refuses is left as it is. */
async function tried(change: Promise<unknown>): Promise<void> {
  await change.catch((error: unknown) => {
    if (!(error instanceof HttpError)) throw error;
  });
}

/** What the changes are made with: entries with hidden files. */
function changing(twin: Twin, { contentTypes: types }: ServerDefinition, { hidden, random }: Difference): SeedContext {
  const images = [...(hidden.get('file') ?? [])];
  const writer = twinWriter(twin.entries);
  return { types, random, writer, textsLike: undefined, pools: new Map(), taken: new Map(), images };
}

/** The types of hidden entries, with the attributes that may be changed. */
function changedTypes(
  { contentTypes: { types } }: ServerDefinition,
  hidden: Difference['hidden'],
): readonly ContentType[] {
  return [...hidden.keys()].flatMap((uid) => (uid === 'file' ? [] : (types[uid] ?? [])));
}

/** Changes the attributes that the caller may not read at random, of all entries. */
export async function changeUnread(twin: Twin, definition: ServerDefinition, difference: Difference): Promise<void> {
  const { hidden, unread } = difference;
  const named = namesInRules(definition);
  const context = changing(twin, definition, difference);
  for (const type of changedTypes(definition, hidden)) {
    const open = changeable(type, named);
    const secret = Object.entries(open.attributes).filter(([name]) => unread.get(type.uid)?.has(name));
    if (secret.length === 0) continue;
    for (const id of await allIds(twin, type)) {
      const values = randomValues(context, { ...open, attributes: Object.fromEntries(secret) });
      await tried(entriesOf(twin.entries, type.uid).update(id, await values));
    }
  }
}

/** Deletes or changes hidden entries, drafts and files at random. */
export async function differ(twin: Twin, definition: ServerDefinition, difference: Difference): Promise<void> {
  const { hidden, hiddenDrafts, random } = difference;
  const named = namesInRules(definition);
  const context = changing(twin, definition, difference);
  for (const type of changedTypes(definition, hidden)) {
    const entries = entriesOf(twin.entries, type.uid);
    const open = changeable(type, named);
    const changed = async (): Promise<object> => ({
      ...(await randomValues(context, open)),
      ...hiddenLinks(type, named, difference),
    });
    for (const id of hidden.get(type.uid) ?? []) {
      if (random.once(3)) continue;
      await tried(random.once(2) ? entries.delete(id) : entries.update(id, await changed()));
    }
    for (const id of hiddenDrafts.get(type.uid) ?? []) {
      if (!random.once(3)) await tried(entries.update(id, await changed(), { status: 'draft' }));
    }
  }
  const files = [...(hidden.get('file') ?? [])];
  for (const id of files) {
    if (random.once(3)) continue;
    const entries = entriesOf(twin.entries, 'file');
    await tried(random.once(2) ? entries.delete(id) : entries.update(id, { name: `${random.below(1000)}.png` }));
  }
}
