/** What a version shows of lists that drafts of other entries store: to those who ask for what is published, no draft tells what it lists. */
import { isInverseStorage } from '../../contract/content-type.ts';
import type { Content } from '../../query/content-text.ts';
import type { Population } from '../../query/read-query.ts';
import type { TypeContext } from '../context.ts';
import { versionOf } from './content.ts';
import { findPublished, firstPublished, type VersionRow } from './version-rows.ts';

/** The list that a population shows in the published state, while the version has that of the drafts. */
function publishedList(one: Population): string | undefined {
  if (one.kind !== 'relation' && one.kind !== 'count') return undefined;
  const { relation } = one;
  const live = one.kind === 'relation' ? one.entry.live : one.live;
  if (!live || relation.kind !== 'relation' || !relation.target.draftAndPublish) return undefined;
  return isInverseStorage(relation.storage) ? relation.name : undefined;
}

/** The content of a version of the entry `id` with the lists that its reader asks for. */
export async function withVisibleLists(
  { database, types, type }: TypeContext,
  { id, content, row }: { readonly id: number; readonly content: Content; readonly row: VersionRow },
  populate: readonly Population[],
): Promise<Content> {
  const names = populate.flatMap((one) => publishedList(one) ?? []);
  if (names.length === 0) return content;
  const entry = { uid: type.uid, id };
  // Visitors always see something of types without drafts: their older states alone may be gone.
  const found =
    (await findPublished(database, entry, row)) ?? (type.published ? undefined : await firstPublished(database, entry));
  const shown: Content = found
    ? versionOf(types, type, found.content, (types.renames ?? []).slice(found.renames)).content
    : {};
  return { ...content, ...Object.fromEntries(names.map((name) => [name, shown[name]])) };
}
