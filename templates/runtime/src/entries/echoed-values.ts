/**
 * `locale` and `publishedAt` in bodies that don't decide what a request does. Clients send back what they have read, so values that
 * agree with the request are ignored. Others are refused: the request would write another locale or state than the client means.
 */
import type { ContentType, ContentTypes } from '../contract/content-type.ts';
import type { Issue } from '../contract/errors.ts';
import { valueOf, type Values } from '../contract/item-attributes.ts';

/** The type that is written. */
interface Written {
  readonly types: ContentTypes;
  readonly type: ContentType;
}

function howToWrite({ kind, pluralName, documentIds }: ContentType, locale: string, byDocument: boolean): string {
  if (kind === 'singleType' || (byDocument && documentIds)) return `use the parameter ?locale=${locale}`;
  return `use the id of the entry in ${locale}, which GET /api/${pluralName}?locale=${locale} shows`;
}

/**
 * The issue of a `locale` in the data other than `written`, the locale that the request writes. `byDocument`: the request identifies
 * entries by document ids.
 */
export function localeIssues(
  { types, type }: Written,
  data: Values,
  { written, byDocument }: { readonly written: string; readonly byDocument: boolean },
): readonly Issue[] {
  const sent = valueOf(data, 'locale') ?? null;
  if (!type.localized || sent === null || sent === written) return [];
  const known = types.locales.find((locale) => locale === sent);
  const how = known === undefined ? 'leave it out' : howToWrite(type, known, byDocument);
  return [{ path: ['locale'], message: `locale is not that of this request, which writes ${written}: ${how}` }];
}

/** The issue of a `publishedAt` in the data that contradicts the status with which the request writes a type with drafts. */
export function statusIssues({ type }: Pick<Written, 'type'>, data: Values, isPublished: boolean): readonly Issue[] {
  const sent = valueOf(data, 'publishedAt');
  if (!type.draftAndPublish || sent === undefined || (sent !== null) === isPublished) return [];
  const message = isPublished
    ? 'publishedAt is null, but this request publishes: use the parameter ?status=draft to write a draft'
    : 'publishedAt is not null, but this request writes a draft: leave out the parameter ?status=draft to publish';
  return [{ path: ['publishedAt'], message }];
}
