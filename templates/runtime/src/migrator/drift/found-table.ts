/** A table as described by the catalogue of a database. */
export interface FoundColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  /** The default as the catalogue shows it. */
  readonly default: string | undefined;
}

export interface FoundIndex {
  readonly name: string;
  /** In order; undefined stands for an expression. */
  readonly columns: (string | undefined)[];
  readonly unique: boolean;
  /** Whether it covers all rows and is valid: PostgreSQL keeps an index that it could not complete. */
  readonly whole: boolean;
}

export interface FoundKey {
  /** Undefined on SQLite, whose catalogue shows no names. */
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

/** Collects tables part by part, by their names. */
export class FoundTables {
  readonly tables = new Map<string, FoundTable>();

  /** Returns the table of that name, adding it if needed. */
  of(name: string): FoundTable {
    const known = this.tables.get(name);
    if (known) return known;
    const table = { name, primaryKey: [], columns: [], indexes: [], foreignKeys: [], triggers: [] };
    this.tables.set(name, table);
    return table;
  }

  /** Adds the next column of an index; the columns of one index must be added in succession. */
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
