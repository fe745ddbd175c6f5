/** `content-gen build`. */
import pc from 'picocolors';
import type { BuildReport } from '../build.ts';
import { renderAnnotations } from '../diagnostics/render-annotations.ts';
import { plainColors, renderText } from '../diagnostics/render-text.ts';
import { exitCodeOf } from './exit-codes.ts';
import type { Io } from './io.ts';
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
  io.stdout.write(flags.json ? renderReportJson(report, exitCode) : renderReport(report));
  if (report.outcome === 'written' && !flags.json) io.stderr.write(nextSteps(report));
  return exitCode;
}

function messages({ diagnostics, sources }: BuildReport, { annotations }: BuildFlags, { stderr, env }: Io): string {
  if (annotations) return renderAnnotations(diagnostics);
  const texts = new Map(sources.map(({ file, text }) => [file, text]));
  const colors = isColored(stderr, env) ? pc.createColors(true) : plainColors;
  return renderText(diagnostics, { sourceOf: (file) => texts.get(file), colors });
}

/** After a first build: how to see it run. */
function nextSteps({ out, actions }: BuildReport): string {
  const isFirst = actions.some(({ kind, path }) => kind === 'create' && path === 'package.json');
  return isFirst ? `\nNext: cd ${out} && npm install && npm run dev\n` : '';
}
