/** Where the list of a relation is found: which entry has it, and behind which components. */

/** A step into a component; `item` is the id of one item of a repeatable component or a zone. */
export interface ComponentStep {
  readonly attribute: string;
  readonly item: number;
  /** The uid of the component of a dynamic zone's item. */
  readonly zoneComponent?: string | undefined;
}

export interface RelationPlace {
  readonly endpoint: string;
  /** Absent of a single type. */
  readonly id?: number | string | undefined;
  readonly locale?: string | undefined;
  readonly steps: readonly ComponentStep[];
  readonly attribute: string;
}
