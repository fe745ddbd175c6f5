/** The schemas in `fixtures/` and the trees that they must give. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './project.ts';

/** One build: of a fixture that is built once, or of one that evolves. */
export interface Step {
  /** Absolute. */
  readonly schema: string;
  /** Folder of the tree that the project must be after this build. Absolute. */
  readonly expected: string;
}

export interface Fixture {
  readonly name: string;
  /** Builds of the same project, one after the other. */
  readonly steps: readonly Step[];
}

const FOLDER = join(root, 'fixtures');

/** `schema.yaml` gives `expected/`; of several builds `schema-1.yaml` gives `expected/1/`, and so on. */
function stepsOf(folder: string): readonly Step[] {
  const names = readdirSync(folder)
    .filter((name) => /^schema(?:-\d)?\.yaml$/.test(name))
    .sort();
  return names.map((name) => {
    const number = /\d/.exec(name)?.[0] ?? '';
    return { schema: join(folder, name), expected: join(folder, 'expected', number) };
  });
}

/** All fixtures with an expected tree. `fixtures/invalid` has schemas that are refused; others are only run. */
export const fixtures: readonly Fixture[] = readdirSync(FOLDER)
  .sort()
  .filter((name) => existsSync(join(FOLDER, name, 'expected')))
  .map((name) => ({ name, steps: stepsOf(join(FOLDER, name)) }));

/** Name → folder of every tree, also of those between two builds: `evolution-1`. */
export const trees: ReadonlyMap<string, string> = new Map(
  fixtures.flatMap(({ name, steps }) =>
    steps.map(({ expected }, index) => [steps.length > 1 ? `${name}-${index + 1}` : name, expected] as const),
  ),
);
