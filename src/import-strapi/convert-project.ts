/** Converts a Strapi project to a schema. */
import { FILE } from '../strapi/own-names.ts';
import { scalarTypes } from '#contract/attribute-types/scalar-type.ts';
import { pluralOf, shorten, snakeCase } from '../model/naming.ts';
import { tableNameTaken } from '../model/reserved-names.ts';
import { projectNamePattern, tableNamePattern } from '../schema/name-patterns.ts';
import { SERVER_TABLES } from '../storage/server-tables.ts';
import { convertAttribute } from './convert-attribute.ts';
import type { ConvertContext, Subject } from './convert-context.ts';
import { isCollection } from './convert-relation.ts';
import { convertRoles } from './convert-roles.ts';
import type { Draft, DraftAttribute, DraftOwner, DraftUsers, Json, Options } from './draft.ts';
import { namesOf } from './names.ts';
import { settleRelations } from './pair-relations.ts';
import { saysMore } from './says-more.ts';
import {
  type Finding,
  member,
  type Members,
  type StrapiOwner,
  type StrapiProject,
  type StrapiType,
  textOf,
} from './strapi-project.ts';

const MAX_NAME_LENGTH = 63;

function described({ info }: StrapiOwner, name: string): Record<string, Json> {
  const [displayName, description] = [textOf(info['displayName']), textOf(info['description'])];
  return {
    ...(saysMore(displayName, name) ? { displayName } : {}),
    ...(description === undefined ? {} : { description }),
  };
}

const TAKEN_TABLES: ReadonlySet<string> = new Set([
  ...SERVER_TABLES.map(({ name }) => name),
  'pending_files',
  'upload_folders',
  'component_ids',
]);

function isTableTaken(name: string): boolean {
  return TAKEN_TABLES.has(name) || tableNameTaken(name) !== undefined;
}

/** The `tableName` option, if the project uses a valid table name other than the default. */
function tableName(
  { collectionName, ...type }: StrapiType,
  name: string,
  plural: string,
  { find }: ConvertContext,
): Options {
  const usual = shorten(snakeCase(plural), MAX_NAME_LENGTH);
  const wanted = collectionName ?? usual;
  const isFree = !isTableTaken(wanted) && tableNamePattern.test(wanted) && wanted.length <= MAX_NAME_LENGTH;
  if (isFree) return wanted === usual ? {} : { tableName: wanted };
  const message = `its table can't be named ${wanted}, because that name is already used or not valid`;
  find({ kind: 'changed', what: name, message, place: type.locationOf(['collectionName']) });
  return isTableTaken(usual) ? { tableName: shorten(`content_${usual}`, MAX_NAME_LENGTH) } : {};
}

/** The `admin` options: settings of the admin panel that the schema language supports. */
function adminOptions(
  type: StrapiType,
  { project, names }: ConvertContext,
  attributes: readonly DraftAttribute[],
): Options {
  const view = project.views.get(type.uid);
  if (view === undefined) return {};
  // Strapi's lists may include private attributes.
  const open = attributes.filter(({ options }) => options['private'] !== true && options['type'] !== 'password');
  const shown = new Set(open.map(({ name }) => name));
  const values = new Set(
    open.filter(({ options }) => scalarTypes.some((type) => type === options['type'])).map(({ name }) => name),
  );
  const here = (name: string): string => names.attribute(type.uid, name) ?? name;
  const mainField = view.mainField === undefined ? undefined : here(view.mainField);
  const columns = view.columns.map(here).filter((name) => shown.has(name));
  const admin = {
    ...(mainField !== undefined && values.has(mainField) ? { mainField } : {}),
    ...(columns.length > 0 ? { columns } : {}),
  };
  return Object.keys(admin).length === 0 ? {} : { admin };
}

function attributesOf(
  owner: StrapiOwner,
  { ownerKind, ownerName, localized }: Pick<Subject, 'ownerKind' | 'ownerName'> & { readonly localized: boolean },
  context: ConvertContext,
): readonly DraftAttribute[] {
  return [...owner.attributes].flatMap(
    ([name, given]) => convertAttribute({ owner, ownerKind, ownerName, name, given }, context, localized) ?? [],
  );
}

function convertType(type: StrapiType, context: ConvertContext): DraftOwner {
  const { names } = context;
  const uid = names.type(type.uid) ?? type.uid;
  const plural = names.plural(type.uid);
  const localized = member(member(type.pluginOptions, 'i18n'), 'localized') === true;
  const attributes = attributesOf(type, { ownerKind: 'type', ownerName: uid, localized }, context);
  const options = {
    ...(type.kind === 'singleType' ? { kind: 'singleType' } : {}),
    ...(plural === pluralOf(uid) ? {} : { pluralName: plural }),
    ...tableName(type, uid, plural, context),
    ...described(type, uid),
    ...(member(type.options, 'draftAndPublish') === true ? { draftAndPublish: true } : {}),
    ...(member(type.options, 'populateCreatorFields') === true ? { creatorFields: true } : {}),
    ...(localized ? { localized: true } : {}),
    ...adminOptions(type, context, attributes),
  };
  return { uid, options, attributes, comments: [] };
}

function convertComponent(component: StrapiOwner, context: ConvertContext): DraftOwner {
  const uid = context.names.component(component.uid) ?? component.uid;
  const attributes = attributesOf(component, { ownerKind: 'component', ownerName: uid, localized: false }, context);
  return { uid, options: described(component, uid.slice(uid.indexOf('.') + 1)), attributes, comments: [] };
}

function convertUsers({ project, ...context }: ConvertContext): DraftUsers | undefined {
  const { user } = project;
  if (user === undefined || user.attributes.size === 0) return undefined;
  const of = { ownerKind: 'user', ownerName: 'user', localized: false } as const;
  const attributes = attributesOf(user, of, { project, ...context });
  if (attributes.length === 0) return undefined;
  const needed = attributes.filter(({ options }) => options['required'] === true && !Object.hasOwn(options, 'default'));
  const message =
    'which attributes people may set when they register: list them in `register` of `users`. Strapi allows every attribute';
  context.find({ kind: 'decide', what: 'user', message, place: user.locationOf(['attributes']) });
  return {
    attributes,
    register: needed.map(({ name }) => name),
    comments: ['`register: [name]` allows people to set an attribute when they register.'],
  };
}

function projectName({ name }: StrapiProject): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/gu, '-')
    .replaceAll(/^[^a-z0-9]+/gu, '');
  return projectNamePattern.test(plain) ? plain : 'content';
}

/** API settings that clients of Strapi rely on; the defaults here are stricter. */
function api({ major }: StrapiProject): Options {
  return { ...(major === 5 ? { format: 'v5' } : {}), unknownAttributes: 'ignore' };
}

/** A schema, and the findings to report. */
export interface Converted {
  readonly draft: Draft;
  readonly findings: readonly Finding[];
}

function ownersOf({ types, components, user }: StrapiProject): ReadonlyMap<string, StrapiOwner> {
  return new Map([...types, ...components, ...(user ? [user] : [])].map((owner) => [owner.uid, owner]));
}

/** Without media attributes the server has no media library, although texts may link to files in that of Strapi. */
function noteMediaLibrary({ types, components, user }: StrapiProject, find: ConvertContext['find']): void {
  const owners = [...types, ...components, ...(user ? [user] : [])];
  const all = owners.flatMap(({ attributes }) => [...attributes.values()]);
  const isFile = ({ type, target }: Members): boolean => type === 'media' || target === FILE;
  const isRich = ({ type, customField }: Members): boolean =>
    type === 'richtext' || type === 'blocks' || customField !== undefined;
  if (all.some(isFile) || !all.some(isRich)) return;
  const message =
    'no attribute is of the type media, so the server has no media library: if texts link to files of that in Strapi, add a media attribute to a type, and the files are imported';
  find({ kind: 'decide', what: 'media library', message });
}

/**
 * In Strapi, drafts can be read by anyone who may read published entries. The import keeps it that way until the user
 * changes it.
 */
function decisions({ project, find }: ConvertContext): void {
  const { roles, types, origin, locales } = project;
  noteMediaLibrary(project, find);
  const draftTypes = types.filter(({ options }) => member(options, 'draftAndPublish') === true);
  if (roles === undefined) {
    const message = 'a folder does not contain the permissions of roles, so none are granted. An export contains them';
    find({ kind: 'decide', what: 'permissions', message });
  } else if (draftTypes.length > 0) {
    const message =
      'Strapi shows drafts to everyone who can read a type, which `preview` grants here. Remove it from types whose drafts should be hidden';
    find({ kind: 'decide', what: 'permissions', message });
  }
  if (
    origin === 'folder' &&
    locales.length === 0 &&
    types.some(({ pluginOptions }) => member(member(pluginOptions, 'i18n'), 'localized') === true)
  ) {
    find({
      kind: 'decide',
      what: 'locales',
      message: 'a folder does not contain the locales: list them, starting with the default locale',
    });
  }
}

/** Converts a project. The findings list what could not be converted, and what was decided. */
export function convertProject(project: StrapiProject): Converted {
  const findings: Finding[] = [...project.findings];
  const find = (finding: Finding): void => void findings.push(finding);
  const context: ConvertContext = {
    project,
    names: namesOf(project, find),
    owners: ownersOf(project),
    relations: settleRelations(project, (uid) => isCollection(uid, { project })),
    find,
  };
  const version = project.version === undefined ? String(project.major) : project.version;
  const draft: Draft = {
    comments: [
      `Created by content-gen import strapi from ${project.origin === 'archive' ? 'an export' : 'the folder'} of a Strapi ${version} project.`,
      'You can change it freely.',
    ],
    name: projectName(project),
    locales: project.locales,
    api: api(project),
    apiComments: ['As in Strapi, so that existing clients keep working. `reject` reports misspelt attributes.'],
    types: project.types.map((type) => convertType(type, context)),
    components: project.components.map((component) => convertComponent(component, context)),
    users: convertUsers(context),
    roles: convertRoles(context),
  };
  decisions(context);
  return { draft, findings };
}
