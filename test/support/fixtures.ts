/** The schemas in `fixtures/` and their expected trees. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import typescript from 'typescript';
import type { ContentTypes } from '../../templates/runtime/src/contract/content-type.ts';
import { root } from './project.ts';

/** One build: of a fixture that is built once, or of one that evolves. */
export interface Step {
  /** Absolute. */
  readonly schema: string;
  /** Absolute path of the expected tree after this build. */
  readonly expected: string;
}

export interface Fixture {
  readonly name: string;
  /** Consecutive builds of the same project. */
  readonly steps: readonly Step[];
}

const FOLDER = join(root, 'fixtures');

/** `schema.yaml` gives `expected/`; with several builds `schema-1.yaml` gives `expected/1/`, and so on. */
function stepsOf(folder: string): readonly Step[] {
  const names = readdirSync(folder)
    .filter((name) => /^schema(?:-\d)?\.yaml$/.test(name))
    .sort();
  return names.map((name) => {
    const number = /\d/.exec(name)?.[0] ?? '';
    return { schema: join(folder, name), expected: join(folder, 'expected', number) };
  });
}

/** All fixtures with an expected tree. `fixtures/invalid` has invalid schemas; others are only run. */
export const fixtures: readonly Fixture[] = readdirSync(FOLDER)
  .sort()
  .filter((name) => existsSync(join(FOLDER, name, 'expected')))
  .map((name) => ({ name, steps: stepsOf(join(FOLDER, name)) }));

/** Name → folder of every tree, including intermediate builds: `evolution-1`. */
export const trees: ReadonlyMap<string, string> = new Map(
  fixtures.flatMap(({ name, steps }) =>
    steps.map(({ expected }, index) => [steps.length > 1 ? `${name}-${index + 1}` : name, expected] as const),
  ),
);

/** The descriptors of an expected tree. Imports of the runtime are of types, so that it need not be there. */
export async function descriptorsOf(tree: string): Promise<ContentTypes> {
  const source = readFileSync(join(tree, 'src/generated/database.ts'), 'utf8');
  const compilerOptions = { module: typescript.ModuleKind.ESNext, target: typescript.ScriptTarget.ES2023 };
  const { outputText } = typescript.transpileModule(source, { compilerOptions });
  const module = (await import(`data:text/javascript,${encodeURIComponent(outputText)}`)) as {
    contentTypes: ContentTypes;
  };
  return module.contentTypes;
}
