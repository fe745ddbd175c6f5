/** Limits of archives, against malicious ones. */

const MIB = 2 ** 20;
const GIB = 2 ** 30;

export interface ArchiveLimits {
  /** Number of files and folders. */
  readonly entries: number;
  /** Unpacked size of everything, in bytes. */
  readonly total: number;
  /** Unpacked size of what is kept in memory, in bytes: of metadata.json, and of the schemas with the configuration. */
  readonly kept: number;
  /** Length of a line, in bytes. */
  readonly line: number;
  /** Unpacked bytes per packed byte. Checked once `ratioFrom` bytes are unpacked. */
  readonly ratio: number;
  readonly ratioFrom: number;
  /** Nesting of arrays and objects in a line. */
  readonly depth: number;
}

/** Far beyond the needs of real projects: Strapi limits each of its JSONL files to 256 MB. */
export const DEFAULT_LIMITS: ArchiveLimits = {
  entries: 2_000_000,
  total: 512 * GIB,
  kept: 256 * MIB,
  line: 64 * MIB,
  ratio: 300,
  ratioFrom: 64 * MIB,
  depth: 200,
};
