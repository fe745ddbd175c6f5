/** Reads a project from a Strapi export: schemas, roles, locales, and the views of the admin panel. */
import { basename } from 'node:path';
import { openArchive, type StrapiArchive } from '../strapi/open-archive.ts';
import { DEFAULT_LOCALE_KEY, FILE, LOCALE, PERMISSION, ROLE, USER } from '../strapi/own-names.ts';
import type { StrapiSchema } from '../strapi/records.ts';
import { type Store, viewsOf } from './read-view.ts';
import {
  type Finding,
  isMembers,
  member,
  type Members,
  type StrapiOwner,
  type StrapiProject,
  type StrapiRole,
  type StrapiType,
  textOf,
} from './strapi-project.ts';
import { isSystemAttribute, ownAttributes, ownItemAttributes, ownUserAttributes } from './system-attributes.ts';

/** Locations within an export are of no use to the user. */
const NOWHERE = (): undefined => undefined;

function storeOf({ configuration }: StrapiArchive): Store {
  const byKey = new Map(
    configuration
      .filter(({ type }) => type === 'core-store')
      .map(({ value }) => [String(member(value, 'key')), member(value, 'value')] as const),
  );
  return (key) => byKey.get(key);
}

/** The attributes declared in the schema file of a type, if the archive contains that. */
function declaredBy(store: Store, uid: string): ReadonlySet<string> | undefined {
  const written = member(member(store('strapi_content_types_schema'), uid), '__schema__');
  const attributes = member(written, 'attributes');
  return isMembers(attributes) ? new Set(Object.keys(attributes)) : undefined;
}

function ownerOf(schema: StrapiSchema, attributes: StrapiOwner['attributes']): StrapiOwner {
  const { uid, collectionName, info } = schema;
  return { uid, collectionName, info, attributes, locationOf: NOWHERE };
}

function typeOf(schema: StrapiSchema, major: 4 | 5, store: Store): StrapiType {
  const { kind = 'collectionType', options, pluginOptions } = schema;
  const own = { major, type: { options, pluginOptions }, declared: declaredBy(store, schema.uid) };
  return { ...ownerOf(schema, ownAttributes(schema.attributes, own)), kind, options, pluginOptions };
}

/** The project data found in the content of the archive. */
interface Content {
  readonly roles: Map<number, { readonly data: Members; readonly actions: string[] }>;
  readonly permissions: Map<number, string>;
  readonly locales: string[];
  readonly morphTargets: Map<string, Set<string>>;
}

const TAKEN: ReadonlySet<string> = new Set([ROLE, PERMISSION, LOCALE]);

async function readContent(archive: StrapiArchive): Promise<Content> {
  const content: Content = { roles: new Map(), permissions: new Map(), locales: [], morphTargets: new Map() };
  const links: (readonly [permission: number, role: number])[] = [];
  for await (const item of archive.read(['entity', 'link'])) {
    if (item.kind === 'entity' && TAKEN.has(item.entity.type)) {
      const { type, id, data } = item.entity;
      if (type === ROLE) content.roles.set(id, { data, actions: [] });
      else if (type === PERMISSION) content.permissions.set(id, String(data['action']));
      else if (textOf(data['code']) !== undefined) content.locales.push(String(data['code']));
    } else if (item.kind === 'link') {
      const { kind, left, right } = item.link;
      if (left.type === PERMISSION && right.type === ROLE) links.push([Number(left.ref), Number(right.ref)]);
      else if (kind === 'relation.morph' && left.type !== FILE) {
        const key = `${left.type}.${left.field}`;
        content.morphTargets.set(key, (content.morphTargets.get(key) ?? new Set()).add(right.type));
      }
    }
  }
  for (const [permission, role] of links) {
    const action = content.permissions.get(permission);
    if (action !== undefined) content.roles.get(role)?.actions.push(action);
  }
  return content;
}

function rolesOf({ roles }: Content): readonly StrapiRole[] | undefined {
  if (roles.size === 0) return undefined;
  return [...roles.values()].map(({ data, actions }) => ({
    type: textOf(data['type']) ?? String(data['name']),
    name: textOf(data['name']) ?? '',
    description: textOf(data['description']) ?? '',
    actions: [...new Set(actions)].sort(),
  }));
}

/** Strapi's own types and plugins, which hold no content of the project. */
const OF_STRAPI = /^(?:admin::|plugin::(?:upload|i18n|users-permissions|content-releases|review-workflows)\.)/u;

function findingsOf(schemas: readonly StrapiSchema[]): readonly Finding[] {
  return schemas
    .filter(({ uid, modelType }) => modelType === 'contentType' && !uid.startsWith('api::') && !OF_STRAPI.test(uid))
    .map(({ uid }) => ({
      kind: 'unsupported',
      what: uid,
      message: 'a type of a plugin, whose entries are not imported',
    }));
}

function byUid(a: { readonly uid: string }, b: { readonly uid: string }): number {
  return a.uid < b.uid ? -1 : a.uid > b.uid ? 1 : 0;
}

/** Attributes that the project declares under names that Strapi reserves. */
function reservedIn(types: readonly StrapiSchema[], major: 4 | 5, store: Store): readonly Finding[] {
  return types.flatMap(({ uid, options, pluginOptions }) => {
    const isSystem = (name: string): boolean => isSystemAttribute(name, major, { options, pluginOptions });
    const names = [...(declaredBy(store, uid) ?? [])].filter(isSystem);
    return names.map((name): Finding => ({
      kind: 'unsupported',
      what: `${uid}.${name}`,
      message: 'every entry already has a built-in attribute with this name',
    }));
  });
}

/** `about.html-2024.tar.gz` → `about-html-2024` */
export function nameOfSource(path: string): string {
  const base = basename(path).replace(/(?:\.tar)?(?:\.gz)?(?:\.enc)?$/u, '');
  const name = base
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '')
    .slice(0, 60);
  return name || 'content';
}

/** Reads an archive, packed or unpacked. Throws an ArchiveError. */
export async function readArchive(path: string, key: string | undefined): Promise<StrapiProject> {
  const archive = await openArchive(path, { key });
  const { metadata, schemas } = archive;
  const store = storeOf(archive);
  const content = await readContent(archive);
  const apiTypes = schemas.filter(({ uid, modelType }) => modelType === 'contentType' && uid.startsWith('api::'));
  const types = apiTypes.map((schema) => typeOf(schema, metadata.major, store)).sort(byUid);
  const components = schemas.filter(({ modelType }) => modelType === 'component');
  const user = schemas.find(({ uid }) => uid === USER);
  const first = textOf(store(DEFAULT_LOCALE_KEY));
  const locales = [...new Set([...(first === undefined ? [] : [first]), ...content.locales.sort()])];
  return {
    origin: 'archive',
    major: metadata.major,
    version: metadata.version,
    name: nameOfSource(path),
    types,
    components: components.map((schema) => ownerOf(schema, ownItemAttributes(schema.attributes))).sort(byUid),
    user: user && ownerOf(user, ownUserAttributes(user.attributes)),
    locales,
    roles: rolesOf(content),
    views: viewsOf(store, user ? [...types, user] : types, components),
    morphTargets: content.morphTargets,
    findings: [...reservedIn(apiTypes, metadata.major, store), ...findingsOf(schemas)],
  };
}
