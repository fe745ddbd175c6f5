/** `content-gen build`. */
import { resolve } from 'node:path';
import pc from 'picocolors';
import type { BuildReport } from '../build.ts';
import { renderAnnotations } from '../diagnostics/render-annotations.ts';
import { plainColors, renderText, type Colors } from '../diagnostics/render-text.ts';
import { exitCodeOf } from './exit-codes.ts';
import type { Io, Output } from './io.ts';
import { isColored } from './io.ts';
import { renderReportJson } from './render-report-json.ts';
import { renderReport } from './render-report.ts';

/** The flags, as they were given. */
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

/** Builds, prints, and gives back the exit code. */
export async function buildCommand(schema: readonly string[], flags: BuildFlags, io: Io): Promise<number> {
  // Loaded late, so that help and wrong flags are answered at once.
  const { build } = await import('../build.ts');
  const report = await build({
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
  });
  const exitCode = exitCodeOf(report);
  io.stderr.write(flags.json && !flags.annotations ? '' : messages(report, flags, io));
  io.stdout.write(flags.json ? renderReportJson(report, exitCode) : renderReport(report, colorsOf(io.stdout, io)));
  if (report.outcome === 'written' && !flags.json) io.stderr.write(nextSteps(report, io));
  return exitCode;
}

function colorsOf(output: Output, { env }: Io): Colors {
  return isColored(output, env) ? pc.createColors(true) : plainColors;
}

function messages({ diagnostics, sources }: BuildReport, { annotations }: BuildFlags, io: Io): string {
  if (annotations) return renderAnnotations(diagnostics);
  const texts = new Map(sources.map(({ file, text }) => [file, text]));
  return renderText(diagnostics, { sourceOf: (file) => texts.get(file), colors: colorsOf(io.stderr, io) });
}

/** After a first build: how to see it run. */
function nextSteps({ out = '.', actions }: BuildReport, { cwd }: Io): string {
  const isFirst = actions.some(({ kind, path }) => kind === 'create' && path === 'package.json');
  if (!isFirst) return '';
  const enter = resolve(cwd, out) === resolve(cwd) ? '' : `cd ${out} && `;
  return `\nNext: ${enter}npm install && npm run dev\n`;
}
