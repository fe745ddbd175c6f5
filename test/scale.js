// How long builds of a large schema take, and what memory: `node test/scale.js [types…]`, by default 250. Nothing is asserted:
// figures depend on the machine. `user` is processor time, of all threads.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manyTypes } from './support/many-types.js';
import { measureBuild } from './support/measure-build.js';

async function measure(title, cwd) {
  const { seconds, user, system, memory, said } = await measureBuild(cwd);
  const columns = [
    title.padEnd(20),
    `${seconds.toFixed(2)} s`.padStart(9),
    `user ${user.toFixed(2)} s`.padStart(13),
    `system ${system.toFixed(2)} s`.padStart(14),
    `${Math.round(memory)} MB`.padStart(8),
  ];
  console.log(`${columns.join('  ')}   ${said}`);
}

async function measureAll(count) {
  const cwd = mkdtempSync(join(tmpdir(), 'content-gen-scale-'));
  try {
    console.log(`${count} types`);
    writeFileSync(join(cwd, 'schema.yaml'), manyTypes(count));
    await measure('  first build', cwd);
    await measure('  unchanged', cwd);
    await measure('  unchanged again', cwd);
    writeFileSync(join(cwd, 'schema.yaml'), manyTypes(count, { longer: true }));
    await measure('  one attribute more', cwd);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

const counts = process.argv.slice(2).map(Number);
for (const count of counts.length > 0 ? counts : [250]) await measureAll(count);
