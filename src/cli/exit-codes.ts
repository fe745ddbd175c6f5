/** The exit codes, which `--help` lists. */
import type { BuildReport } from '../build.ts';

export const EXIT = {
  /** Done, or nothing to do. */
  done: 0,
  /** A defect of content-gen. */
  defect: 1,
  /** The schema or the command line is wrong. */
  input: 2,
  /** The build refused to write: an edited file, a destructive change, a disk error. */
  refused: 3,
  /** `--check` found a difference. */
  difference: 4,
} as const;

/** The exit code of a build. With `--check`, every error except those in the schema itself counts as a difference. */
export function exitCodeOf({ diagnostics, mode }: BuildReport): number {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.some(({ kind }) => kind !== 'refused')) return EXIT.input;
  if (errors.length === 0) return EXIT.done;
  return mode === 'check' ? EXIT.difference : EXIT.refused;
}
