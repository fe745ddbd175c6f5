/** The commands of a project: which there are, their help, and what is said where one is misspelled. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { definition } from '../../test-support/projects/desk/src/generated/app.ts';
import { command, openProject, type TestProject } from '../../test-support/test-project.ts';
import { runProjectCommand } from './commands.ts';

let project: TestProject;
beforeAll(async () => {
  project = await openProject(definition);
});
afterAll(() => project?.remove());

const run = (...args: readonly string[]) =>
  command(
    project,
    (given) => runProjectCommand({ definition: given, extensions: () => Promise.resolve({}) }, args),
    args,
  );

const NAMES = [
  'backup',
  'data',
  'doctor',
  'explain',
  'files',
  'migrate',
  'openapi',
  'permissions',
  'seed',
  'token',
  'user',
];

test.each([[['--help']], [['-h']], [['help']]])('%j lists all commands on stdout', async (args) => {
  const { code, out, error } = await run(...args);
  expect([code, error]).toEqual([0, '']);
  for (const name of NAMES) expect(out).toMatch(new RegExp(`^  ${name} +\\S`, 'mu'));
});

test.each(NAMES)('%s --help prints its usage, and does nothing', async (name) => {
  for (const args of [['--help'], ['-h'], ['list', '--help']]) {
    const { code, out, error } = await run(name, ...args);
    expect([code, error]).toEqual([0, '']);
    expect(out).toMatch(/^Usage: npm run |^Nothing in the schema refers to files\.\n$/u);
  }
});

test.each([
  [[], 'A command is missing'],
  [['doctr'], 'There is no command doctr; did you mean doctor?'],
  [['migrate'], 'A command is missing'],
  [['migrate', 'stauts'], 'There is no command stauts'],
  [['migrate', 'up', '--tto', 'x'], "up can't take: --tto x"],
  [['migrate', 'accept'], 'accept needs the name of a migration'],
  [['token', 'creat'], 'There is no command creat; did you mean create?'],
  [['permissions', 'statu'], 'There is no command statu; did you mean status?'],
  [['seed', '--randm', '3'], "Unknown option '--randm'; did you mean --random?"],
  [['openapi', 'chek'], 'There is no command chek; did you mean check?'],
])('%j is refused, and says why', async (args, message) => {
  const { code, out, error } = await run(...args);
  expect(code).toBe(2);
  expect(`${out}${error}`.split('\n')[0]).toBe(message);
  expect(`${out}${error}`).toContain('Usage: npm run ');
});
