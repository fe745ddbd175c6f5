/** `content-gen prove`: whether what the rules of a project hide can be told from any answer of its server. */
import { resolve } from 'node:path';
import { visibleText } from '../diagnostics/visible-text.ts';
import { isRefusal } from '../strapi-content/command-refused.ts';
import type { Io } from './io.ts';
import { loadProof } from './load-project.ts';
import { createProgress } from './progress.ts';

export const PROVE_EXIT = {
  done: 0,
  /** The command failed, or an answer tells what is hidden. */
  failed: 1,
  refused: 3,
} as const;

export interface ProveFlags {
  /** The folder of the project. */
  readonly project: string;
  readonly cases: number;
  readonly seed: number;
  /** The URL of a database server to prove it on. */
  readonly database?: string;
}

function printed(text: string): string {
  return `${text.split('\n').map(visibleText).join('\n')}\n`;
}

export async function proveCommand({ project, cases, seed, database }: ProveFlags, io: Io): Promise<number> {
  const progress = createProgress(io.stderr);
  try {
    const prove = await loadProof(resolve(io.cwd, project));
    const proof = await prove({
      cases,
      seed,
      databaseUrl: database,
      onProgress: (done, total) => progress.report('requests', done, total),
    });
    progress.clear();
    if (proof.failures.length > 0) {
      io.stdout.write(printed(proof.failures.join('\n\n')));
      io.stderr.write(printed(`Answers tell what rules hide: see above. To repeat it: --seed ${seed}`));
      return PROVE_EXIT.failed;
    }
    const fewer = proof.cases < cases ? ', as rules hide little of random content' : '';
    io.stdout.write(`${proof.cases} requests were compared${fewer}: no answer tells what rules hide.\n`);
    return PROVE_EXIT.done;
  } catch (error) {
    progress.clear();
    io.stderr.write(printed(error instanceof Error ? error.message : String(error)));
    return isRefusal(error) ? PROVE_EXIT.refused : PROVE_EXIT.failed;
  }
}
