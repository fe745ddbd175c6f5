/**
 * The requests of the page as a client of the v5 format sends them. The page itself uses the v4 format, also on v5 servers, which
 * accept that from no other client.
 *
 * | request of the page                                         | in the v5 format                                        |
 * | ----------------------------------------------------------- | ------------------------------------------------------- |
 * | `publicationState=preview`                                  | `status=draft`                                          |
 * | `locale=all`                                                | `locale=*`                                              |
 * | `filters[publishedAt][$notNull]` of a list                  | `hasPublishedVersion`: a draft has no `publishedAt`     |
 * | a list sorted by `publishedAt`                              | none                                                    |
 * | `pagination[after]` of a list whose parameters differ       | a placeholder: the cursor belongs to the list           |
 * | GET, PUT, DELETE `stories/7`                                | `stories/<documentId>`, with the entry's `locale`       |
 * | POST `stories`, with `locale` and `publishedAt` in the body | `locale` and, for a draft, `status=draft` in the query  |
 * | POST `stories/7/localizations`                              | PUT `stories/<documentId>`, if the `locale` is new      |
 * | PUT that publishes: with `publishedAt`                      | without a `status`                                      |
 * | PUT that changes a draft alone: `status=draft`              | the same                                                |
 * | PUT that unpublishes: `publishedAt: null`, and nothing else | POST `…/actions/unpublish`                              |
 * | PUT that unpublishes, and changes more                      | none                                                    |
 * | `{id, type}` of a relation to several types                 | `{id, __type}`                                          |
 *
 * Everything else is the same in both formats: other parameters, ids of related entries, which identify one locale each, single
 * types, users, roles, tokens, files, and `admin/…`.
 */
import { type Attribute, type Attributes, type ContentType, isPolymorphic } from '../model/model.ts';
import type { ModelIndex } from '../model/model-context.tsx';
import type { ApiRequest } from '../rest/api-request.ts';
import type { QueryObject, QueryValue } from '../rest/query-string.ts';

/** What identifies an entry in the v5 format. */
export interface DocumentKey {
  readonly documentId: string;
  /** Only of localized types. */
  readonly locale?: string | undefined;
}

/** An entry of a collection type, as requests in the v4 format name it. */
export interface EntryName {
  readonly type: ContentType;
  readonly id: string;
}

type Data = Readonly<Record<string, unknown>>;

/** Stands for the cursor of a v5 list. */
const NEXT = 'NEXT_OF_THE_PREVIOUS_PAGE';

/** The type that a path belongs to. Users are the same in both formats. */
function typeAt(path: string, index: ModelIndex): ContentType | undefined {
  const type = index.of(path.split('/')[0] ?? '');
  return type?.uid === 'user' ? undefined : type;
}

/** The entry in the path of a request in the v4 format; undefined if there is none. */
export function entryNamedBy({ path, format }: ApiRequest, index: ModelIndex): EntryName | undefined {
  const type = typeAt(path, index);
  const id = path.split('/')[1];
  return format === undefined && type?.kind === 'collection' && id !== undefined ? { type, id } : undefined;
}

/** The value of a relation to several types. */
function withTypeNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withTypeNames);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name === 'type' ? '__type' : name, withTypeNames(inner)]),
  );
}

function itemsValue(value: unknown, uidOf: (item: Data) => string, index: ModelIndex): unknown {
  const itemValue = (item: unknown): unknown =>
    dataValue(item as Data, index.component(uidOf(item as Data)).attributes, index);
  if (Array.isArray(value)) return value.map(itemValue);
  return value === null ? null : itemValue(value);
}

function attributeValue(value: unknown, attribute: Attribute | undefined, index: ModelIndex): unknown {
  switch (attribute?.type) {
    case 'relation':
      return isPolymorphic(attribute) ? withTypeNames(value) : value;
    case 'component':
      return itemsValue(value, () => attribute.component, index);
    case 'dynamiczone':
      return itemsValue(value, (item) => String(item['__component']), index);
    default:
      return value;
  }
}

function dataValue(data: Data, attributes: Attributes, index: ModelIndex): Data {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, attributeValue(value, attributes[name], index)]),
  );
}

function paginationOf(pagination: QueryValue, isSameList: boolean): QueryValue {
  const { after, ...rest } = (pagination ?? {}) as QueryObject;
  return after === undefined || after === '' || isSameList ? pagination : { ...rest, after: NEXT };
}

/** The filter of lists by publication, and the other filters. */
function filtersOf(filters: QueryValue): QueryObject {
  const { publishedAt, ...others } = (filters ?? {}) as QueryObject;
  const { $notNull } = (publishedAt ?? {}) as QueryObject;
  if ($notNull === undefined) return filters === undefined ? {} : { filters };
  return { hasPublishedVersion: $notNull, ...(Object.keys(others).length > 0 && { filters: others }) };
}

/** Whether a list is sorted by the time of publication, which drafts don't have in the v5 format. */
function isByPublication({ query }: ApiRequest): boolean {
  return [query?.['sort']].flat().some((key) => typeof key === 'string' && key.startsWith('publishedAt'));
}

function queryOf({ query = {} }: ApiRequest, isDraft: boolean, locale: QueryValue): QueryObject {
  const { publicationState, locale: asked, pagination, filters, ...rest } = query;
  return {
    ...rest,
    ...filtersOf(filters),
    ...(isDraft && { status: 'draft' }),
    ...(locale !== undefined && { locale }),
    ...(pagination !== undefined && {
      pagination: paginationOf(pagination, publicationState === undefined && asked === locale),
    }),
  };
}

/** The path below the document id, without that of localizations. */
function pathOf(path: string, { documentId }: DocumentKey, isLocalization: boolean): string {
  const [resource, , ...further] = path.split('/');
  return [resource, documentId, ...(isLocalization ? [] : further)].join('/');
}

/**
 * The request in the v5 format that has the same effect; undefined if there is none. `documentOf` knows the entries that
 * `entryNamedBy` finds.
 */
export function v5RequestOf(
  request: ApiRequest,
  index: ModelIndex,
  documentOf: (name: EntryName) => DocumentKey,
): ApiRequest | undefined {
  const { format, ...own } = request;
  const { path, method, query, body, isNew = false } = own;
  const type = typeAt(path, index);
  if (format !== undefined || !type) return own;
  const isLocalization = path.endsWith('/localizations');
  const sent = (isLocalization ? body : (body as { readonly data?: unknown } | undefined)?.data) as Data | undefined;
  const { publishedAt, locale: given, ...data } = sent ?? {};
  const isUnpublished = method === 'PUT' && publishedAt === null && !isNew;
  if (isUnpublished && Object.keys(data).length > 0) return undefined;
  const name = entryNamedBy(request, index);
  const key = name && documentOf(name);
  const isPreview = query?.['publicationState'] === 'preview';
  if (isPreview && isByPublication(request)) return undefined;
  const writesDraft = publishedAt === null || query?.['status'] === 'draft';
  const asked = query?.['locale'] === 'all' ? '*' : query?.['locale'];
  const locale = (given as string | undefined) ?? (key ? key.locale : asked);
  const entryPath = key ? pathOf(path, key, isLocalization) : path;
  if (isUnpublished) {
    const { body: _body, ...rest } = own;
    return { ...rest, method: 'POST', path: `${entryPath}/actions/unpublish`, query: queryOf(request, true, locale) };
  }
  return {
    ...own,
    ...(isLocalization && { method: 'PUT', isNew: true }),
    path: entryPath,
    query: queryOf(request, sent ? writesDraft : isPreview, locale),
    ...(sent && { body: { data: dataValue(data, type.attributes, index) } }),
  };
}
