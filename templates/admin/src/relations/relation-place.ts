/** Locates a relation: its entry, and the components on the way to it. */

/** A step into a component; `item` is the id of one item of a repeatable component or a zone. */
export interface ComponentStep {
  readonly attribute: string;
  readonly item: number;
  /** The uid of the component of a dynamic zone's item. */
  readonly zoneComponent?: string | undefined;
}

export interface RelationPlace {
  readonly endpoint: string;
  /** Absent for single types. */
  readonly id?: number | string | undefined;
  readonly locale?: string | undefined;
  readonly steps: readonly ComponentStep[];
  readonly attribute: string;
}
