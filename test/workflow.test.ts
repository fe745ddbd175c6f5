/** The workflow for GitHub in a generated project: it can be read, and what it runs is there. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { main } from '../src/cli/main.ts';
import { temporaryFolder } from './support/output-project.ts';

interface Workflow {
  readonly on: object;
  readonly permissions: object;
  readonly jobs: {
    readonly test: {
      readonly services?: Readonly<Record<string, { readonly image: string }>>;
      readonly steps: readonly { readonly uses?: string; readonly run?: string; readonly env?: object }[];
    };
  };
}

const PATH = 'blog/.github/workflows/content.yml';

async function build(cwd: string, databases: string): Promise<string> {
  const type = 'contentTypes:\n  article:\n    attributes:\n      title: { type: string }\n';
  writeFileSync(join(cwd, 'schema.yaml'), `name: blog\ndatabases: [${databases}]\n${type}`);
  const silent = { write() {} };
  expect(await main(['build', 'schema.yaml'], { stdout: silent, stderr: silent, cwd, env: {} })).toBe(0);
  return readFileSync(join(cwd, PATH), 'utf8');
}

test.each<readonly [string, readonly string[], number]>([
  ['sqlite', [], 1],
  ['postgres', ['postgres'], 1],
  ['sqlite, mysql', ['mysql'], 2],
  ['mysql, postgres', ['postgres', 'mysql'], 2],
])(
  'for %s it starts the servers that are needed, and runs commands that are there',
  async (databases, servers, tests) => {
    const cwd = temporaryFolder();
    const workflow = parse(await build(cwd, databases)) as Workflow;
    expect(Object.keys(workflow.on)).toEqual(['push', 'pull_request']);
    expect(workflow.permissions).toEqual({ contents: 'read' });
    const { services = {}, steps } = workflow.jobs.test;
    expect(Object.keys(services)).toEqual(servers);

    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(1);
    for (const action of used) expect(action).toMatch(/^actions\/[a-z-]+@v\d+$/u);

    const { scripts } = JSON.parse(readFileSync(join(cwd, 'blog/package.json'), 'utf8')) as { scripts: object };
    const commands = steps.flatMap(({ run }) => run ?? []);
    const npm = commands.flatMap((command) => [...command.matchAll(/^npm (?:run )?(\w+)/gmu)].map(([, name]) => name));
    expect(npm).toEqual(['ci', 'build', ...Array.from({ length: tests }, () => 'test')]);
    expect(npm.filter((name = '') => name !== 'ci' && !Object.hasOwn(scripts, name))).toEqual([]);

    const onServers = steps.flatMap(({ run, env }) => (run === 'npm test' && env ? [Object.values(env).join()] : []));
    expect(onServers.map((url) => url.slice(0, url.indexOf(':')))).toEqual(servers);
  },
);

test('it is written once: edits and deletions of the team are kept', async () => {
  const cwd = temporaryFolder();
  await build(cwd, 'sqlite');
  writeFileSync(join(cwd, PATH), 'name: ours\n');
  expect(await build(cwd, 'sqlite, postgres')).toBe('name: ours\n');
  rmSync(join(cwd, PATH));
  await expect(build(cwd, 'sqlite')).rejects.toThrow('ENOENT');
});
