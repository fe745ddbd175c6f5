/** Reads and checks an archive before anything is written. */
import type { ProjectContent } from '#contract/content-transfer.ts';
import { AUTHENTICATED } from '#contract/policy/built-in-roles.ts';
import { CommandRefused } from '../command-refused.ts';
import { castInstant } from '#contract/values/cast-time.ts';
import type { StrapiArchive } from '../../strapi/open-archive.ts';
import { ACCOUNTS_KEY, DEFAULT_LOCALE_KEY, FOLDER, LOCALE } from '../../strapi/own-names.ts';
import { isMembers, member } from '../../strapi/records.ts';
import { convertEntry } from './convert-entry.ts';
import type { Decisions } from './decisions.ts';
import {
  chooseRows,
  type EntityIndex,
  indexEntities,
  leaveOut,
  type Preference,
  rowsOf,
  statesOf,
} from './entity-index.ts';
import type { Conversion } from './entry-notes.ts';
import { MAX_PROBLEMS } from './entry-values.ts';
import { createFindings, type Findings } from '../findings.ts';
import type { ImportReport } from './import-report.ts';
import { prepareLinks } from './prepare-links.ts';
import { withProjectNames } from './renamed-attributes.ts';
import { matchTypes, type SourceType, type SourceTypes } from './source-types.ts';
import { createStages, type Stages } from './stages.ts';
import type { ArchiveFiles } from './stored-names.ts';

export interface StrapiImportOptions {
  readonly prefer: Preference;
  /** Whether to refuse content that breaks rules of the schema. */
  readonly strict: boolean;
  readonly decisions: Decisions;
  /** The file to which undecided problems are written. */
  readonly decisionsFile: string;
  /** Whether to roll back at the end. */
  readonly isDryRun: boolean;
}

/** The result of reading and checking an archive. */
export interface Plan {
  readonly archive: StrapiArchive;
  readonly source: SourceTypes;
  readonly index: EntityIndex;
  readonly findings: Findings;
  readonly conversion: Conversion;
  readonly files: ArchiveFiles | undefined;
  readonly stages: Stages;
}

function configured(archive: StrapiArchive, key: string): unknown {
  const record = archive.configuration.find(({ type, value }) => type === 'core-store' && member(value, 'key') === key);
  return record && member(record.value, 'value');
}

/** The locale of entries that have none. */
function defaultLocale(content: ProjectContent, archive: StrapiArchive, findings: Findings): string {
  const { locales } = content.contentTypes;
  const [own = 'en'] = locales;
  const archived = configured(archive, DEFAULT_LOCALE_KEY);
  if (typeof archived !== 'string' || archived === own) return own;
  findings.add('changed', 'the default locale', `${archived} in the archive, ${own} in this project`);
  return locales.includes(archived) ? archived : own;
}

/** When the archive was made; 1970 if it does not say. */
function archivedAt({ metadata }: StrapiArchive): string {
  const created = castInstant(metadata.createdAt);
  return created.ok ? created.value : new Date(0).toISOString();
}

const ACCOUNTS = 'account settings that differ here: set them in the environment';

/** Reports differing account settings: registration that was closed must not be open here unnoticed. */
function noteAccounts({ accounts }: ProjectContent, archive: StrapiArchive, findings: Findings): void {
  const archived = configured(archive, ACCOUNTS_KEY);
  const compare = (key: string, variable: string, own: boolean): void => {
    const value = member(archived, key);
    if (typeof value === 'boolean' && value !== own) findings.add('changed', ACCOUNTS, `${variable}=${String(value)}`);
  };
  compare('allow_register', 'AUTH_REGISTRATION', accounts.registration);
  compare('email_confirmation', 'AUTH_EMAIL_CONFIRMATION', accounts.emailConfirmation);
  const role = member(archived, 'default_role');
  if (typeof role === 'string' && role !== AUTHENTICATED) {
    findings.add('changed', `the default role of new users: here it is ${AUTHENTICATED}`, role);
  }
}

function noteConfiguration(content: ProjectContent, archive: StrapiArchive, findings: Findings): void {
  for (const { type, value } of archive.configuration) {
    if (type === 'webhook') findings.add('left', 'webhooks', String(member(value, 'name')));
  }
  noteAccounts(content, archive, findings);
}

function findFiles(
  { files }: ProjectContent,
  { assets: sizes }: StrapiArchive,
  findings: Findings,
): ArchiveFiles | undefined {
  if (files) return { stored: files, sizes, wanted: new Map() };
  if (sizes.size > 0) {
    findings.add('left', 'files: nothing in the schema of this project refers to files', undefined, sizes.size);
  }
  return undefined;
}

const FOLDERS = 'folders of the media library: their files are kept';

/** Converts all entries once, to find values that need a decision and entries that are left out. */
async function checkEntries(plan: Omit<Plan, 'files'>): Promise<void> {
  const { archive, source, index, conversion, stages } = plan;
  const done = stages.begin('checking entries', archive.counts.entities);
  for await (const item of archive.read(['entity'])) {
    done();
    if (item.kind !== 'entity') continue;
    const { entity } = item;
    if (entity.type === LOCALE) noteLocale(plan, entity.data);
    if (entity.type === FOLDER) conversion.findings.add('left', FOLDERS, String(member(entity.data, 'name')));
    const type = source.types.get(entity.type);
    if (!type || statesOf(index, type, entity.id) === 0) continue;
    if (!convertEntry(conversion, type, entity)) leaveOut(index, type, entity.id);
  }
}

function noteLocale({ source, findings }: Omit<Plan, 'files'>, data: unknown): void {
  const code = isMembers(data) ? member(data, 'code') : undefined;
  if (typeof code === 'string' && !source.contentTypes.locales.includes(code)) {
    findings.add('left', 'locales that this project does not have', code);
  }
}

/** Throws CommandRefused if there are undecided values, or invalid ones with `strict`. */
export function refuseUndecided({ conversion, findings }: Plan, { strict, decisionsFile }: StrapiImportOptions): void {
  const { problems } = conversion;
  const [first] = problems;
  if (first) {
    const { type, attribute, id, problem } = first;
    const count = problems.length < MAX_PROBLEMS ? problems.length : `${problems.length} or more`;
    throw new CommandRefused(
      `Values that can't be stored as they are: ${count}, such as ${type} ${id}, ${attribute}: ${problem}.\n` +
        `They are listed in ${decisionsFile}: fill in a decision for each, and run the import again. Nothing was imported.`,
    );
  }
  if (strict && findings.has('invalid')) {
    throw new CommandRefused(
      'The archive has content that a request would be rejected for, and --strict is set. Nothing was imported.',
    );
  }
}

/** Reads and checks an archive. Throws an ArchiveError. */
export async function planImport(
  content: ProjectContent,
  given: StrapiArchive,
  options: StrapiImportOptions,
): Promise<Plan> {
  const archive = withProjectNames(content.contentTypes, given);
  const findings = createFindings();
  const stages = createStages(content);
  const source = matchTypes(content.contentTypes, archive, findings);
  noteConfiguration(content, archive, findings);
  const index = await indexEntities(
    archive,
    source,
    findings,
    stages.begin('reading entries', archive.counts.entities),
  );
  await prepareLinks(archive, source, index, stages.begin('reading links', archive.counts.links));
  chooseRows(source, index, options.prefer, (type, draft, published) => {
    const kept = options.prefer === 'draft' ? 'the draft is kept' : 'the published version is kept';
    findings.add(
      'left',
      `pending changes, in types without drafts here: a draft that differs from the published version (${kept})`,
      `${type.type.uid}: draft ${draft}, published ${published}`,
    );
  });
  const files = findFiles(content, archive, findings);
  const conversion: Conversion = {
    source,
    index,
    findings,
    decisions: options.decisions,
    archivedAt: archivedAt(archive),
    defaultLocale: defaultLocale(content, archive, findings),
    files,
    seen: new Map(),
    problems: [],
    lastItem: 0,
  };
  const plan: Plan = { archive, source, index, findings, conversion, files, stages };
  await checkEntries(plan);
  // The second conversion starts with an empty `seen`, and this one takes memory for each entry and unique value.
  conversion.seen.clear();
  return plan;
}

/** The number of entities of each type, and of the entries that they become. */
export function comparedTypes({ source, index }: Plan): ImportReport['types'] {
  const entriesOf = (type: SourceType): number => {
    let count = 0;
    for (const [row, kept] of rowsOf(index, type).kept.entries()) if (row === kept) count += 1;
    return count;
  };
  return [...source.types.values()].map((type) => ({
    uid: type.uid,
    type: type.type.uid,
    entities: rowsOf(index, type).count,
    entries: entriesOf(type),
  }));
}
