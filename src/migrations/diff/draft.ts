/** A draft of a migration: changes grouped by phase, and the data that they would lose. */
import type { Change } from '#contract/migrations/change.ts';

/**
 * The phases of a migration, in order. Unneeded tables and columns are dropped early, so that their names are free; those with
 * data to copy are dropped late. Tables of published versions are filled with what has become of drafts. Indexes on altered columns
 * are created last.
 */
const PHASES = [
  'check',
  'dropEarly',
  'renameTable',
  'renameColumn',
  'renameKey',
  'describe',
  'create',
  'add',
  'data',
  'index',
  'unindex',
  'dropLate',
  'alter',
  'publish',
  'indexAltered',
] as const;

export type Phase = (typeof PHASES)[number];

/** Data that a migration would lose, or that may make it fail. */
export interface Loss {
  readonly code:
    | 'drops-type'
    | 'drops-attribute'
    | 'drops-links'
    | 'drops-order'
    | 'drops-locale'
    | 'drops-rules'
    | 'drops-documents'
    | 'changes-type'
    | 'narrows'
    | 'requires'
    | 'unique'
    | 'publishes'
    | 'shares'
    | 'lacks-value';
  /** The name for `--allow-destructive`: `article`, `article.body`, `shared.seo.title`, `locales.fr`, `api.format`. */
  readonly thing: string;
  /** The consequence, as a sentence without its full stop. */
  readonly message: string;
  /** How to keep the data. */
  readonly hint: string;
  /** Candidates for the location in the schema; the first one that exists is shown. */
  readonly places: readonly string[];
}

export interface Draft {
  readonly add: (phase: Phase, change: Change) => void;
  readonly lose: (loss: Loss) => void;
  readonly losses: readonly Loss[];
  /** All changes, in execution order. */
  readonly changes: () => readonly Change[];
}

/** Creates an empty draft. */
export function createDraft(): Draft {
  const phases = new Map<Phase, Change[]>(PHASES.map((phase) => [phase, []]));
  const losses: Loss[] = [];
  return {
    add: (phase, change) => void phases.get(phase)?.push(change),
    lose: (loss) => {
      const isKnown = losses.some(({ thing, code }) => thing === loss.thing && code === loss.code);
      if (!isKnown) losses.push(loss);
    },
    losses,
    changes: () => [...phases.values()].flat(),
  };
}
