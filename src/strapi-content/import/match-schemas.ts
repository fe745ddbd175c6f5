/** Matches the types and components of an archive with those of this project, by name. */
import type { Component, ContentType, ContentTypes } from '#contract/content-type.ts';
import { componentNames, typeName, typeNames } from '../../strapi/names.ts';
import type { StrapiArchive } from '../../strapi/open-archive.ts';
import { BUILT_IN, FOLDER, LOCALE, PERMISSION } from '../../strapi/own-names.ts';
import { member, type StrapiSchema } from '../../strapi/records.ts';

/** Types that are not imported as entries, but read separately. */
const READ_SEPARATELY: ReadonlySet<string> = new Set([FOLDER, PERMISSION, LOCALE]);

const BUILT_IN_NAMES: ReadonlySet<string> = new Set(BUILT_IN.values());

/** Whether a type is internal to Strapi or read separately, so that its rows are no loss. */
export function isExcludedType(uid: string): boolean {
  return uid.startsWith('admin::') || READ_SEPARATELY.has(uid);
}

export function isType(owner: ContentType | Component): owner is ContentType {
  return 'kind' in owner;
}

/** Whether a plugin's type has the same name as an `api::` type of the archive, which takes precedence. */
function isOutranked({ schemas }: StrapiArchive, { uid, info }: StrapiSchema): boolean {
  if (uid.startsWith('api::') || BUILT_IN.has(uid)) return false;
  const name = typeName(uid, member(info, 'singularName'));
  return schemas.some(
    (one) => one.uid.startsWith('api::') && typeName(one.uid, member(one.info, 'singularName')) === name,
  );
}

function namesOf(archive: StrapiArchive, schema: StrapiSchema): readonly string[] {
  const { uid, modelType, info } = schema;
  if (modelType === 'component') return componentNames(uid);
  if (isExcludedType(uid) || isOutranked(archive, schema)) return [];
  const builtIn = BUILT_IN.get(uid);
  return builtIn === undefined
    ? typeNames(uid, member(info, 'singularName')).filter((name) => !BUILT_IN_NAMES.has(name))
    : [builtIn];
}

function inOrder(schemas: readonly StrapiSchema[]): readonly StrapiSchema[] {
  return [...schemas].sort((a, b) => (a.uid < b.uid ? -1 : a.uid > b.uid ? 1 : 0));
}

/** The type or component of the project for each schema that has one, in the order of the archive. Each stands for one schema. */
export function matchSchemas(
  { types, components }: ContentTypes,
  archive: StrapiArchive,
): ReadonlyMap<StrapiSchema, ContentType | Component> {
  const taken = new Set<ContentType | Component>();
  const found = new Map<StrapiSchema, ContentType | Component>();
  for (const schema of inOrder(archive.schemas)) {
    const owners: Readonly<Record<string, ContentType | Component>> =
      schema.modelType === 'component' ? components : types;
    const own = namesOf(archive, schema)
      .flatMap((name) => (Object.hasOwn(owners, name) ? (owners[name] ?? []) : []))
      .find((owner) => !taken.has(owner));
    if (own === undefined) continue;
    taken.add(own);
    found.set(schema, own);
  }
  return new Map(
    archive.schemas.flatMap((schema) => {
      const own = found.get(schema);
      return own === undefined ? [] : [[schema, own] as const];
    }),
  );
}
