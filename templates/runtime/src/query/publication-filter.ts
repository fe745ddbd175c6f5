/**
 * `publicationFilter` and `hasPublishedVersion`: select entries by their publication status. Every entry has a draft
 * in each of its locales, and may have a published version beside it.
 */
import type { ContentType } from '../contract/content-type.ts';
import { allOf } from './filter-tree.ts';
import { invalidValue } from './invalid-parameter.ts';
import { ownValue, parseFlag, type QueryObject, textOf } from './query-value.ts';
import type { ReadableAttributes } from './readable-attributes.ts';
import type { Filter } from './read-query.ts';

/** The wanted state of an entry, or of the entry in all its locales. */
type Wanted = 'never' | 'published' | 'modified' | 'unmodified' | 'nothing' | 'neverAtAll' | 'publishedAnywhere';

const WORDS: ReadonlyMap<string, Wanted> = new Map([
  ['never-published', 'never'],
  ['has-published-version', 'published'],
  ['modified', 'modified'],
  ['unmodified', 'unmodified'],
  ['never-published-document', 'neverAtAll'],
  ['has-published-version-document', 'publishedAnywhere'],
  ['published-without-draft', 'nothing'],
  ['published-with-draft', 'published'],
]);

function wantedByWord(query: QueryObject): Wanted | undefined {
  const value = ownValue(query, 'publicationFilter');
  if (value === undefined || value === '') return undefined;
  const wanted = WORDS.get(textOf(value, 'publicationFilter'));
  if (!wanted) throw invalidValue('publicationFilter', `must be one of ${[...WORDS.keys()].join(', ')}`);
  return wanted;
}

function wantedByFlag(query: QueryObject): Wanted | undefined {
  const value = ownValue(query, 'hasPublishedVersion');
  if (value === undefined || value === '') return undefined;
  const flag = parseFlag(textOf(value, 'hasPublishedVersion'));
  if (flag === undefined) throw invalidValue('hasPublishedVersion', 'must be true or false');
  return flag ? 'published' : 'never';
}

/** What a filter on the publication status depends on. */
export interface PublicationAccess {
  readonly narrowedLocales: NarrowedLocales;
  /** Throws for a caller who may not see drafts, nor how they differ from what is published. */
  readonly requireDrafts: () => void;
}

/** What narrows the other locales of an entry, if only published ones are seen, or drafts, too. */
type NarrowedLocales = (live: boolean) => Filter | undefined;

function filterOf(
  wanted: Wanted | undefined,
  attributes: ReadableAttributes,
  narrowedLocales: NarrowedLocales,
): Filter | undefined {
  const field = attributes.get('publishedAt');
  if (wanted === undefined || field?.kind !== 'scalar') return undefined;
  const others = attributes.get('localizations');
  const isDraft: Filter = { kind: 'null', field };
  const isPublished: Filter = { kind: 'not', filter: isDraft };
  const published: Filter[] =
    others?.kind === 'localizations'
      ? [{ kind: 'related', relation: others, live: true, narrowed: narrowedLocales(true), filter: undefined }]
      : [];
  switch (wanted) {
    case 'never':
      return isDraft;
    case 'published':
      return isPublished;
    case 'modified':
      return allOf([isPublished, { kind: 'modified' }]);
    case 'unmodified':
      return allOf([isPublished, { kind: 'not', filter: { kind: 'modified' } }]);
    case 'nothing':
      return { kind: 'nothing' };
    case 'neverAtAll':
      return allOf([isDraft, ...published.map((filter): Filter => ({ kind: 'not', filter }))]);
    case 'publishedAnywhere':
      return { kind: 'or', filters: [isPublished, ...published] };
  }
}

/**
 * Undefined if the query does not filter by publication or the type has no drafts. `requireDrafts`: throws for a caller who may not see
 * drafts, nor how they differ from what is published. Throws BadRequestError for invalid values.
 */
export function publicationFilter(
  query: QueryObject,
  attributes: ReadableAttributes,
  { draftAndPublish }: ContentType,
  { narrowedLocales, requireDrafts }: PublicationAccess,
): Filter | undefined {
  const wanted = [wantedByWord(query), wantedByFlag(query)];
  if (draftAndPublish && wanted.some((each) => each === 'modified' || each === 'unmodified')) requireDrafts();
  return draftAndPublish ? allOf(wanted.map((each) => filterOf(each, attributes, narrowedLocales))) : undefined;
}
