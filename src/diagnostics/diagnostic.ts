/**
 * A diagnostic tells the user what is wrong, where, why, and what to do next. Stages report diagnostics and throw only
 * for defects of content-gen.
 */

/** A location in a source file. Lines and columns count from 1; a column is one character. */
export interface SourceLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** How many characters of the line the caret underlines. At least 1. */
  readonly length: number;
}

export type Severity = 'error' | 'warning' | 'info';

/** Why a run fails: it decides the exit code. */
export type DiagnosticKind = 'input' | 'refused';

export interface Diagnostic {
  /** Stable, greppable: `relation/missing-inverse`. All are listed in `codes.ts`. */
  readonly code: string;
  readonly severity: Severity;
  /** Defaults to `input` (exit 2). `refused` (exit 3): a hand-edited file, a destructive change. */
  readonly kind?: DiagnosticKind;
  /** What is wrong, naming the value found and what was expected. */
  readonly message: string;
  readonly location?: SourceLocation;
  /** The generated file that it is about, relative to the project. */
  readonly path?: string;
  /** Related locations, such as the first definition of something that is defined twice. */
  readonly related?: readonly { readonly message: string; readonly location: SourceLocation }[];
  /** What to do next: the line to write, the nearest name, the command to run. */
  readonly hint?: string;
}

/** The result of a stage: it has a value only if there were no errors. */
export interface Result<T> {
  readonly value: T | undefined;
  readonly diagnostics: readonly Diagnostic[];
}
