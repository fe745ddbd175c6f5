import type { Attribute } from '../model/model.ts';

/** Props of every field component. */
export interface FieldProps<A extends Attribute = Attribute> {
  /** Its path in the form: `title`, `links.0.url`. */
  readonly source: string;
  readonly name: string;
  readonly attribute: A;
}
