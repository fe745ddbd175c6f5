/** The result of a check. */
export interface Finding {
  readonly state: 'good' | 'warning' | 'bad';
  /** The subject in one word: `database`. */
  readonly about: string;
  /** What was found and, unless it is good, what to do about it. */
  readonly text: string;
}

/** Functions that create findings about one subject. */
export function findingsAbout(about: string) {
  const make =
    (state: Finding['state']) =>
    (text: string): Finding => ({ state, about, text });
  return { good: make('good'), warning: make('warning'), bad: make('bad') };
}

/** The message of an error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
