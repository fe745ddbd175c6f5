/** What a run has to say to a person: what, where, why, and what to do next. Stages report diagnostics; only defects of ours throw. */

/** A place in a source file. Lines and columns count from 1, columns in characters. */
export interface SourceLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** How many characters of the line the caret underlines. At least 1. */
  readonly length: number;
}

export type Severity = 'error' | 'warning' | 'info';

/** Why a run refuses: it decides the exit code. */
export type DiagnosticKind = 'input' | 'refused';

export interface Diagnostic {
  /** Stable, greppable: `relation/missing-inverse`. All are listed in `codes.ts`. */
  readonly code: string;
  readonly severity: Severity;
  /** `input` (exit 2) unless said otherwise; `refused` (exit 3): a hand-edited file, a destructive change. */
  readonly kind?: DiagnosticKind;
  /** What is wrong, naming the value found and what was expected. */
  readonly message: string;
  readonly location?: SourceLocation;
  /** Further places that belong to it, such as the first definition of a thing defined twice. */
  readonly related?: readonly { readonly message: string; readonly location: SourceLocation }[];
  /** What to do next: the line to write, the nearest name, the command to run. */
  readonly hint?: string;
}

/** The result of a stage: a value only if nothing of it failed. */
export interface Result<T> {
  readonly value: T | undefined;
  readonly diagnostics: readonly Diagnostic[];
}
