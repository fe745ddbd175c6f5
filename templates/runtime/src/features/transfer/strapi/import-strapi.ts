/** Imports a Strapi export into an empty database and its storage, atomically. */
import { incrementAccessVersion } from '../../../access/role-rows.ts';
import { CommandRefused } from '../../../base/command-errors.ts';
import type { Transaction } from '../../../database/write-plan.ts';
import type { StrapiArchive } from '../../../strapi/open-archive.ts';
import { checkEmpty, removeRoles } from '../check-empty.ts';
import type { TransferContext } from '../context.ts';
import { withScratchFolder } from '../scratch-folder.ts';
import { checkSequences, restoreSequences } from '../sequences.ts';
import { createStoredFiles, type StoredFileTarget } from '../stored-file-target.ts';
import { ROLE_TABLES, type TransferTable, transferTables } from '../tables.ts';
import { writeProblems } from './decisions.ts';
import type { ComparedRows, ImportReport } from './import-report.ts';
import { comparedTypes, type Plan, planImport, refuseUndecided, type StrapiImportOptions } from './plan-import.ts';
import { planRolePermissions, readArchivedRoles } from './roles.ts';
import { writeArchive, type WriteContext } from './write-archive.ts';
import { readChecksum, type WrittenSection } from './written-rows.ts';

/** How long to wait for the migration lock, in milliseconds. */
const LOCK_TIMEOUT = 2000;

/** Reads the database and compares it with what was written. Throws if they differ. */
async function compareRows(
  tx: Transaction,
  plan: Plan,
  written: readonly WrittenSection[],
): Promise<readonly ComparedRows[]> {
  const total = written.reduce((sum, { sum: { rows } }) => sum + rows, 0);
  const done = plan.stages.begin('comparing rows', total);
  const compared: ComparedRows[] = [];
  for (const { section, sum } of written) {
    const target = await readChecksum(tx, section, done);
    const isSame = target.rows === sum.rows && target.hash === sum.hash;
    const columns = section.fills ? section.columns.slice(1).map(({ name }) => name) : [];
    compared.push({ table: section.table, columns, source: sum, target, isSame });
  }
  const wrong = compared.find(({ isSame }) => !isSame);
  if (wrong) {
    throw new Error(
      `The database has not kept ${wrong.table} as it was written (${wrong.target.rows} rows of ${wrong.source.rows}): is a server writing to it? Nothing was imported.`,
    );
  }
  return compared;
}

/** Thrown to roll back the transaction of a dry run. */
class DryRunRollback extends Error {}

interface Done {
  readonly rows: readonly ComparedRows[];
  readonly stored: number;
  readonly sequences: ReadonlyMap<string, number>;
}

async function runImport(
  context: TransferContext,
  plan: Plan,
  tx: Transaction,
  move: Pick<WriteContext, 'target' | 'temp' | 'roles' | 'folder'>,
): Promise<Done> {
  const tables = transferTables(context.contentTypes);
  await checkEmpty(tx, tables, context.roles);
  const hasRoles = tables.some(({ name }) => ROLE_TABLES.includes(name));
  if (hasRoles) await removeRoles(tx);
  const { written, stored, lastIds } = await writeArchive(tx, plan, {
    ...move,
    tables: byName(tables),
    signal: context.signal,
  });
  const rows = await compareRows(tx, plan, written);
  if (hasRoles) {
    await tx.write(() => Promise.resolve({ subjects: [], steps: incrementAccessVersion(), answer: () => undefined }));
  }
  const sequences = await restoreSequences(tx, lastIds);
  context.signal.throwIfAborted();
  return { rows, stored, sequences };
}

function byName(tables: readonly TransferTable[]): ReadonlyMap<string, TransferTable> {
  return new Map(tables.map((table) => [table.name, table]));
}

async function inTransaction(
  context: TransferContext,
  plan: Plan,
  options: StrapiImportOptions,
  move: Pick<WriteContext, 'temp' | 'roles' | 'folder'>,
): Promise<Done> {
  const target = plan.files && !options.isDryRun ? createStoredFiles(plan.files.storage) : undefined;
  const { database } = context;
  let done: Done | undefined;
  try {
    const ran = await database.migrating(LOCK_TIMEOUT, () =>
      database.longTransaction(async (tx) => {
        done = await runImport(context, plan, tx, { ...move, target });
        if (options.isDryRun) throw new DryRunRollback();
        return done;
      }),
    );
    if (ran) return ran;
    throw new CommandRefused(
      'Another process is migrating this database or importing into it. Try again when it has finished.',
    );
  } catch (error) {
    if (error instanceof DryRunRollback && done) return done;
    // If the commit failed, its outcome is unknown. Then keep the files: orphans do no harm.
    await removeFiles(done ? undefined : target, error);
    throw error;
  }
}

async function removeFiles(target: StoredFileTarget | undefined, error: unknown): Promise<void> {
  const left = (await target?.removeStored()) ?? [];
  if (left.length === 0) return;
  const reason = error instanceof Error ? error.message : String(error);
  throw new Error(`${reason}\nThese files could not be removed from the storage: ${left.join(', ')}`, { cause: error });
}

/**
 * Imports an archive. Throws CommandRefused if the database has content, or if decisions are needed first, which the report lists. After any
 * error nothing is imported, except for the error about id sequences.
 */
export async function importStrapi(
  context: TransferContext,
  archive: StrapiArchive,
  options: StrapiImportOptions,
  onReport: (report: ImportReport) => Promise<void>,
): Promise<ImportReport> {
  const plan = await planImport(context, archive, options);
  const { metadata, counts } = archive;
  const report: ImportReport = {
    archive: { version: metadata.version, createdAt: metadata.createdAt, ...counts },
    isKept: false,
    types: comparedTypes(plan),
    rows: [],
    files: { archive: counts.assets, bytes: counts.bytes, stored: 0 },
    findings: plan.findings.all(),
    problems: plan.conversion.problems,
  };
  if (report.problems.length > 0) await writeProblems(options.decisionsFile, report.problems);
  await onReport(report);
  refuseUndecided(plan, options);
  const archived = await readArchivedRoles(archive);
  const roles = planRolePermissions(
    context.contentTypes,
    plan.source,
    { roles: context.roles, archived },
    plan.findings,
  );
  const { rows, stored, sequences } = await withScratchFolder((folder) =>
    inTransaction(context, plan, options, { temp: options.temp, roles, folder }),
  );
  if (!options.isDryRun) await checkSequences(context, sequences);
  const done = {
    ...report,
    isKept: !options.isDryRun,
    rows,
    files: { ...report.files, stored },
    findings: plan.findings.all(),
  };
  await onReport(done);
  return done;
}
