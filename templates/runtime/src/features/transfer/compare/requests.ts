/** The requests by which two servers are compared, from the content types of the project. */
import type { Attribute, ContentType, ContentTypes } from '../../../contract/content-type.ts';
import { isItemAttribute } from '../../../contract/item-attributes.ts';
import { SUBJECTS } from '../../../contract/policy/permission-name.ts';

/** A list that is read page by page, and whose entries are read one by one; or a single entry. */
export interface Listed {
  readonly kind: 'list' | 'single';
  readonly uid: string;
  /** Without a query. */
  readonly path: string;
  /** Queries, without their beginning, by what they show. */
  readonly queries: Readonly<Record<string, string>>;
}

const DEEP = 3;

/** Everything that an attribute holds, some levels deep: Strapi wants each level of components to be named. */
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

/** What is asked for, in the order of the content types. */
export function requestsFor(types: ContentTypes): readonly Listed[] {
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
