// Build times of the generator by number of types, the time to type-check its output, and the start-up time of the server.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manyTypes } from '../support/many-types.js';
import { measureBuild, measureProgram } from '../support/measure-build.js';
import { output, root } from './paths.js';
import { compileProject, linkRuntime } from './project.js';
import { migrate, startGenerated } from './servers.js';
import { median } from './statistics.js';

const COUNTS = [10, 100, 250, 1000];
const QUICK_COUNTS = [10, 100];
/** The TypeScript version of generated projects, and the native compiler. */
const COMPILERS = { 6: 'node_modules/typescript/bin/tsc', 7: 'node_modules/typescript-7.0/bin/tsc' };

/** How a frontend uses the client: a list that is typed by its query, two relations deep. */
const PAGE = `import { createClient } from './client/index.js';
const api = createClient({ baseUrl: 'http://127.0.0.1:1337/api' });
const { data } = await api.thing_0003s.find({
  fields: ['title'],
  filters: { title: { $contains: 'a' }, previous: { title: 'b' } },
  sort: ['title:desc'],
  populate: { previous: { fields: ['title'] }, others: { populate: ['following'] } },
});
export const title = data[0]?.attributes.others.data[0]?.attributes.following.data[0]?.attributes.title;
`;

/**
 * CPU time to type-check a project with a page that uses its client, relative to the project alone. The runs alternate, as the
 * machine may be busy. Both include the types of browsers.
 */
async function measureClient(project, compiler, rounds) {
  writeFileSync(join(project, 'page.ts'), PAGE);
  const config = (name, more) => {
    const compilerOptions = { rootDir: '.', lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'] };
    const include = ['src/**/*.ts', ...more];
    writeFileSync(
      join(project, `${name}.json`),
      JSON.stringify({ extends: './tsconfig.json', compilerOptions, include }),
    );
  };
  config('server', []);
  config('both', ['page.ts']);
  const time = async (name) => {
    const args = [join(root, compiler), '--noEmit', '--incremental', 'false', '-p', `${name}.json`];
    const { user, system } = await measureProgram(args, project);
    return user + system;
  };
  const times = { server: [], both: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const name of Object.keys(times)) times[name].push(await time(name));
  }
  return median(times.both) / median(times.server);
}

/** Milliseconds from the start of the process to its first list, on an SQLite file without entries. */
async function measureStart(project, starts) {
  await compileProject(project);
  const url = `sqlite:${join(project, 'data.db')}`;
  await migrate(project, url);
  const times = [];
  for (let index = 0; index < starts; index += 1) {
    const server = await startGenerated(project, url, { path: '/api/thing-0003s' });
    times.push(server.firstAnswer);
    await server.stop();
  }
  return median(times);
}

async function measureCount(count, { quick }) {
  const folder = join(output, 'builds', String(count));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(join(folder, 'schema.yaml'), manyTypes(count));
    const first = await measureBuild(folder);
    const unchanged = await measureBuild(folder);
    writeFileSync(join(folder, 'schema.yaml'), manyTypes(count, { longer: true }));
    const attribute = await measureBuild(folder);
    const project = join(folder, 'project');
    linkRuntime(project);
    const check = (compiler) => measureProgram([join(root, compiler), '--noEmit', '-p', '.'], project);
    const checks = { check6: await check(COMPILERS[6]), check7: await check(COMPILERS[7]) };
    const client = await measureClient(project, COMPILERS[6], quick ? 3 : 7);
    const start = await measureStart(project, quick ? 3 : 7);
    return { count, first, unchanged, attribute, ...checks, client, start };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function measureBuilds({ options, say }) {
  const results = [];
  for (const count of options.quick ? QUICK_COUNTS : COUNTS) {
    say(`  ${count} types`);
    const result = await measureCount(count, options);
    say(
      `    type check with the client to without: ${result.client.toFixed(2)}; start: ${Math.round(result.start)} ms`,
    );
    results.push(result);
  }
  return results;
}
