/** A difference between a database and what its migrations have made. */
export interface Difference {
  /** `undeclared`: it exists, but no migration has made it. */
  readonly kind: 'missing' | 'changed' | 'undeclared';
  readonly of: 'table' | 'column' | 'index' | 'foreign key' | 'primary key' | 'trigger';
  readonly table: string;
  /** Its own name, or those of its columns if it has none. */
  readonly name: string;
  /** A short description: `varchar(255)`, or `is text, should be varchar(255)`. */
  readonly detail: string;
}
