/** `content-gen build --watch`: rebuilds after each change of the schema; with `--serve` it also runs the server. */
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { BuildReport } from '../build.ts';
import { hasErrors } from '../diagnostics/sort-diagnostics.ts';
import { type BuildFlags, nextSteps, printMessages, runBuild } from './build-command.ts';
import { EXIT } from './exit-codes.ts';
import { fileStamps } from './file-stamps.ts';
import { colorsOf, type Io } from './io.ts';
import { renderReport } from './render-report.ts';
import { type ServedProject, serveProject } from './serve-project.ts';

export interface WatchFlags {
  readonly watch?: true;
  readonly serve?: true;
}

/** Debounce, in milliseconds: an editor may save a file in several steps. */
const SETTLING_TIME = 30;
/**
 * In milliseconds. The watcher can miss a change right after another one, such as a formatter's, so the files are
 * checked again.
 */
const SECOND_LOOK = 150;

/** Watches until the process is asked to stop. Returns earlier only if the flags are invalid. */
export async function watchCommand(schema: readonly string[], flags: BuildFlags & WatchFlags, io: Io): Promise<number> {
  const problem = flagProblem(flags);
  if (problem !== undefined) {
    io.stderr.write(`error: ${problem}\n`);
    return EXIT.input;
  }
  const { watch } = await import('chokidar');
  const paths = schema.map((path) => resolve(io.cwd, path));
  // Folders rather than files: watching a file ends when an editor replaces it.
  const folders = new Set(paths.map((path) => (isFolder(path) ? path : dirname(path))));
  const isSchema = (path: string): boolean =>
    paths.includes(path) || (paths.includes(dirname(path)) && /\.ya?ml$/.test(path));
  const ignored = (path: string): boolean => !folders.has(path) && !isSchema(path);
  const watcher = watch([...folders], { depth: 0, ignoreInitial: true, ignored });
  const loop = new BuildLoop(schema, flags, io, () => fileStamps(paths, isSchema));
  watcher.on('all', (_event, path) => {
    if (isSchema(path)) loop.changed(relative(io.cwd, path));
  });
  try {
    // Until the first scan is done, the watcher takes a changed file for an existing one and reports nothing.
    await once(watcher, 'ready');
    await loop.run();
  } finally {
    await watcher.close();
  }
  return EXIT.done;
}

function flagProblem({ watch, check, dryRun, diff, json, annotations }: BuildFlags & WatchFlags): string | undefined {
  if (!watch) return '--serve requires --watch';
  const other = check ?? dryRun ?? diff ?? json ?? annotations;
  return other === undefined
    ? undefined
    : "--watch can't be combined with --check, --dry-run, --diff, --json or --annotations";
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Runs one build at a time. Changes made during a build start another one. */
class BuildLoop {
  readonly #schema: readonly string[];
  readonly #flags: BuildFlags & WatchFlags;
  readonly #io: Io;
  #wake = () => {};
  #isStopped = false;
  #changes = new Set<string>();
  #server: ServedProject | undefined;
  readonly #stamps: () => string;
  /** Stamps of the files as of the last build. */
  #built = '';

  constructor(schema: readonly string[], flags: BuildFlags & WatchFlags, io: Io, stamps: () => string) {
    this.#schema = schema;
    this.#flags = flags;
    this.#io = io;
    this.#stamps = stamps;
    io.onStop?.(() => {
      this.#isStopped = true;
      this.#wake();
    });
  }

  changed(path: string): void {
    this.#changes.add(path);
    this.#wake();
    setTimeout(() => {
      if (!this.#isStopped && this.#stamps() !== this.#built) this.changed(path);
    }, SECOND_LOOK).unref();
  }

  async run(): Promise<void> {
    while (!this.#isStopped) {
      await this.#build([...this.#changes].join(', '));
      if (this.#changes.size === 0) await this.#change();
      await new Promise((settled) => setTimeout(settled, SETTLING_TIME));
    }
    await this.#server?.stop();
  }

  async #change(): Promise<void> {
    await new Promise<void>((resolveChange) => {
      this.#wake = resolveChange;
      if (this.#isStopped || this.#changes.size > 0) resolveChange();
    });
  }

  async #build(changed: string): Promise<void> {
    const { dim } = colorsOf(this.#io.stderr, this.#io);
    const say = (text: string): unknown => this.#io.stderr.write(`${dim(`[${timeOfDay()}]`)} ${text}\n`);
    say(changed === '' ? 'Building …' : `Building: ${changed} changed …`);
    this.#changes.clear();
    this.#built = this.#stamps();
    const started = performance.now();
    const report = await runBuild(this.#schema, this.#flags, this.#io);
    printMessages(report, {}, this.#io);
    this.#io.stdout.write(renderReport(report, colorsOf(this.#io.stdout, this.#io)));
    const milliseconds = Math.round(performance.now() - started);
    say(`${resultOf(report)} in ${milliseconds} ms. Watching ${this.#schema.join(', ')} …`);
    if (report.outcome === 'written') this.#io.stderr.write(nextSteps(report, this.#io));
    if (this.#flags.serve && report.out !== undefined && report.outcome !== 'stopped') this.#serve(report.out, report);
  }

  /** Starts the server, or restarts it with what was written. It watches the files that people edit itself. */
  #serve(out: string, { outcome }: BuildReport): void {
    if (!this.#server) this.#server = serveProject(resolve(this.#io.cwd, out), this.#io);
    else if (outcome === 'written') this.#server.restart();
  }
}

function timeOfDay(): string {
  return new Date().toTimeString().slice(0, 8);
}

function resultOf({ diagnostics, outcome }: BuildReport): string {
  if (hasErrors(diagnostics) || outcome === 'stopped') {
    const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
    return `${errors} ${errors === 1 ? 'error' : 'errors'}: nothing was written`;
  }
  return outcome === 'unchanged' ? 'Nothing to write' : 'Built';
}
