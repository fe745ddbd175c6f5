/** `content-gen data …`: moves the content of Strapi to a project, or back, and compares their servers. */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ProjectContent, ProjectTools } from '#contract/content-transfer.ts';
import { visibleText } from '../diagnostics/visible-text.ts';
import { ArchiveError } from '../strapi/archive-error.ts';
import { archiveKey } from '../strapi/archive-key.ts';
import { openArchive } from '../strapi/open-archive.ts';
import { CommandRefused, isRefusal } from '../strapi-content/command-refused.ts';
import { compareServers, type Comparison } from '../strapi-content/compare/compare-servers.ts';
import type { Server } from '../strapi-content/compare/get-response.ts';
import { exportStrapi } from '../strapi-content/export/export-strapi.ts';
import { readDecisions } from '../strapi-content/import/decisions.ts';
import { findingsText, type ImportReport, reportText } from '../strapi-content/import/import-report.ts';
import { importStrapi } from '../strapi-content/import/import-strapi.ts';
import type { Io } from './io.ts';
import { loadProject, type Project } from './load-project.ts';

export const DATA_EXIT = {
  done: 0,
  /** The command failed, or responses differ. */
  failed: 1,
  refused: 3,
  /** Done, but something was left behind. */
  leftBehind: 4,
  /** The conventional exit code after SIGINT. */
  interrupted: 130,
} as const;

export interface ProjectFlags {
  /** The folder of the project. */
  readonly project: string;
}

export interface ImportContentFlags extends ProjectFlags {
  readonly prefer: 'published' | 'draft';
  readonly strict?: boolean;
  readonly decisions: string;
  readonly report?: string;
  readonly dryRun?: boolean;
  readonly allowDrops?: boolean;
  readonly keyFile?: string;
}

export interface ExportContentFlags extends ProjectFlags {
  readonly out: string;
}

export interface CompareFlags extends ProjectFlags {
  /** Addresses without a trailing slash. */
  readonly baseA: string;
  readonly baseB: string;
  readonly pages: number;
  readonly entries: number;
  readonly files: number;
  readonly ids?: boolean;
}

/** A text that is safe to print, with a line end. */
function printed(text: string): string {
  return `${text.split('\n').map(visibleText).join('\n')}\n`;
}

/** The path of a file that the user named, as seen from the folder of the project. */
function pathFromProject(file: string, { project }: ProjectFlags, { cwd }: Io): string {
  return resolve(cwd, project) === cwd ? file : resolve(cwd, file);
}

/**
 * Runs work on a project, from its folder, where its settings are. The first signal aborts it gracefully. Returns the exit code of the work,
 * or that of its error, whose message is printed.
 */
async function runBeside(
  { project: folder }: ProjectFlags,
  io: Io,
  work: (project: Project, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const cwd = process.cwd();
  const controller = new AbortController();
  io.onStop?.(() => controller.abort());
  try {
    const path = resolve(io.cwd, folder);
    const project = await loadProject(path);
    process.chdir(path);
    return await work(project, controller.signal);
  } catch (error) {
    if (controller.signal.aborted) {
      io.stderr.write('Interrupted: nothing was changed.\n');
      return DATA_EXIT.interrupted;
    }
    io.stderr.write(printed(error instanceof Error ? error.message : String(error)));
    return isRefusal(error) ? DATA_EXIT.refused : DATA_EXIT.failed;
  } finally {
    process.chdir(cwd);
  }
}

/** Runs work on the content of a project. */
function withContent(
  flags: ProjectFlags,
  io: Io,
  mayMigrate: boolean,
  work: (content: ProjectContent, tools: ProjectTools) => Promise<number>,
): Promise<number> {
  return runBeside(flags, io, ({ definition, tools }, signal) => {
    const progress = tools.createProgress(io.stderr);
    return tools.withContent(definition, { mayMigrate, progress, signal }, (content) =>
      work(content, tools).finally(() => progress.clear()),
    );
  });
}

/** Turns an ArchiveError into a CommandRefused, since a bad archive isn't a failure of the server. */
function refused(error: unknown): unknown {
  return error instanceof ArchiveError
    ? new CommandRefused(`${error.message} Nothing was imported.`, { cause: error })
    : error;
}

/** The printed summary of a report, and the exit code. */
function conclusion(report: ImportReport, { dryRun, allowDrops }: ImportContentFlags): { text: string; code: number } {
  const isIncomplete = report.findings.some(({ kind }) => kind === 'left') && !allowDrops;
  const what = dryRun ? 'Nothing was kept: this was a dry run.' : 'Imported.';
  const drops = isIncomplete ? ' Something was left behind: see above. With --allow-drops, this is not an error.' : '';
  return {
    text: `${reportText(report)}\n\n${what}${drops}`,
    code: isIncomplete ? DATA_EXIT.leftBehind : DATA_EXIT.done,
  };
}

/** Imports an export of Strapi into a database without content. */
export function importContentCommand(archive: string, flags: ImportContentFlags, io: Io): Promise<number> {
  const { prefer, strict = false, dryRun: isDryRun = false } = flags;
  const pathOf = (file: string): string => pathFromProject(file, flags, io);
  const decisionsFile = pathOf(flags.decisions);
  const writeReport = async (report: ImportReport): Promise<void> => {
    if (flags.report === undefined) return;
    await writeFile(pathOf(flags.report), `${JSON.stringify(report, undefined, 2)}\n`, { mode: 0o600 });
  };
  return withContent(flags, io, true, async (content, tools) => {
    const decisions = await readDecisions(decisionsFile);
    const options = { prefer, strict, isDryRun, decisions, decisionsFile };
    try {
      const key = await archiveKey(flags.keyFile && pathOf(flags.keyFile), io.env);
      const opened = await openArchive(pathOf(archive), { key });
      const report = await importStrapi(content, tools, opened, options, writeReport);
      content.progress.clear();
      const { text, code } = conclusion(report, flags);
      io.stdout.write(printed(text));
      return code;
    } catch (error) {
      throw refused(error);
    }
  });
}

/** Exports all content as an archive that Strapi imports. */
export function exportContentCommand(flags: ExportContentFlags, io: Io): Promise<number> {
  return withContent(flags, io, false, async (content, tools) => {
    const exported = await exportStrapi(content, tools, pathFromProject(flags.out, flags, io));
    const { version, entities, links, files, isComplete, findings } = exported;
    content.progress.clear();
    const text = `Exported ${entities} entities, ${links} links and ${files} files for Strapi ${version}.`;
    io.stdout.write(printed(`${text}${findingsText(findings)}`));
    return isComplete ? DATA_EXIT.done : DATA_EXIT.leftBehind;
  });
}

/** How many differences are printed. */
const MAX_PRINTED = 20;

function comparisonText({ requests, refused: errors, different }: Comparison): string {
  const shown = different
    .slice(0, MAX_PRINTED)
    .flatMap(({ path, differences }) => [`GET ${path}`, ...differences.map((one) => `  ${one}`)]);
  const more = different.length > MAX_PRINTED ? [`… and ${different.length - MAX_PRINTED} more`] : [];
  const same = requests - different.length;
  return [
    ...shown,
    ...more,
    `${same} of ${requests} responses are the same (${errors} of them errors); ${different.length} differ.`,
  ].join('\n');
}

/** Sends two servers the same requests. Tokens come from the environment, where other users of the machine can't see them. */
export function compareCommand(flags: CompareFlags, io: Io): Promise<number> {
  const { baseA, baseB, pages, entries, files, ids = false } = flags;
  const servers: readonly [Server, Server] = [
    { base: baseA, token: io.env['COMPARE_TOKEN_A'] },
    { base: baseB, token: io.env['COMPARE_TOKEN_B'] },
  ];
  return runBeside(flags, io, async ({ definition, tools }, signal) => {
    const progress = tools.createProgress(io.stderr);
    const options = { servers, pages, entries, files, ids, signal, progress };
    const compared = await compareServers(definition.contentTypes, options).finally(() => progress.clear());
    io.stdout.write(`${comparisonText(compared)}\n`);
    return compared.different.length === 0 ? DATA_EXIT.done : DATA_EXIT.failed;
  });
}
