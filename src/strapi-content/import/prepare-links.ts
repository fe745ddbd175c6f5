/** First pass over the links, before rows are chosen: finds locales of the same entry, and links that differ between versions. */
import type { StrapiArchive } from '../../strapi/open-archive.ts';
import { FILE } from '../../strapi/own-names.ts';
import type { StrapiLink } from '../../strapi/records.ts';
import { addToDigest, type EntityIndex, hasVersions, joinLocales, ownerOf, rowsOf } from './entity-index.ts';
import type { SourceTypes } from './source-types.ts';

/** Identifies the end of a link; the same text for both versions of an entry. */
function nameOf(source: SourceTypes, index: EntityIndex, { type: uid, ref }: StrapiLink['right']): string {
  const type = source.types.get(uid);
  const document = type && rowsOf(index, type).documents.get(Number(ref));
  return `${uid} ${document ?? ref}`;
}

/** A link of a type without versions belongs to the version that it leads to, unless it leads to either of them. */
function addToTarget(source: SourceTypes, index: EntityIndex, { relation, left, right }: StrapiLink): void {
  const type = source.types.get(right.type);
  if (!type || !hasVersions(source, type) || relation.startsWith('morph')) return;
  addToDigest(rowsOf(index, type), Number(right.ref), `${left.type} ${left.ref} ${left.field}`);
}

function addToVersions(source: SourceTypes, index: EntityIndex, link: StrapiLink): void {
  const { left, right } = link;
  const isMedia = left.type === FILE;
  const [owner, target] = isMedia ? [right, left] : [left, right];
  const type = source.types.get(owner.type);
  const text = `${owner.type} ${owner.field ?? ''} ${nameOf(source, index, target)}`;
  if (type) {
    if (hasVersions(source, type)) addToDigest(rowsOf(index, type), Number(owner.ref), text);
    else if (!isMedia) addToTarget(source, index, link);
    return;
  }
  const component = source.components.get(owner.type);
  const found = component?.hasLinks === true ? ownerOf(source, index, component, Number(owner.ref)) : undefined;
  const rows = found && index.rows[found.type];
  if (rows) addToDigest(rows, found.row, text);
}

/** Reads all links, if any type has locales (version 4) or two versions (version 5). */
export async function prepareLinks(
  archive: StrapiArchive,
  source: SourceTypes,
  index: EntityIndex,
  onLink: () => void,
): Promise<void> {
  const types = [...source.types.values()];
  const isNeeded =
    source.major === 4 ? types.some(({ isLocalized }) => isLocalized) : types.some((type) => hasVersions(source, type));
  if (!isNeeded) return;
  for await (const item of archive.read(['link'])) {
    onLink();
    if (item.kind !== 'link') continue;
    const { left, right } = item.link;
    if (left.field !== 'localizations') {
      if (source.major === 5) addToVersions(source, index, item.link);
      continue;
    }
    const type = source.types.get(left.type);
    if (source.major === 4 && type && left.type === right.type) {
      const rows = rowsOf(index, type);
      const [one, other] = [Number(left.ref), Number(right.ref)];
      if (rows.documents.get(one) !== undefined && rows.documents.get(other) !== undefined) {
        joinLocales(rows, one, other);
      }
    }
  }
}
