/** Reads the folder of a Strapi project: its schemas, and findings about its own code. */
import { lstat, open, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { USER } from '../strapi/own-names.ts';
import { codeFindings } from './code-findings.ts';
import { attributesOf, locationsIn, parseObject } from './json-file.ts';
import { readSync, type Synced, syncFolder } from './read-sync.ts';
import { viewsOf } from './read-view.ts';
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
import { isSystemAttribute, ownAttributes, ownItemAttributes, ownUserAttributes } from './system-attributes.ts';

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
        // An API may have any name.
        if (depth < DEEPEST && (path === 'src/api' || !SKIPPED.has(entry.name))) await visit(name, depth + 1);
      } else if (entry.isFile() && found.push(name) > MAX_FILES) {
        throw new SourceError(`${root} has more than ${MAX_FILES} files in src, so it is not a Strapi project.`);
      }
    }
  }
  for (const folder of folders) await visit(folder, 0);
  return found;
}

/** The beginning of a file, of at most `MAX_FILE_SIZE` bytes, and its size. */
async function bytesIn(root: string, file: string): Promise<{ readonly bytes: Buffer; readonly size: number }> {
  const handle = await open(join(root, file), 'r');
  try {
    const { size } = await handle.stat();
    const bytes = Buffer.alloc(Math.min(size, MAX_FILE_SIZE));
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    return { bytes: bytes.subarray(0, bytesRead), size };
  } finally {
    await handle.close();
  }
}

/** The encodings of files with a byte order mark, which Windows programs write. */
function markedEncoding(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

/** The text of bytes. Those that are not UTF-8 are read as Windows-1252, in which every byte is a character. */
function textOfBytes(bytes: Buffer): { readonly text: string; readonly encoding: string } {
  for (const encoding of [markedEncoding(bytes) ?? 'utf-8', 'windows-1252']) {
    try {
      return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), encoding };
    } catch {
      // Try the next one.
    }
  }
  return { text: bytes.toString('latin1'), encoding: 'latin1' };
}

/** The text of a schema file. Throws a SourceError if it is too large. Adds a finding if it is not UTF-8. */
async function schemaText(root: string, file: string, findings: Finding[]): Promise<string> {
  const { bytes, size } = await bytesIn(root, file);
  if (size > MAX_FILE_SIZE) throw new SourceError(`${file} has ${size} bytes; the maximum is ${MAX_FILE_SIZE}.`);
  const { text, encoding } = textOfBytes(bytes);
  if (encoding !== 'utf-8') {
    const message = `not UTF-8: it was read as ${encoding}. Check the texts in it`;
    findings.push({ kind: 'changed', what: file, message, place: file });
  }
  return text;
}

/** The text of a file of code, which is only searched: its beginning, if it is very large. */
async function codeText(root: string, file: string): Promise<string> {
  return textOfBytes((await bytesIn(root, file)).bytes).text;
}

const TYPE_FILE = /^src\/api\/(?<api>[^/]+)\/content-types\/(?<type>[^/]+)\/schema\.json$/u;
const COMPONENT_FILE = /^src\/components\/(?<category>[^/]+)\/(?<name>[^/]+)\.json$/u;
const EXTENDED_FILE = /^src\/extensions\/(?<plugin>[^/]+)\/content-types\/(?<type>[^/]+)\/schema\.json$/u;

/** The contents of the schema files, in the order read. */
interface Read {
  readonly major: 4 | 5;
  readonly types: StrapiType[];
  readonly components: StrapiOwner[];
  readonly findings: Finding[];
  /** Components whose files can't be read, by uid. */
  readonly broken: Map<string, SourceError>;
  user: StrapiOwner | undefined;
}

function reserved(owner: StrapiType, major: 4 | 5, attributes: Readonly<Record<string, Members>>): readonly Finding[] {
  return Object.keys(attributes)
    .filter((name) => isSystemAttribute(name, major, owner))
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

interface SchemaFile {
  readonly owner: (uid: string, attributes: StrapiOwner['attributes']) => StrapiOwner;
  readonly schema: Members;
  readonly attributes: Readonly<Record<string, Members>>;
}

function parseSchema(read: Read, file: string, text: string): SchemaFile {
  const schema = parseObject(file, text);
  const locationOf = locationsIn(file, text);
  const { attributes, findings } = attributesOf(file, schema, locationOf);
  read.findings.push(...findings);
  const [collectionName, info] = [textOf(schema['collectionName']), membersOf(schema['info'])];
  return {
    schema,
    attributes,
    owner: (uid, own) => ({ uid, collectionName, info, attributes: own, locationOf }),
  };
}

function takeType(read: Read, { owner, schema, attributes }: SchemaFile, api: string, folder: string): void {
  // Strapi takes the uid from the folder name, and the path from the singular name.
  const uid = `api::${api}.${textOf(member(schema['info'], 'singularName')) ?? folder}`;
  const type = { options: membersOf(schema['options']), pluginOptions: membersOf(schema['pluginOptions']) };
  const declared = new Set(Object.keys(attributes));
  const own: StrapiType = {
    ...owner(uid, ownAttributes(attributes, { major: read.major, type, declared })),
    kind: schema['kind'] === 'singleType' ? 'singleType' : 'collectionType',
    ...type,
  };
  read.types.push(own);
  read.findings.push(...reserved(own, read.major, attributes));
}

async function takeFile(read: Read, file: string, load: () => Promise<string>): Promise<void> {
  const { api, type } = TYPE_FILE.exec(file)?.groups ?? {};
  if (api !== undefined && type !== undefined) return takeType(read, parseSchema(read, file, await load()), api, type);
  const { category, name } = COMPONENT_FILE.exec(file)?.groups ?? {};
  if (category !== undefined && name !== undefined) {
    // Strapi lowercases file names without splitting words.
    const uid = `${category}.${name}`.toLowerCase();
    try {
      const { owner, attributes } = parseSchema(read, file, await load());
      read.components.push(owner(uid, ownItemAttributes(attributes)));
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      read.broken.set(uid, error);
    }
    return;
  }
  const { plugin, type: extended } = EXTENDED_FILE.exec(file)?.groups ?? {};
  if (plugin === 'users-permissions' && extended === 'user') {
    const { owner, attributes } = parseSchema(read, file, await load());
    read.user = owner(USER, ownUserAttributes(attributes));
    return;
  }
  const message = 'the project extends a type of a plugin, which is supported only for users';
  read.findings.push({ kind: 'unsupported', what: `plugin::${plugin ?? ''}.${extended ?? ''}`, message, place: file });
}

function namesComponent(owner: StrapiOwner, uid: string): boolean {
  return [...owner.attributes.values()].some(({ component, components }) =>
    [component, ...(Array.isArray(components) ? (components as unknown[]) : [])].includes(uid),
  );
}

/** Reports files of components that can't be read. Throws if one of them is in use. */
function checkBroken({ broken, types, components, user, findings }: Read): void {
  for (const [uid, error] of broken) {
    if ([...types, ...components, ...(user ? [user] : [])].some((owner) => namesComponent(owner, uid))) throw error;
    findings.push({ kind: 'unsupported', what: uid, message: `left out, since nothing uses it: ${error.message}` });
  }
}

/** The parsed package.json; empty if there is none, or a broken one that is not needed. */
async function packageOf(root: string, given: 4 | 5 | undefined, findings: Finding[]): Promise<Members> {
  if (!(await readdir(root)).includes('package.json')) return {};
  try {
    return parseObject('package.json', await schemaText(root, 'package.json', findings));
  } catch (error) {
    if (given === undefined || !(error instanceof SourceError)) throw error;
    findings.push({ kind: 'unsupported', what: 'package.json', message: error.message });
    return {};
  }
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

async function readSchemas(root: string, files: readonly string[], major: 4 | 5): Promise<Read> {
  const read: Read = { major, types: [], components: [], findings: [], broken: new Map(), user: undefined };
  for (const file of files) {
    if (!TYPE_FILE.test(file) && !COMPONENT_FILE.test(file) && !EXTENDED_FILE.test(file)) continue;
    await takeFile(read, file, () => schemaText(root, file, read.findings));
  }
  if (read.types.length === 0) {
    throw new SourceError(
      `${root} has no src/api/…/content-types/…/schema.json, so it is not a Strapi 4 or 5 project, or has no content types.`,
    );
  }
  checkBroken(read);
  return read;
}

const PLUGIN_SETTINGS = /^config\/plugins\.(?:js|mjs|cjs|ts)$/u;

async function readSynced(root: string, files: readonly string[]): Promise<Synced> {
  const settings = files.find((file) => PLUGIN_SETTINGS.test(file));
  const folder = syncFolder(settings === undefined ? '' : await codeText(root, settings));
  const all = folder.startsWith('config/') ? files : await filesUnder(root, [folder]);
  return readSync(all, folder, (file) => codeText(root, file));
}

/** Reads a project folder. `given`: its version, if package.json does not specify it. Throws a SourceError. */
export async function readFolder(root: string, given: 4 | 5 | undefined): Promise<StrapiProject> {
  const files = await filesUnder(root, ['src', 'config']);
  const findings: Finding[] = [];
  const packageJson = await packageOf(root, given, findings);
  const version = versionOf(packageJson);
  const major = majorOf(version, given);
  const read = await readSchemas(root, files, major);
  const synced = await readSynced(root, files);
  const code = await codeFindings(files, packageJson, (file) => codeText(root, file));
  const types = read.types.sort(byUid);
  const components = read.components.sort(byUid);
  return {
    origin: 'folder',
    major,
    version,
    name: textOf(packageJson['name']) ?? basename(root),
    types,
    components,
    user: read.user,
    locales: synced.locales,
    roles: synced.roles,
    views: viewsOf(synced.store, read.user ? [...types, read.user] : types, components),
    morphTargets: new Map(),
    findings: [...findings, ...read.findings, ...synced.findings, ...code],
  };
}
