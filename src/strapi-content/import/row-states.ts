/** The states of this server in which a row of the archive is an entry: as a draft, as what is published, or as both. */
export const DRAFT = 1;
export const PUBLISHED = 2;
export const BOTH = DRAFT | PUBLISHED;

/** One state that rows are written for. */
export type State = typeof DRAFT | typeof PUBLISHED;

/** Whether a row with these states is written for one of them. */
export function isIn(states: number, state: State): boolean {
  return (states & state) !== 0;
}
