/** `content-gen build`. */
import { resolve } from 'node:path';
import type { BuildReport } from '../build.ts';
import { renderAnnotations } from '../diagnostics/render-annotations.ts';
import { renderText } from '../diagnostics/render-text.ts';
import { exitCodeOf } from './exit-codes.ts';
import { colorsOf, type Io } from './io.ts';
import { missingPackages } from './missing-packages.ts';
import { createProgress } from './progress.ts';
import { renderReportJson } from './render-report-json.ts';
import { renderReport } from './render-report.ts';

/** The flags as given on the command line. */
export interface BuildFlags {
  readonly out?: string;
  readonly zeroDowntime?: true;
  readonly check?: true;
  readonly dryRun?: true;
  readonly diff?: true;
  readonly downgrade?: true;
  readonly json?: true;
  readonly annotations?: true;
  readonly overwrite: readonly string[];
  readonly allowDestructive: readonly string[];
}

/** Builds, prints the result, and returns the exit code. */
export async function buildCommand(schema: readonly string[], flags: BuildFlags, io: Io): Promise<number> {
  const report = await runBuild(schema, flags, io);
  const exitCode = exitCodeOf(report);
  if (!flags.json || flags.annotations) printMessages(report, flags, io);
  io.stdout.write(flags.json ? renderReportJson(report, exitCode) : renderReport(report, colorsOf(io.stdout, io)));
  if (report.outcome === 'written' && !flags.json) io.stderr.write(nextSteps(report, io));
  return exitCode;
}

/** Builds according to the flags, showing progress on a terminal. */
export async function runBuild(schema: readonly string[], flags: BuildFlags, io: Io): Promise<BuildReport> {
  // Imported lazily, so that `--help` and invalid flags respond immediately.
  const { build } = await import('../build.ts');
  const progress = createProgress(io.stderr);
  try {
    return await build({
      schema,
      cwd: io.cwd,
      out: flags.out,
      mode: flags.check ? 'check' : flags.dryRun || flags.diff ? 'dry-run' : 'write',
      diff: flags.diff ?? false,
      overwrite: flags.overwrite,
      zeroDowntime: flags.zeroDowntime ?? false,
      allowDestructive: flags.allowDestructive,
      downgrade: flags.downgrade ?? false,
      onWait: (id) => io.stderr.write(`waiting for another build of this project (process ${id}) …\n`),
      onProgress: (done, total) => progress.report('printing files', done, total),
    });
  } finally {
    progress.clear();
  }
}

/** Prints the diagnostics of a build, with the source lines that they refer to. */
export function printMessages(
  { diagnostics, sources, out }: Pick<BuildReport, 'diagnostics' | 'sources'> & { readonly out?: string | undefined },
  { annotations }: Pick<BuildFlags, 'annotations'>,
  io: Io,
): void {
  const texts = new Map(sources.map(({ file, text }) => [file, text]));
  const asText = () =>
    renderText(diagnostics, { sourceOf: (file) => texts.get(file), colors: colorsOf(io.stderr, io) });
  io.stderr.write(annotations ? renderAnnotations(diagnostics, out) : asText());
}

/** After a first build: how to start the server. After a build whose server needs further packages: how to install them. */
export function nextSteps({ out = '.', actions }: BuildReport, { cwd }: Io): string {
  const folder = resolve(cwd, out);
  const enter = folder === resolve(cwd) ? '' : `cd ${out} && `;
  const changes = (kind: 'create' | 'update', file: string): boolean =>
    actions.some((action) => action.kind === kind && action.path === file);
  if (changes('create', 'package.json')) return `\nNext: ${enter}npm install && npm run dev\n`;
  const missing = changes('update', 'runtime/package.json') ? missingPackages(folder) : [];
  return missing.length === 0 ? '' : `\nNext: ${enter}npm install, since the server now needs ${missing.join(', ')}\n`;
}
