/** What a check of a server has found. */
export interface Finding {
  readonly state: 'good' | 'warning' | 'bad';
  /** One word: `database`. */
  readonly about: string;
  /** What was found; with what to do, unless it is good. */
  readonly text: string;
}

/** Findings about one thing. */
export function findingsAbout(about: string) {
  const make =
    (state: Finding['state']) =>
    (text: string): Finding => ({ state, about, text });
  return { good: make('good'), warning: make('warning'), bad: make('bad') };
}

/** What an error says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
