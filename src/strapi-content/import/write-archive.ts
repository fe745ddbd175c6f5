/** Writes the content of an archive: entries, roles, links and files. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ContentWriter, LastId, ProjectContent, Section } from '#contract/content-transfer.ts';
import { type ContentType, type ForeignKeyStorage, isEnforced, type PlaceColumns } from '#contract/content-type.ts';
import { inState } from '#contract/states.ts';
import { convertEntry } from './convert-entry.ts';
import { rowsOf, statesOf } from './entity-index.ts';
import type { Conversion } from './entry-notes.ts';
import { createFindings } from '../findings.ts';
import { distributeLinks } from './link-files.ts';
import type { Plan } from './plan-import.ts';
import type { PlannedRole } from './roles.ts';
import { type RequiredLinks, requiredSteps, takeRequired } from './required-links.ts';
import { DRAFT, isIn, PUBLISHED, type State } from './row-states.ts';
import { type LinkContext, rowsOfLinks } from './rows-of-links.ts';
import type { SourceTypes } from './source-types.ts';
import { createRowWriter, type RowWriter, type WrittenSection } from './written-rows.ts';

export interface WriteContext {
  readonly content: ContentWriter;
  /** Role → the rules of its permissions in the schema; undefined if it has none. */
  readonly rules: ProjectContent['rules'];
  readonly roles: readonly PlannedRole[];
  /** The folder for temporary files with links. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

export interface Written {
  readonly written: readonly WrittenSection[];
  readonly stored: number;
  readonly lastIds: readonly LastId[];
}

/** Number of rows between checks for an abort: SQLite writes synchronously, so the event loop would never run. */
const YIELD_AFTER = 500;

function columnsOf({ column, position }: PlaceColumns): readonly string[] {
  return position === undefined ? [column] : [column, position];
}

function publishedColumns({ published }: ForeignKeyStorage): readonly string[] {
  return published ? columnsOf(published) : [];
}

/**
 * The section for the rows of entries, without foreign keys: these are written with the links, except for those without which the
 * database takes no row.
 */
function entrySection({ tables }: ContentWriter, type: ContentType): Section {
  const table = tables.get(type.table);
  if (!table) throw new Error(`There is no table ${type.table}`);
  const links = Object.values(type.attributes).flatMap((attribute) => {
    const isLink = attribute.type === 'relation' || attribute.type === 'media';
    if (!isLink || attribute.storage.kind !== 'foreignKey') return [];
    if (isEnforced(type, attribute)) return publishedColumns(attribute.storage);
    return [...columnsOf(attribute.storage), ...publishedColumns(attribute.storage)];
  });
  const columns = table.columns.filter(
    ({ name, references, required }) => (references === undefined || required === true) && !links.includes(name),
  );
  return { table: table.name, key: table.key, columns, fills: false };
}

/** The entries that are written at once: of some types, in one state. */
interface EntryPass {
  readonly types: ReadonlySet<string>;
  readonly state: State;
  /** Whether this pass counts the entities that no pass writes. */
  readonly isFirst: boolean;
}

/** Entries come after those that they require, and what is published after all drafts, whose ids it has. */
function entryPasses(source: SourceTypes): readonly EntryPass[] {
  const versioned = [...source.types.values()].filter(({ type }) => type.published !== undefined);
  const published = new Set(versioned.map(({ uid }) => uid));
  return [
    ...requiredSteps(source).map((step): EntryPass => ({ ...step, state: DRAFT })),
    ...(published.size > 0 ? [{ types: published, state: PUBLISHED, isFirst: false } as const] : []),
  ];
}

/** Writes the entries of one pass: the archive is read once for each. */
async function writePass(
  { archive, source, index }: Plan,
  { content, signal }: WriteContext,
  rows: RowWriter,
  { pass, conversion, required, done }: PassContext,
): Promise<void> {
  const { types, state, isFirst } = pass;
  const sections = new Map(
    [...source.types].map(([uid, { type }]) => [
      uid,
      entrySection(content, inState(source.contentTypes, type, state === PUBLISHED)),
    ]),
  );
  const repeated = new Set<string>();
  let count = 0;
  for await (const item of archive.read(['entity'])) {
    if (item.kind !== 'entity') continue;
    const { entity } = item;
    const type = source.types.get(entity.type);
    const section = sections.get(entity.type);
    if (state === DRAFT && (types.has(entity.type) || (isFirst && !type))) done();
    if (!type || !section || !types.has(entity.type)) continue;
    const states = statesOf(index, type, entity.id);
    if (states === 0) continue;
    if (rowsOf(index, type).doubles.has(entity.id)) {
      const name = `${entity.type} ${entity.id}`;
      if (repeated.has(name)) continue;
      repeated.add(name);
    }
    // All versions are converted in each state, so that each gets the same values in both.
    const cells = convertEntry(conversion, type, entity);
    if (cells && isIn(states, state)) await rows.add(section, { ...cells, ...required.cellsOf(type, entity.id) });
    if ((count += 1) % YIELD_AFTER === 0) {
      await yieldToEventLoop();
      signal.throwIfAborted();
    }
  }
}

interface PassContext {
  readonly pass: EntryPass;
  readonly conversion: Conversion;
  readonly required: RequiredLinks;
  readonly done: () => void;
}

/** Returns the largest id of a component item. */
async function writeEntries(
  plan: Plan,
  context: WriteContext,
  rows: RowWriter,
  required: RequiredLinks,
): Promise<number> {
  const { archive, source, stages } = plan;
  const done = stages.begin('writing entries', archive.counts.entities);
  let lastItem = 0;
  // The first conversion, in `checkEntries`, has already reported everything.
  const fresh = (): Conversion => ({
    ...plan.conversion,
    findings: createFindings(),
    seen: new Map(),
    problems: [],
    lastItem: 0,
  });
  let conversion = fresh();
  for (const pass of entryPasses(source)) {
    if (pass.state === PUBLISHED) conversion = fresh();
    await writePass(plan, context, rows, { pass, conversion, required, done });
    lastItem = Math.max(lastItem, conversion.lastItem);
  }
  return lastItem;
}

/** Reads the links of the archive into files, and those without which the database takes no row into memory. */
async function readLinks(plan: Plan, { content, folder }: WriteContext) {
  const { archive, source, index, findings, stages } = plan;
  const done = stages.begin('reading links', archive.counts.links);
  const files = await distributeLinks(archive, { source, index, findings, folder }, done);
  const context: LinkContext = { source, tables: content.tables, findings, folder, ids: new Map() };
  return { context, files, ...(await takeRequired(context, files)) };
}

type ReadLinks = Awaited<ReturnType<typeof readLinks>>;

async function writeLinks(
  { stages }: Plan,
  { signal }: WriteContext,
  rows: RowWriter,
  { context, files, links }: ReadLinks,
): Promise<void> {
  const done = stages.begin(
    'writing links',
    links.reduce((sum, { file }) => sum + file.records.count, 0),
  );
  let count = 0;
  for (const given of links) {
    const { section, rows: cells } = rowsOfLinks(context, given);
    for await (const one of cells) {
      await rows.add(section, one);
      done();
      if ((count += 1) % YIELD_AFTER === 0) {
        await yieldToEventLoop();
        signal.throwIfAborted();
      }
    }
    await rows.flush();
  }
  for (const { records } of files) await records.close();
}

function wholeTable({ content: { tables } }: WriteContext, name: string): Section | undefined {
  const table = tables.get(name);
  return table && { table: name, key: table.key, columns: table.columns, fills: false };
}

/** Inserts the roles that exist only in the schema, and the permissions of all roles. */
async function writeRoles({ conversion }: Plan, context: WriteContext, rows: RowWriter): Promise<void> {
  const [roles, permissions] = [wholeTable(context, 'user_roles'), wholeTable(context, 'user_role_permissions')];
  if (!roles || !permissions) return;
  const { rules } = context;
  let lastId = Math.max(0, ...context.roles.map(({ id }) => id ?? 0));
  const time = conversion.archivedAt;
  const ids = new Map<PlannedRole, number>();
  for (const role of context.roles) {
    ids.set(role, role.id ?? (lastId += 1));
    if (role.id !== undefined) continue;
    const name = `${role.type.charAt(0).toUpperCase()}${role.type.slice(1)}`;
    await rows.add(roles, { id: lastId, name, type: role.type, created_at: time, updated_at: time });
  }
  await rows.flush();
  for (const role of context.roles) {
    for (const action of new Set(role.permissions)) {
      const rule = rules?.[role.type]?.[action];
      const ruled = rules && { rule: rule ? JSON.stringify(rule) : null };
      await rows.add(permissions, { role_id: ids.get(role) ?? 0, action, ...ruled });
    }
  }
  await rows.flush();
}

/** Stores the files that rows reference. Returns their number. */
async function writeFiles(
  { archive, files, findings, stages }: Plan,
  { content: { storeFile }, signal }: WriteContext,
): Promise<number> {
  if (!files) return 0;
  const done = stages.begin('storing files', archive.counts.assets);
  let stored = 0;
  for await (const item of archive.read(['asset'])) {
    done();
    if (item.kind !== 'asset') continue;
    signal.throwIfAborted();
    const name = files.wanted.get(item.name);
    if (name === undefined) {
      findings.add('nothing', 'stored files that no entry of the media library refers to', item.name);
      continue;
    }
    stored += 1;
    await storeFile?.(name, item.read());
  }
  return stored;
}

/** Whether ids are generated: published versions have those of their drafts. */
function hasOwnIds({ columns }: Section): boolean {
  return columns.every(({ name, references }) => name !== 'id' || references === undefined);
}

/** Writes everything within a transaction; files are stored as soon as they are read. */
export async function writeArchive(plan: Plan, context: WriteContext): Promise<Written> {
  const rows = createRowWriter(context.content);
  const links = await readLinks(plan, context);
  const lastItem = await writeEntries(plan, context, rows, links.required);
  await rows.flush();
  await writeRoles(plan, context, rows);
  await writeLinks(plan, context, rows, links);
  const stored = await writeFiles(plan, context);
  const written = rows.written();
  const withIds = written.filter(
    ({ section, lastId }) => section.key.join() === 'id' && !section.fills && hasOwnIds(section) && lastId > 0,
  );
  const items =
    lastItem > 0 && context.content.tables.has('component_ids')
      ? [{ section: { table: 'component_ids' }, lastId: lastItem }]
      : [];
  return { written, stored, lastIds: [...withIds, ...items] };
}
