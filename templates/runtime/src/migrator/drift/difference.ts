/** One thing of a database that is not as migrations have left it. */
export interface Difference {
  /** `undeclared`: it is there, and no migration has made it. */
  readonly kind: 'missing' | 'changed' | 'undeclared';
  readonly of: 'table' | 'column' | 'index' | 'foreign key' | 'primary key' | 'trigger';
  readonly table: string;
  /** Its own name; the names of its columns where it has none. */
  readonly name: string;
  /** In a few words: `varchar(255)`, or `is text, and was made varchar(255)`. */
  readonly detail: string;
}
