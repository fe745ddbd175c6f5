/** Reads the folder of a Strapi project: its schemas, and findings about its own code. */
import { lstat, open, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { USER } from '#strapi/own-names.ts';
import { codeFindings } from './code-findings.ts';
import { attributesOf, locationsIn, parseObject } from './json-file.ts';
import {
  type Finding,
  member,
  type Members,
  SourceError,
  type StrapiOwner,
  type StrapiProject,
  type StrapiType,
  textOf,
} from './strapi-project.ts';
import { isSystemAttribute, ownAttributes, ownUserAttributes } from './system-attributes.ts';

/** In bytes. The largest schema files have a few hundred attributes. */
const MAX_FILE_SIZE = 1024 * 1024;
const MAX_FILES = 20_000;
const DEEPEST = 12;

/** Folders that are not the project's own, or not part of its content. */
const SKIPPED: ReadonlySet<string> = new Set([
  'node_modules',
  'dist',
  'build',
  'public',
  '.cache',
  '.git',
  '.tmp',
  'admin',
]);

/** The paths of all files under the folders, sorted, separated by `/`. Links are not followed. */
async function filesUnder(root: string, folders: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  async function visit(path: string, depth: number): Promise<void> {
    const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const name = `${path}/${entry.name}`;
      if (entry.isDirectory()) {
        if (depth < DEEPEST && !SKIPPED.has(entry.name)) await visit(name, depth + 1);
      } else if (entry.isFile() && found.push(name) > MAX_FILES) {
        throw new SourceError(`${root} has more than ${MAX_FILES} files in src, so it is not a Strapi project.`);
      }
    }
  }
  for (const folder of folders) await visit(folder, 0);
  return found;
}

/** The text of a file. Throws a SourceError if it is too large or not text. */
async function textIn(root: string, file: string): Promise<string> {
  const handle = await open(join(root, file), 'r');
  try {
    const { size } = await handle.stat();
    if (size > MAX_FILE_SIZE) throw new SourceError(`${file} has ${size} bytes; the maximum is ${MAX_FILE_SIZE}.`);
    const bytes = await handle.readFile();
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) {
      throw new SourceError(`${file} is not UTF-8 text. Fix the file and try again.`);
    }
    throw error;
  } finally {
    await handle.close();
  }
}

const TYPE_FILE = /^src\/api\/(?<api>[^/]+)\/content-types\/(?<type>[^/]+)\/schema\.json$/u;
const COMPONENT_FILE = /^src\/components\/(?<category>[^/]+)\/(?<name>[^/]+)\.json$/u;
const EXTENDED_FILE = /^src\/extensions\/(?<plugin>[^/]+)\/content-types\/(?<type>[^/]+)\/schema\.json$/u;

/** The contents of the schema files, in the order read. */
interface Read {
  readonly types: StrapiType[];
  readonly components: StrapiOwner[];
  readonly findings: Finding[];
  user: StrapiOwner | undefined;
}

function reserved(owner: StrapiOwner, attributes: Readonly<Record<string, Members>>): readonly Finding[] {
  return Object.keys(attributes)
    .filter(isSystemAttribute)
    .map((name) => ({
      kind: 'unsupported',
      what: `${owner.uid}.${name}`,
      message: 'every entry already has a built-in attribute with this name',
      place: owner.locationOf(['attributes', name]),
    }));
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}

function takeFile(read: Read, file: string, text: string): void {
  const schema = parseObject(file, text);
  const locationOf = locationsIn(file, text);
  const attributes = attributesOf(file, schema, locationOf);
  const owner = (uid: string): StrapiOwner => ({
    uid,
    collectionName: textOf(schema['collectionName']),
    info: membersOf(schema['info']),
    attributes: ownAttributes(attributes),
    locationOf,
  });
  const { api, type } = TYPE_FILE.exec(file)?.groups ?? {};
  if (api !== undefined && type !== undefined) {
    // Strapi takes the uid from the folder name, and the path from the singular name.
    const own = owner(`api::${api}.${textOf(member(schema['info'], 'singularName')) ?? type}`);
    const kind = schema['kind'] === 'singleType' ? 'singleType' : 'collectionType';
    read.types.push({
      ...own,
      kind,
      options: membersOf(schema['options']),
      pluginOptions: membersOf(schema['pluginOptions']),
    });
    read.findings.push(...reserved(own, attributes));
    return;
  }
  const { category, name } = COMPONENT_FILE.exec(file)?.groups ?? {};
  if (category !== undefined && name !== undefined) {
    // Strapi lowercases file names without splitting words.
    read.components.push(owner(`${category}.${name}`.toLowerCase()));
    return;
  }
  const { plugin, type: extended } = EXTENDED_FILE.exec(file)?.groups ?? {};
  if (plugin === 'users-permissions' && extended === 'user') {
    const user = owner(USER);
    read.user = { ...user, attributes: ownUserAttributes(user.attributes) };
    return;
  }
  const message = 'the project extends a type of a plugin, which is supported only for users';
  read.findings.push({ kind: 'unsupported', what: `plugin::${plugin ?? ''}.${extended ?? ''}`, message, place: file });
}

/** The parsed package.json; empty if there is none. */
async function packageOf(root: string, files: readonly string[]): Promise<Members> {
  const isThere = files.includes('package.json');
  return isThere ? parseObject('package.json', await textIn(root, 'package.json')) : {};
}

function versionOf(packageJson: Members): string | undefined {
  const dependencies = member(packageJson, 'dependencies');
  const version = textOf(member(dependencies, '@strapi/strapi')) ?? textOf(member(dependencies, '@strapi/core'));
  return version === undefined ? undefined : /\d[\w.-]*/u.exec(version)?.[0];
}

function byUid(a: { readonly uid: string }, b: { readonly uid: string }): number {
  return a.uid < b.uid ? -1 : a.uid > b.uid ? 1 : 0;
}

/**
 * The major version of Strapi. Versions 4 and 5 have the same files, so only package.json tells them apart. Throws a
 * SourceError for other versions.
 */
function majorOf(version: string | undefined, given: 4 | 5 | undefined): 4 | 5 {
  if (given !== undefined) return given;
  if (version === undefined) {
    throw new SourceError(
      'The folder has no package.json with the version of @strapi/strapi. Specify it with --strapi 4 or --strapi 5.',
    );
  }
  const major = Number(/^\d+/u.exec(version)?.[0]);
  if (major === 4 || major === 5) return major;
  throw new SourceError(
    `package.json requires Strapi ${version}, but only projects of Strapi 4 and 5 can be imported. Upgrade the project first.`,
  );
}

/** Whether a folder is a project folder. */
export async function isProjectFolder(root: string): Promise<boolean> {
  const found = await lstat(join(root, 'src')).catch(() => undefined);
  return found?.isDirectory() === true;
}

/** Reads a project folder. `major`: its version, if package.json does not specify it. Throws a SourceError. */
export async function readFolder(root: string, major: 4 | 5 | undefined): Promise<StrapiProject> {
  const own = (await readdir(root)).filter((name) => name === 'package.json');
  const files = [...own, ...(await filesUnder(root, ['src', 'config']))];
  const read: Read = { types: [], components: [], findings: [], user: undefined };
  for (const file of files) {
    if (!TYPE_FILE.test(file) && !COMPONENT_FILE.test(file) && !EXTENDED_FILE.test(file)) continue;
    takeFile(read, file, await textIn(root, file));
  }
  if (read.types.length === 0) {
    throw new SourceError(
      `${root} has no src/api/…/content-types/…/schema.json, so it is not a Strapi 4 or 5 project, or has no content types.`,
    );
  }
  const packageJson = await packageOf(root, files);
  const version = versionOf(packageJson);
  const code = await codeFindings(files, packageJson, (file) => textIn(root, file));
  return {
    origin: 'folder',
    major: majorOf(version, major),
    version,
    name: textOf(packageJson['name']) ?? basename(root),
    types: read.types.sort(byUid),
    components: read.components.sort(byUid),
    user: read.user,
    locales: [],
    roles: undefined,
    views: new Map(),
    morphTargets: new Map(),
    findings: [...read.findings, ...code],
  };
}
