/** The rows of entries that an archive has: of drafts, and of what is published. */
import { COLUMN_NAMES } from '#contract/column-names.ts';
import type { ContentType, ContentTypes } from '#contract/content-type.ts';
import { publishedTypes } from '#contract/states.ts';
import { createNumberMap } from '../number-map.ts';
import type { Job } from './export-job.ts';
import type { CellsByName } from './strapi-entities.ts';
import { rowsOf } from './strapi-links.ts';

/** All types, those with drafts in both states. */
export function statesOf(contentTypes: ContentTypes): readonly ContentType[] {
  const published = Object.values(publishedTypes(contentTypes).types).filter((type) => type.published !== undefined);
  return [...Object.values(contentTypes.types), ...published];
}

const PENDING =
  'drafts that differ from what is published, which version 4 has no place for: the published version is exported';

/**
 * The rows of a type: in version 5, all drafts, and all that is published. Version 4 has one row for each entry: what is published,
 * else the draft. Drafts and published versions of an entry differ if they were changed at different times.
 */
export async function* exportedRows(
  { exported, reader, findings }: Job,
  type: ContentType,
): AsyncGenerator<readonly [ContentType, CellsByName]> {
  const published = type.published && publishedTypes(exported.types).types[type.uid];
  const times = createNumberMap();
  if (published) {
    for await (const cells of rowsOf(reader, published.table)) {
      times.set(Number(cells['id']), Date.parse(String(cells[COLUMN_NAMES.updatedAt])));
      yield [published, cells];
    }
  }
  for await (const cells of rowsOf(reader, type.table)) {
    const time = times.get(Number(cells['id']));
    if (exported.major === 5 || time === undefined) yield [type, cells];
    else if (time !== Date.parse(String(cells[COLUMN_NAMES.updatedAt]))) {
      findings.add('left', PENDING, `${type.uid} ${String(cells['id'])}`);
    }
  }
}
