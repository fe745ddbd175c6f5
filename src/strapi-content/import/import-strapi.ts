/** Imports a Strapi export into an empty database and its storage, atomically. */
import type { ContentReader, LastId, ProjectContent, ProjectTools } from '#contract/content-transfer.ts';
import type { StrapiArchive } from '../../strapi/open-archive.ts';
import { writeProblems } from './decisions.ts';
import type { ComparedRows, ImportReport } from './import-report.ts';
import { comparedTypes, type Plan, planImport, refuseUndecided, type StrapiImportOptions } from './plan-import.ts';
import { planRolePermissions, readArchivedRoles } from './roles.ts';
import { writeArchive, type WriteContext } from './write-archive.ts';
import { readChecksum, type WrittenSection } from './written-rows.ts';

/** Reads the database and compares it with what was written. Throws if they differ. */
async function compareRows(
  reader: ContentReader,
  plan: Plan,
  written: readonly WrittenSection[],
): Promise<readonly ComparedRows[]> {
  const total = written.reduce((sum, { sum: { rows } }) => sum + rows, 0);
  const done = plan.stages.begin('comparing rows', total);
  const compared: ComparedRows[] = [];
  for (const { section, sum } of written) {
    const target = await readChecksum(reader, section, done);
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

interface Imported {
  readonly rows: readonly ComparedRows[];
  /** The number of stored files. */
  readonly stored: number;
}

async function importRows(
  plan: Plan,
  context: WriteContext,
): Promise<{ readonly result: Imported; readonly lastIds: readonly LastId[] }> {
  const { written, stored, lastIds } = await writeArchive(plan, context);
  return { result: { rows: await compareRows(context.content, plan, written), stored }, lastIds };
}

/**
 * Imports an archive. Throws CommandRefused if the database has content, or if decisions are needed first, which the report lists. After any
 * error nothing is imported, except for the error about id sequences.
 */
export async function importStrapi(
  content: ProjectContent,
  { withScratchFolder }: ProjectTools,
  archive: StrapiArchive,
  options: StrapiImportOptions,
  onReport: (report: ImportReport) => Promise<void>,
): Promise<ImportReport> {
  const plan = await planImport(content, archive, options);
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
    content.contentTypes,
    plan.source,
    { roles: content.roles, archived },
    plan.findings,
  );
  const { rows, stored } = await withScratchFolder((folder) =>
    content.fill(
      (writer) => importRows(plan, { content: writer, rules: content.rules, roles, folder, signal: content.signal }),
      options,
    ),
  );
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
