/** A value of an enumeration, and the one that takes its place. */
export interface ValueChange {
  readonly from: string;
  readonly to: string;
}
