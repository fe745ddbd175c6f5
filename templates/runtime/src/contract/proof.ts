/** The proof of the rules of a project, which its runtime offers to `content-gen prove` and to the project's own tests. */

export interface ProofOptions {
  /** How many requests are compared. */
  readonly cases: number;
  /** Of the random numbers: the same seed compares the same requests. */
  readonly seed: number;
  /**
   * The URL of a database on PostgreSQL or MariaDB whose user may create others beside it, which are dropped afterwards. Absent:
   * SQLite files.
   */
  readonly databaseUrl?: string | undefined;
  /** Gets the number of compared requests. */
  readonly onProgress?: (done: number, total: number) => void;
}

export interface Proof {
  /** How many requests were compared. */
  readonly cases: number;
  /** How many of them were answered with content. */
  readonly answered: number;
  /** The requests whose answers differed, and how, for people to read. */
  readonly failures: readonly string[];
}
