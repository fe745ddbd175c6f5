/** The differences between the formats in parsing queries. */
import type { FormatName } from '../contract/api-settings.ts';
import type { ContentType, ContentTypes } from '../contract/content-type.ts';
import { BadRequestError } from '../contract/errors.ts';
import { invalidKey } from '../contract/invalid-key.ts';
import { invalidValue, UnknownNameError } from './invalid-parameter.ts';
import { parseLocale } from './locale.ts';
import { refuseLooseNotations } from './populate-tree.ts';
import { type PublicationAccess, publicationFilter } from './publication-filter.ts';
import { parsePublicationState } from './publication-state.ts';
import { ownValue, type QueryObject, type QueryValue, textOf } from './query-value.ts';
import type { ReadableAttributes } from './readable-attributes.ts';
import type { Filter, LocaleFilter } from './read-query.ts';

export interface QueryRules {
  /** Whether a query, of a request that writes or reads, includes published rows only. Throws BadRequestError for an invalid value. */
  live(query: QueryObject, isWrite: boolean): boolean;
  /** Whether a write changes the draft alone. Throws BadRequestError for an invalid value. */
  draftAlone(query: QueryObject): boolean;
  /** Whether a populated attribute includes published rows only, by its options; `inherited` if they don't specify it. */
  populatedLive(options: QueryObject, inherited: boolean): boolean;
  /** Further filters on the publication status. Throws BadRequestError for an invalid value, and what `requireDrafts` throws. */
  publication(
    query: QueryObject,
    attributes: ReadableAttributes,
    type: ContentType,
    access: PublicationAccess,
  ): Filter | undefined;
  /** Options of populated attributes besides those common to all formats. */
  readonly populateOptions: readonly string[];
  /** If true, names behind zones and polymorphic relations are populated per target type, with `on`, or all with `*`. */
  readonly namesByTarget: boolean;
  /** Throws BadRequestError for notations of `populate` that the format does not allow. */
  checkPopulate(value: QueryValue | undefined): void;
  /** Whether filters on the locale, without the parameter `locale`, apply to all locales. */
  readonly filtersLocale: boolean;
  /** The requested locale; undefined if there is none. Throws BadRequestError for an invalid one. */
  locale(value: QueryValue | undefined, types: ContentTypes, type: ContentType): LocaleFilter | undefined;
  /** Whether entries are identified by document ids; related entries can then be named by either id. */
  readonly documents: boolean;
  /** Whether `api.unknownAttributes: ignore` applies to names in `populate`. */
  readonly ignoresUnknown: boolean;
  /** Translates an error into the wording of the format. */
  refusal(error: unknown): unknown;
}

/** `status`, by default `published`. */
function statusOf(query: QueryObject): 'draft' | 'published' {
  const value = ownValue(query, 'status');
  const status = value === undefined ? 'published' : textOf(value, 'status');
  if (status !== 'draft' && status !== 'published') throw invalidValue('status', 'must be draft or published');
  return status;
}

const v4: QueryRules = {
  live(query, isWrite) {
    // A client that sends it expects it to include or exclude drafts.
    if (!isWrite && ownValue(query, 'status') !== undefined) {
      throw invalidValue('status', 'this format of the API uses publicationState=live or preview instead');
    }
    return parsePublicationState(ownValue(query, 'publicationState'), statusOf(query) === 'published');
  },
  draftAlone: (query) => statusOf(query) === 'draft',
  publication: publicationFilter,
  populatedLive: (options, inherited) => parsePublicationState(ownValue(options, 'publicationState'), inherited),
  populateOptions: ['publicationState'],
  namesByTarget: false,
  checkPopulate: () => undefined,
  locale: (value) => parseLocale(value),
  documents: false,
  filtersLocale: false,
  ignoresUnknown: true,
  refusal: (error) => error,
};

/** Splits `filters.author.$or.0.name` into the parameter and the names that enclose the last one. */
function refusedName(error: unknown): unknown {
  if (!(error instanceof UnknownNameError)) return error;
  const [param = '', ...names] = error.path.split('.');
  const around = names.slice(0, -1).filter((name) => !/^(?:\$.*|\d+)$/u.test(name) && name !== 'populate');
  const path = around.length > 0 ? around.join('.') : null;
  return invalidKey(error.key, { source: 'query', param, path }, { hint: error.hint });
}

const v5: QueryRules = {
  live: (query) => statusOf(query) === 'published',
  draftAlone: (query) => statusOf(query) === 'draft',
  publication: publicationFilter,
  populatedLive: (_options, inherited) => inherited,
  populateOptions: [],
  namesByTarget: true,
  checkPopulate: refuseLooseNotations,
  locale(value, { locales }, { localized }) {
    const code = value === undefined || !localized ? '' : textOf(value, 'locale');
    if (code === '') return undefined;
    if (code === '*') return { kind: 'all' };
    if (!locales.includes(code)) throw invalidValue('locale', 'this server has no such locale');
    return { kind: 'locale', locale: code };
  },
  documents: true,
  filtersLocale: true,
  ignoresUnknown: false,
  refusal: refusedName,
};

const RULES: Readonly<Record<FormatName, QueryRules>> = { v4, v5 };

export function queryRules(rules: FormatName): QueryRules {
  return RULES[rules];
}

/** The locale of a request for one entry. Throws BadRequestError if it requests all of them. */
export function oneLocale(locale: LocaleFilter | undefined): LocaleFilter | undefined {
  if (locale?.kind === 'all' && !locale.implied) {
    throw new BadRequestError('Invalid parameter locale: only lists and DELETE accept all locales');
  }
  return locale;
}
