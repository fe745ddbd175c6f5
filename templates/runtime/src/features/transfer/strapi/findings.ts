/** What an import finds that a person has to know: counted by what it is, with examples. */

/**
 * `left`: content that doesn't come along. `nothing`: what was in the archive, but of no entry: the exporting server didn't show
 * it either. `changed`: kept in another form. `invalid`: kept as it is, though a request with it would be refused.
 */
export type FindingKind = 'left' | 'nothing' | 'changed' | 'invalid';

export interface Finding {
  readonly kind: FindingKind;
  /** What it is, the same for all that are counted together: `links to entries that are not in the archive`. */
  readonly what: string;
  readonly count: number;
  /** Where, each with what is to be said of it. */
  readonly examples: readonly string[];
}

/** How many places of each kind are kept. */
const MAX_EXAMPLES = 1000;

export interface Findings {
  add(kind: FindingKind, what: string, where?: string, count?: number): void;
  all(): readonly Finding[];
  has(kind: FindingKind): boolean;
}

export function createFindings(): Findings {
  const found = new Map<string, { kind: FindingKind; what: string; count: number; examples: string[] }>();
  return {
    add(kind, what, where, count = 1) {
      const key = `${kind} ${what}`;
      const finding = found.get(key) ?? { kind, what, count: 0, examples: [] };
      finding.count += count;
      if (where !== undefined && finding.examples.length < MAX_EXAMPLES) finding.examples.push(where);
      found.set(key, finding);
    },
    all: () => [...found.values()],
    has: (kind) => [...found.values()].some((finding) => finding.kind === kind),
  };
}
