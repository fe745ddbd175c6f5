/** Findings that people must know about after an import or export, counted by category, with examples. */

/**
 * `left`: content that is not transferred. `nothing`: data in the archive that belongs to no entry, so that the exporting server did not
 * show it either. `changed`: kept in another form. `invalid`: kept as is, although a request with it would be refused.
 */
export type FindingKind = 'left' | 'nothing' | 'changed' | 'invalid';

export interface Finding {
  readonly kind: FindingKind;
  /** The category, such as `links to entries that are not in the archive`. */
  readonly what: string;
  readonly count: number;
  /** Places, with details. */
  readonly examples: readonly string[];
}

/** Maximum number of examples per finding. */
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
