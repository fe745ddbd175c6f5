/** The requests with which two servers are compared, derived from the content types of the project. */
import type { Attribute, ContentType, ContentTypes } from '#contract/content-type.ts';
import { isItemAttribute } from '#contract/item-attributes.ts';
import { SUBJECTS } from '#contract/policy/permission-name.ts';

/** A list, to be read page by page and then entry by entry, or a single type. */
export interface RouteQueries {
  readonly kind: 'list' | 'single';
  readonly uid: string;
  /** Without a query. */
  readonly path: string;
  /** Query strings, without `?`, by a name that says what they cover. */
  readonly queries: Readonly<Record<string, string>>;
}

const DEEP = 3;

/** Query parameters that populate an attribute several levels deep: Strapi requires each level of components to be named. */
function populateOf(
  { components }: ContentTypes,
  name: string,
  attribute: Attribute,
  prefix: string,
  depth: number,
): readonly string[] {
  const own = `${prefix}[${encodeURIComponent(name)}]`;
  if (!isItemAttribute(attribute)) {
    return attribute.type === 'relation' || attribute.type === 'media' ? [`${own}=*`] : [];
  }
  if (attribute.type === 'dynamiczone' || depth <= 0) return [`${own}[populate]=*`];
  const inner = components[attribute.component]?.attributes ?? {};
  const nested = Object.entries(inner).flatMap(([key, one]) =>
    populateOf({ components } as ContentTypes, key, one, `${own}[populate]`, depth - 1),
  );
  return nested.length > 0 ? nested : [`${own}=*`];
}

function queriesOf(types: ContentTypes, { attributes }: ContentType): Readonly<Record<string, string>> {
  const deep = Object.entries(attributes).flatMap(([name, attribute]) =>
    populateOf(types, name, attribute, 'populate', DEEP),
  );
  return { plain: '', populated: 'populate=*', ...(deep.length > 0 ? { deep: deep.join('&') } : {}) };
}

function withLocale(queries: Readonly<Record<string, string>>, locale: string): Readonly<Record<string, string>> {
  const entries = Object.entries(queries).map(([name, query]) => [
    `${name}, ${locale}`,
    query === '' ? `locale=${locale}` : `${query}&locale=${locale}`,
  ]);
  return Object.fromEntries(entries) as Readonly<Record<string, string>>;
}

/** The requests for all content types, in schema order. */
export function requestsFor(types: ContentTypes): readonly RouteQueries[] {
  const own = Object.values(types.types).filter(({ uid }) => !SUBJECTS.has(uid));
  return own.map((type) => {
    const queries = queriesOf(types, type);
    const [, ...others] = types.locales;
    const localized = type.localized ? Object.assign({}, ...others.map((locale) => withLocale(queries, locale))) : {};
    const isSingle = type.kind === 'singleType';
    return {
      kind: isSingle ? 'single' : 'list',
      uid: type.uid,
      path: `/api/${isSingle ? type.singularName : type.pluralName}`,
      queries: { ...queries, ...(localized as Readonly<Record<string, string>>) },
    };
  });
}
