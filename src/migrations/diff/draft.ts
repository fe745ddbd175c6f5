/** A migration while it is being worked out: changes by the phase in which they are made, and what they would lose. */
import type { Change } from '../history/change.ts';

/**
 * The order of a migration. What nobody needs any more goes first, so that its names are free; what data is still to be
 * taken from goes late. An index on a column that is altered is made after that.
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
  'indexAltered',
] as const;

export type Phase = (typeof PHASES)[number];

/** A thing whose data a migration would lose, or that it may fail on. */
export interface Loss {
  readonly code:
    | 'drops-type'
    | 'drops-attribute'
    | 'drops-links'
    | 'drops-order'
    | 'drops-locale'
    | 'changes-type'
    | 'narrows'
    | 'requires'
    | 'unique'
    | 'publishes'
    | 'lacks-value';
  /** What consent is given to by: `article`, `article.body`, `shared.seo.title`, `locales.fr`. */
  readonly thing: string;
  /** What would happen, as a sentence without its end. */
  readonly message: string;
  /** How the data can be kept; several lines. */
  readonly hint: string;
  /** Things to look at for its place in the schema, the first that is there. */
  readonly places: readonly string[];
}

export interface Draft {
  readonly add: (phase: Phase, change: Change) => void;
  readonly lose: (loss: Loss) => void;
  readonly losses: readonly Loss[];
  /** All changes, in the order in which they are made. */
  readonly changes: () => readonly Change[];
}

/** A draft without changes. */
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
