/** The content of `plan.json`, in the format that is written now. */
import type { SqlEngine } from '../sql/tokens.ts';
import type { Change } from './change.ts';
import type { Rename } from './rename.ts';
import type { EngineScripts } from './script.ts';

export type Scripts = Readonly<Partial<Record<SqlEngine, EngineScripts>>>;

export type { Rename };

/** A migration. Folding the changes of all migrations over the empty model gives the current state. */
export interface MigrationPlan {
  readonly format: 3;
  /** The folder name: `0001_create_article_author_1f2e3d4c`. */
  readonly name: string;
  /** The renames in the schema that this migration carries out. */
  readonly renames?: readonly Rename[];
  /** Name swaps that earlier migrations carried out, and whose `renamedFrom` was removed from the schema. */
  readonly takenOut?: readonly Rename[];
  /** The location of each cause in the schema: `article.title` → `schema.yaml:12`. */
  readonly sources?: Readonly<Record<string, string>>;
  /**
   * For a migration in two parts: after `expand`, servers of the previous version and of this one work side by side; `contract` ends
   * that, and runs once no server of the previous version is left.
   */
  readonly part?: 'expand' | 'contract';
  /** Written in format 1, whose columns don't say which rows must have a value, nor the values of an enumeration. */
  readonly withoutRules?: true;
  /** The SQL is written by hand, and `changes` is empty. */
  readonly handWritten?: true;
  readonly changes: readonly Change[];
  /** How the SQL files run, by engine; absent until a migration with SQL of a team is sealed, and in former formats. */
  readonly scripts?: Scripts;
}
