/** What a server stores: the values that requests compare with, and the keys that they use. */
import type { ContentType } from '../../contract/content-type.ts';
import { isScalarAttribute } from '../../contract/item-attributes.ts';
import type { Key } from '../../entries/typed/any-entries.ts';
import { entriesOf } from '../../features/seed/entry-writer.ts';
import type { ServerDefinition } from '../../server/definition.ts';
import { sampleKey } from './random-requests.ts';
import { fileTypeOf } from './twin-files.ts';
import type { Twin } from './twins.ts';

export type IdsByType = ReadonlyMap<string, ReadonlySet<number>>;

export function contentOf({ contentTypes, routes }: ServerDefinition): readonly ContentType[] {
  return Object.keys(routes).flatMap((uid) => contentTypes.types[uid] ?? []);
}

/** The types whose entries have ids, files included. */
export function collectionsOf(definition: ServerDefinition): readonly ContentType[] {
  const collections = contentOf(definition).filter(({ kind }) => kind === 'collectionType');
  const files = fileTypeOf(definition);
  return files ? [...collections, files] : collections;
}

/** The keys of entries by their ids; the entries of a document share one. */
export type Keys = ReadonlyMap<number, Key>;

/** The stored scalar values, and the keys of all entries, by type. */
export async function contentSamples(twin: Twin, definition: ServerDefinition) {
  const samples = new Map<string, unknown[]>();
  const keys = new Map<string, Keys>();
  const isV5 = definition.api.format === 'v5';
  for (const type of collectionsOf(definition)) {
    const state = type.draftAndPublish ? { publicationState: 'preview' } : {};
    const locale = type.localized ? { locale: 'all' } : {};
    const ofType = new Map<number, Key>();
    keys.set(type.uid, ofType);
    for await (const each of entriesOf(twin.entries, type.uid).stream({ ...state, ...locale })) {
      const entry = each as Readonly<Record<string, unknown>>;
      const values = { ...entry, ...(entry['attributes'] as object | undefined) } as Readonly<Record<string, unknown>>;
      const id = entry['id'] as number;
      ofType.set(id, isV5 && type.uid !== 'file' ? (values['documentId'] as string) : id);
      for (const [name, attribute] of [['id', undefined] as const, ...Object.entries(type.attributes)]) {
        if (attribute && !isScalarAttribute(attribute)) continue;
        const value = name === 'id' ? id : values[name];
        if (value === null || value === undefined) continue;
        const key = sampleKey(type.uid, name);
        samples.set(key, [...(samples.get(key) ?? []), value]);
      }
    }
  }
  return { samples, keys };
}

/** The keys of entries of which the caller sees nothing, in any locale. */
export function hiddenKeys(keys: ReadonlyMap<string, Keys>, hidden: IdsByType): ReadonlyMap<string, readonly Key[]> {
  return new Map(
    [...keys].map(([uid, ofType]) => {
      const isHidden = (id: number): boolean => hidden.get(uid)?.has(id) === true;
      const visible = new Set([...ofType].filter(([id]) => !isHidden(id)).map(([, key]) => key));
      return [uid, [...new Set(ofType.values())].filter((key) => !visible.has(key))] as const;
    }),
  );
}
