// How long builds of a large schema take, and what memory: `node test/scale.js [types…]`, by default 250. Nothing is asserted:
// figures depend on the machine. `user` is processor time, of all threads.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { manyTypes } from './support/many-types.js';

const BIN = fileURLToPath(new URL('../bin/content-gen.js', import.meta.url));

/** Loaded into the measured process: tells what it used when it ends. */
const REPORT = `process.on('exit', () => console.error('usage ' + JSON.stringify(process.resourceUsage())));`;

async function measure(title, cwd) {
  const start = performance.now();
  const { exitCode, stdout, stderr } = await execa(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(REPORT)}`, BIN, 'build', 'schema.yaml', '--out', 'project'],
    { cwd, reject: false },
  );
  if (exitCode !== 0) throw new Error(stderr.slice(0, 2000));
  const seconds = (performance.now() - start) / 1000;
  const usage = JSON.parse(/^usage (.*)$/m.exec(stderr)[1]);
  const columns = [
    title.padEnd(20),
    `${seconds.toFixed(2)} s`.padStart(9),
    `user ${(usage.userCPUTime / 1e6).toFixed(2)} s`.padStart(13),
    `system ${(usage.systemCPUTime / 1e6).toFixed(2)} s`.padStart(14),
    `${Math.round(usage.maxRSS / 1024)} MB`.padStart(8),
  ];
  console.log(`${columns.join('  ')}   ${stdout.trim().split('\n').at(-1)}`);
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
