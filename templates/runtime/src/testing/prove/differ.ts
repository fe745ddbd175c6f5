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

/** Deletes or changes hidden entries and drafts at random, and the attributes that the caller may not read. */
export async function differ(twin: Twin, definition: ServerDefinition, difference: Difference): Promise<void> {
  const { hidden, hiddenDrafts, unread, random } = difference;
  const { contentTypes: types } = definition;
  const named = namesInRules(definition);
  const writer = twinWriter(twin.entries);
  const images = [...(hidden.get('file') ?? [])];
  const context = { types, random, writer, textsLike: undefined, pools: new Map(), taken: new Map(), images };
  for (const [uid, ids] of hidden) {
    const type = types.types[uid];
    if (!type || uid === 'file') continue;
    const entries = entriesOf(twin.entries, uid);
    const open = changeable(type, named);
    const secret = Object.entries(open.attributes).filter(([name]) => unread.get(uid)?.has(name));
    if (secret.length > 0) {
      for (const id of await allIds(twin, type)) {
        const values = randomValues(context, { ...open, attributes: Object.fromEntries(secret) });
        await tried(entries.update(id, await values));
      }
    }
    const changed = async (): Promise<object> => ({
      ...(await randomValues(context, open)),
      ...hiddenLinks(type, named, difference),
    });
    for (const id of ids) {
      if (random.once(3)) continue;
      await tried(random.once(2) ? entries.delete(id) : entries.update(id, await changed()));
    }
    for (const id of hiddenDrafts.get(uid) ?? []) {
      if (!random.once(3)) await tried(entries.update(id, await changed(), { status: 'draft' }));
    }
  }
  for (const id of images) {
    if (random.once(3)) continue;
    const files = entriesOf(twin.entries, 'file');
    await tried(random.once(2) ? files.delete(id) : files.update(id, { name: `${random.below(1000)}.png` }));
  }
}
