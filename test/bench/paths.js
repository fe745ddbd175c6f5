// Output folders of the benchmarks, which are not committed.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const output = join(root, '.tmp', 'bench');

mkdirSync(output, { recursive: true });
