/** Programs that run while a browser is driven. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

export interface Program {
  stop(): Promise<void>;
}

export interface Started extends Program {
  /** What the program has said of the pattern's group `value`. */
  readonly value: string;
}

const PATHS = (process.env['PATH'] ?? '').split(':');

/** The first of the programs that is installed: paths, or names. */
export function findProgram(...programs: readonly string[]): string | undefined {
  return programs
    .flatMap((program) => (program.startsWith('/') ? [program] : PATHS.map((path) => `${path}/${program}`)))
    .find((path) => existsSync(path));
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

/** Starts a program, and waits until its output has the pattern. Throws where it ends before. */
export async function startProgram(
  command: readonly [string, ...string[]],
  pattern: RegExp,
  environment: Readonly<Record<string, string>> = {},
): Promise<Started> {
  const [program, ...args] = command;
  const child = spawn(program, args, { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
  const value = await new Promise<string>((resolve, reject) => {
    let said = '';
    const hear = (text: string) => {
      said += text;
      const found = pattern.exec(said);
      if (found) resolve(found.groups?.['value'] ?? '');
    };
    for (const output of [child.stdout, child.stderr]) output.setEncoding('utf8').on('data', hear);
    child.once('spawn', () => hear(''));
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`${program} has ended: ${said}`)));
  });
  return { value, stop: () => stop(child) };
}
