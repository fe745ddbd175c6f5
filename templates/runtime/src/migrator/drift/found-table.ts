/** A table as the catalogue of a database has it. */
export interface FoundColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  /** The text of its default, as the catalogue shows it. */
  readonly default: string | undefined;
}

export interface FoundIndex {
  readonly name: string;
  /** In their order; undefined: an expression. */
  readonly columns: (string | undefined)[];
  readonly unique: boolean;
  /** Whether it has all rows, and is used: PostgreSQL leaves one that it could not complete. */
  readonly whole: boolean;
}

export interface FoundKey {
  /** Undefined on SQLite, which shows none. */
  readonly name: string | undefined;
  readonly column: string;
  readonly references: string;
  /** In lower case: `cascade`, `set null`. */
  readonly onDelete: string;
}

export interface FoundTrigger {
  readonly name: string;
  readonly enabled: boolean;
}

export interface FoundTable {
  readonly name: string;
  primaryKey: string[];
  readonly columns: FoundColumn[];
  readonly indexes: FoundIndex[];
  readonly foreignKeys: FoundKey[];
  readonly triggers: FoundTrigger[];
}

/** Tables that are found part by part, by their names. */
export class FoundTables {
  readonly tables = new Map<string, FoundTable>();

  /** The table of that name. */
  of(name: string): FoundTable {
    const known = this.tables.get(name);
    if (known) return known;
    const table = { name, primaryKey: [], columns: [], indexes: [], foreignKeys: [], triggers: [] };
    this.tables.set(name, table);
    return table;
  }

  /** Adds the next column of an index; those of one index follow each other. */
  addIndexColumn(
    table: string,
    column: string | undefined,
    { name, unique, whole }: Pick<FoundIndex, 'name' | 'unique' | 'whole'>,
  ): void {
    const { indexes } = this.of(table);
    const last = indexes.at(-1);
    if (last?.name === name) last.columns.push(column);
    else indexes.push({ name, unique, whole, columns: [column] });
  }
}
