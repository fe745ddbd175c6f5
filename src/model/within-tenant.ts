/** Indexes of types with a tenant: each begins with it, since every look-up is within one. */
import type { ContentType, TypeIndex } from './content-model.ts';

type Tenanted = Pick<ContentType, 'tenant' | 'indexes' | 'unique'>;

/** The attributes of a unique index. */
export function uniqueWithin({ tenant }: Pick<ContentType, 'tenant'>, names: readonly string[]): readonly string[] {
  return tenant === undefined || names.includes(tenant) ? names : [tenant, ...names];
}

/** Combinations of attributes that are unique, each once. */
export function combinationsOf(type: Tenanted): readonly (readonly string[])[] {
  const all = type.unique.map((names) => uniqueWithin(type, names));
  return [...new Map(all.map((names) => [names.toSorted().join(' '), names])).values()];
}

/** An index that serves sorted lists. Those of attributes in components stay as they are. */
export function indexWithin({ tenant }: Pick<ContentType, 'tenant'>, index: TypeIndex): TypeIndex {
  const [first] = index;
  if (tenant === undefined || first === undefined || first.member !== undefined || first.name === tenant) return index;
  return [{ name: tenant, descending: false }, ...index.filter(({ name }) => name !== tenant)];
}

/** The indexes that serve sorted lists, each once. */
export function indexesOf(type: Tenanted): readonly TypeIndex[] {
  const keyOf = (index: TypeIndex): string =>
    index.map(({ name, descending }) => `${descending ? '-' : ''}${name}`).join(' ');
  return [
    ...new Map(type.indexes.map((index) => indexWithin(type, index)).map((index) => [keyOf(index), index])).values(),
  ];
}
