/** Exports the content of this server as an archive that Strapi imports. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack, type Pack } from 'tar-stream';
import { COLUMN_NAMES } from '#contract/column-names.ts';
import type { ContentFiles, ContentReader, ProjectContent, ProjectTools } from '#contract/content-transfer.ts';
import { AUTHENTICATED } from '#contract/policy/built-in-roles.ts';
import { byColumn, itemsInside, kindsOf } from '#contract/item-attributes.ts';
import type { ContentType } from '#contract/content-type.ts';
import { isPublished } from '#contract/states.ts';
import { ACCOUNTS_KEY, DEFAULT_LOCALE_KEY, LOCALE } from '../../strapi/own-names.ts';
import { createFindings, type Finding } from '../findings.ts';
import { createNumberMap } from '../number-map.ts';
import { type Job, openStage } from './export-job.ts';
import { exportedRows, statesOf } from './exported-rows.ts';
import { addBytes, addStage, addText } from './tar-entries.ts';
import { type CellsByName, dataOf, systemData, versionId } from './strapi-entities.ts';
import { type ExportContext, exportedLinks, hasTwoVersions, rowsOf } from './strapi-links.ts';
import { exportRoles } from './strapi-roles.ts';
import { type Major, strapiSchemas, strapiUid } from './strapi-schema.ts';

/** The Strapi versions whose archive format is written. */
const VERSIONS: Readonly<Record<Major, string>> = { 4: '4.26.2', 5: '5.54.0' };

export interface StrapiExported {
  readonly version: string;
  readonly entities: number;
  readonly links: number;
  readonly files: number;
  /** Whether the bytes of all files are in the archive. */
  readonly isComplete: boolean;
  readonly findings: readonly Finding[];
}

/** Reads all entries once to collect what the export of links needs. */
async function contextOf(
  { contentTypes }: ProjectContent,
  reader: ContentReader,
  major: Major,
): Promise<ExportContext> {
  const components = Object.keys(contentTypes.components);
  const context = { types: contentTypes, major, published: new Map(), items: createNumberMap(), components };
  for (const type of statesOf(contentTypes)) {
    const { items } = kindsOf(type.attributes);
    const isVersioned = type.draftAndPublish && !isPublished(type);
    if (items.length === 0 && !isVersioned) continue;
    const published = createNumberMap();
    if (isVersioned) context.published.set(type.uid, published);
    for await (const cells of rowsOf(reader, type.table)) {
      if (isVersioned) published.set(Number(cells['id']), cells[COLUMN_NAMES.publishedAt] === null ? 0 : 1);
      for (const [, attribute] of items) {
        const cell = cells[attribute.column] ?? null;
        const stored: unknown = cell === null ? null : JSON.parse(String(cell));
        for (const { component, item } of itemsInside(contentTypes, attribute, stored, byColumn)) {
          context.items.set(Number(item['id']), components.indexOf(component.uid));
        }
      }
    }
  }
  return context;
}

function noteFile({ content, files }: Job, id: number, data: Readonly<Record<string, unknown>>): unknown {
  const { files: stored } = content;
  if (!stored) return data;
  const nameOf = (value: Readonly<Record<string, unknown>>): string | undefined => {
    const name = `${String(value['hash'])}${typeof value['ext'] === 'string' ? value['ext'] : ''}`;
    return stored.isStoredName(name) && String(value['url']).endsWith(`/${name}`) ? name : undefined;
  };
  const placed = (value: Readonly<Record<string, unknown>>, about: object): Readonly<Record<string, unknown>> => {
    const name = nameOf(value);
    if (name === undefined) return value;
    const changed = { ...value, url: `/uploads/${name}` };
    files.push({ name, about: { ...changed, ...about } });
    return changed;
  };
  const own = placed(data, { id });
  const formats = own['formats'];
  const changed = Object.entries(typeof formats === 'object' && formats !== null ? formats : {}).map(
    ([key, format]) => [
      key,
      placed(format as Readonly<Record<string, unknown>>, { type: key, id, mainHash: own['hash'] }),
    ],
  );
  const isLocal = own['url'] !== data['url'] || nameOf(data) !== undefined;
  return {
    ...own,
    formats: formats === null ? null : Object.fromEntries(changed),
    ...(isLocal ? { provider: 'local' } : {}),
  };
}

/** Exports a row as an entity: a draft, a published version, or what is both. */
async function exportRow(job: Job, type: ContentType, cells: CellsByName): Promise<void> {
  const { exported, entities, links, findings } = job;
  const { types, major } = exported;
  const uid = strapiUid(type.uid);
  const row = Number(cells['id']);
  const onSecret = () =>
    findings.add(
      'left',
      'passwords that only this server can verify: these users need new ones',
      String(cells['username'] ?? row),
    );
  const version = { isDraft: !isPublished(type), hasTwoVersions: hasTwoVersions(exported, type) };
  const data = dataOf(types, type, cells, { major, version, onSecret });
  const id = versionId(row, version);
  await entities.add({ type: uid, id, data: type.uid === 'file' ? noteFile(job, row, data) : data });
  if (major === 5 && typeof data['documentId'] === 'string') {
    await links.add(localeLink(uid, { ref: id }, data['documentId']));
  }
}

/** A link of `localizations`. */
function localeLink(type: string, from: { readonly ref: number; readonly pos?: number }, ref: number | string) {
  const left = { type, ...from, field: 'localizations' };
  return { kind: 'relation.circular', relation: 'oneToMany', left, right: { type, ref } };
}

/** Links each locale of an entry to its others, as version 4 does. */
async function linkLocales({ links }: Job, uid: string, ids: readonly number[]): Promise<void> {
  for (const one of ids) {
    for (const [index, other] of ids.filter((id) => id !== one).entries()) {
      await links.add(localeLink(uid, { ref: one, pos: index + 1 }, other));
    }
  }
}

async function exportType(job: Job, type: ContentType): Promise<void> {
  const { exported, entities, content } = job;
  /** Document id → rows, for version 4, which links the locales of an entry. */
  const locales = new Map<string, number[]>();
  for await (const [state, cells] of exportedRows(job, type)) {
    content.signal.throwIfAborted();
    await exportRow(job, state, cells);
    if (exported.major === 4 && type.localized) {
      const document = String(cells[COLUMN_NAMES.documentId]);
      const rows = locales.get(document) ?? [];
      locales.set(document, rows);
      rows.push(Number(cells['id']));
    }
    content.progress.report(`exporting ${type.table}`, entities.count);
  }
  for (const ids of locales.values()) {
    await linkLocales(
      job,
      strapiUid(type.uid),
      ids.toSorted((a, b) => a - b),
    );
  }
}

/** Language tags that `Intl` accepts: a schema may have other locales. */
const LANGUAGE_TAG = /^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?$/iu;

/** `German (de)`, as Strapi names locales. */
function localeName(code: string): string {
  if (!LANGUAGE_TAG.test(code)) return code;
  const name = new Intl.DisplayNames(['en'], { type: 'language' }).of(code) ?? code;
  return name === code ? code : `${name} (${code})`;
}

async function exportLocales({ exported, entities }: Job): Promise<void> {
  for (const [index, code] of exported.types.locales.entries()) {
    const data = { name: localeName(code), code, ...systemData(exported.major) };
    await entities.add({ type: LOCALE, id: index + 1, data });
  }
}

async function addFiles(tar: Pack, stored: ContentFiles, { files, findings, content }: Job): Promise<number> {
  let count = 0;
  for (const { name, about } of files) {
    content.signal.throwIfAborted();
    const file = await stored.open(name);
    if (!file) {
      findings.add('left', 'files whose bytes are missing from the storage', name);
      continue;
    }
    addText(tar, `assets/metadata/${name}.json`, JSON.stringify(about));
    await addBytes(tar, `assets/uploads/${name}`, file.size, await file.read());
    count += 1;
    content.progress.report('files', count, files.length);
  }
  return count;
}

/** Reports what an archive can't contain: API tokens. */
async function noteLosses({ reader, findings }: Job): Promise<void> {
  if (!reader.tables.has('api_tokens')) return;
  for await (const cells of rowsOf(reader, 'api_tokens')) {
    findings.add('left', 'API tokens', String(cells['name']));
  }
}

/** Settings that Strapi keeps in its database, but this server in its schema and environment. */
function settingsOf({ contentTypes, accounts }: ProjectContent) {
  const [defaultLocale = 'en'] = contentTypes.locales;
  const advanced = {
    unique_email: true,
    allow_register: accounts.registration,
    email_confirmation: accounts.emailConfirmation,
    email_reset_password: null,
    email_confirmation_redirection: null,
    default_role: AUTHENTICATED,
  };
  const own = { environment: null, tag: null };
  return [
    { id: 1, key: DEFAULT_LOCALE_KEY, value: defaultLocale, type: 'string', ...own },
    { id: 2, key: ACCOUNTS_KEY, value: advanced, type: 'object', ...own },
  ].map((value) => ({ type: 'core-store', value }));
}

async function writeTar(tar: Pack, job: Job, folder: string, version: string): Promise<number> {
  const { content, exported, entities, links, reader } = job;
  const schemas = openStage(folder, 'schemas');
  for (const schema of strapiSchemas(exported.types, exported.major)) await schemas.add(schema);
  const configuration = openStage(folder, 'configuration');
  for (const setting of settingsOf(content)) await configuration.add(setting);
  for (const type of Object.values(exported.types.types)) await exportType(job, type);
  await exportLocales(job);
  await exportRoles(job);
  for await (const link of exportedLinks(reader, exported)) await links.add(link);
  await noteLosses(job);
  await addStage(tar, 'schemas', schemas);
  await addStage(tar, 'entities', entities);
  const files = content.files ? await addFiles(tar, content.files, job) : 0;
  await addStage(tar, 'links', links);
  await addStage(tar, 'configuration', configuration);
  addText(
    tar,
    'metadata.json',
    JSON.stringify({ createdAt: new Date().toISOString(), strapi: { version } }, undefined, 2),
  );
  tar.finalize();
  return files;
}

/** Writes the archive to a new file. `folder` is for temporary files. */
async function writeArchive(
  content: ProjectContent,
  reader: ContentReader,
  { major, folder, temporary }: { readonly major: Major; readonly folder: string; readonly temporary: string },
): Promise<StrapiExported> {
  const findings = createFindings();
  const job: Job = {
    content,
    exported: await contextOf(content, reader, major),
    reader,
    findings,
    entities: openStage(folder, 'entities'),
    links: openStage(folder, 'links'),
    files: [],
  };
  const tar = pack();
  const output = createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true });
  const written = pipeline(tar, createGzip(), output, { signal: content.signal });
  const packed = writeTar(tar, job, folder, VERSIONS[major]).catch((error: unknown) => {
    // Ends the pipeline with an error, which closes the file.
    tar.destroy();
    throw error;
  });
  const [files] = await Promise.all([packed, written]);
  return {
    version: VERSIONS[major],
    entities: job.entities.count,
    links: job.links.count,
    files,
    isComplete: files === job.files.length,
    findings: findings.all(),
  };
}

/**
 * Writes an archive of a consistent snapshot to a new file: version 5 if entries have document ids, else version 4. Throws CommandRefused if
 * the file already exists.
 */
export async function exportStrapi(
  content: ProjectContent,
  { withScratchFolder, writeNewFile }: ProjectTools,
  out: string,
): Promise<StrapiExported> {
  const major: Major = Object.values(content.contentTypes.types).some(({ documentIds }) => documentIds === true)
    ? 5
    : 4;
  return writeNewFile(out, (temporary) =>
    withScratchFolder((folder) =>
      content.snapshot((reader) => writeArchive(content, reader, { major, folder, temporary })),
    ),
  );
}
