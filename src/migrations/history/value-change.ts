/** A value of an enumeration and its replacement. */
export interface ValueChange {
  readonly from: string;
  readonly to: string;
}
