/** What an archive may cost before it is refused. */

const MIB = 2 ** 20;
const GIB = 2 ** 30;

export interface ArchiveLimits {
  /** Files and folders. */
  readonly entries: number;
  /** Unpacked size of everything, in bytes. */
  readonly total: number;
  /** Unpacked size of metadata.json and the schemas, each kept in memory, in bytes. */
  readonly kept: number;
  /** Length of a line, in bytes. */
  readonly line: number;
  /** Unpacked bytes for each packed one. Checked once `ratioFrom` bytes are unpacked. */
  readonly ratio: number;
  readonly ratioFrom: number;
  /** Levels of nested lists and objects in a line. */
  readonly depth: number;
}

/** Far above what projects have: Strapi itself writes no line of more than 256 MB. */
export const DEFAULT_LIMITS: ArchiveLimits = {
  entries: 2_000_000,
  total: 512 * GIB,
  kept: 256 * MIB,
  line: 64 * MIB,
  ratio: 300,
  ratioFrom: 64 * MIB,
  depth: 200,
};
