/** Verifies the chain of the audit. */
import type { Database } from '../../database/database.ts';
import type { Executor } from '../../database/executor.ts';
import { linksAfter, unlinked } from './audit-rows.ts';
import { type ChainEnd, linkHash, readEnd } from './chain.ts';

const PAGE = 1000;

export interface Verified {
  readonly links: number;
  /** Rows that are no links yet: at most that many are counted. */
  readonly unlinked: number;
  readonly first: number;
  readonly head: ChainEnd;
  /** What is wrong; undefined if nothing is. */
  readonly problem: string | undefined;
}

/** Walks over the links. `noted`: an end of the chain from an earlier verification, which must still be in it. */
async function walk(executor: Executor, anchor: ChainEnd, noted: ChainEnd | undefined) {
  let { position, hash } = anchor;
  let links = 0;
  const problemOf = (): string | undefined =>
    noted && position === noted.position && hash !== noted.hash
      ? `the row at position ${position} is not the one that was noted`
      : undefined;
  for (;;) {
    const rows = await linksAfter(executor, position, PAGE);
    for (const row of rows) {
      const next = position + 1;
      if (row.position !== next) return { links, position, hash, problem: `the row at position ${next} is missing` };
      const expected = linkHash(hash, row, next);
      if (row.hash !== expected) return { links, position, hash, problem: `the row at position ${next} was changed` };
      [position, hash] = [next, expected];
      links += 1;
      const problem = problemOf();
      if (problem !== undefined) return { links, position, hash, problem };
    }
    if (rows.length < PAGE) return { links, position, hash, problem: undefined };
  }
}

function endProblem(end: ChainEnd, head: ChainEnd, noted: ChainEnd | undefined): string | undefined {
  if (end.position !== head.position || end.hash !== head.hash) {
    return `the chain ends at position ${end.position}, but its last row was at ${head.position}`;
  }
  return noted && noted.position > head.position
    ? `the chain ends at position ${head.position}, before the one that was noted`
    : undefined;
}

/** Verifies all rows that are kept, on one state of the database. */
export function verifyChain(database: Database, noted?: ChainEnd): Promise<Verified> {
  return database.snapshot(async (executor) => {
    const [anchor, head] = [await readEnd(executor, 'anchor'), await readEnd(executor, 'head')];
    const { links, problem, ...end } = await walk(executor, anchor, noted);
    const open = await unlinked(executor, PAGE);
    const found = problem ?? endProblem(end, head, noted);
    return { links, unlinked: open.length, first: anchor.position + 1, head, problem: found };
  });
}
