/** `package.json`, and the settings of the compiler and the linter of the generated project. */
import type { ContentModel } from '../../model/content-model.ts';
import type { GeneratedFile } from '../../files/generated-file.ts';
import type { Json } from '../json.ts';
import { jsonFile } from '../managed-file.ts';
import { readRuntimePackage, SERVER_COMMAND } from './runtime-package.ts';
import { forBothPlaces } from './both-places.ts';

function hasRegex({ contentTypes, components }: ContentModel): boolean {
  const attributes = [...contentTypes, ...components].flatMap((owner) => owner.attributes);
  return attributes.some((attribute) => attribute.kind === 'scalar' && attribute.regex !== undefined);
}

/** The command of the runtime, as scripts run it. */
const COMMANDS = { vendored: 'node runtime/bin/command.js', package: SERVER_COMMAND } as const;

/** The package.json of a project: scripts and dependencies. */
export function packageJson(model: ContentModel) {
  const isVendored = model.runtime === 'vendored';
  const command = COMMANDS[model.runtime];
  const hasFiles = model.contentTypes.some(({ uid }) => uid === 'file');
  return {
    name: model.name,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: '>=20.12' },
    ...(isVendored ? { workspaces: ['runtime'] } : {}),
    scripts: {
      build: 'tsc -b',
      start: `${command} start`,
      dev: 'tsx watch --conditions=content-gen-source src/main.ts',
      test: 'node --conditions=content-gen-source --import tsx --test --test-concurrency=1 test/*.test.ts',
      server: command,
      ...(model.costs ? { costs: `${command} costs` } : {}),
      typecheck: 'tsc --noEmit',
      lint: 'oxlint',
      format: 'prettier --write .',
    },
    // As the generated code is formatted.
    prettier: { printWidth: 100, singleQuote: true },
    dependencies: { '@content-gen/runtime': isVendored ? '*' : readRuntimePackage().version },
    // sharp resizes images. Optional: on platforms without a binary, there are no smaller copies.
    ...(hasFiles ? { optionalDependencies: { sharp: '^0.35.5' } } : {}),
    devDependencies: {
      '@types/koa': '^3.0.0',
      '@types/node': '^20.19.0',
      // Generates strings that match a regular expression, for `npm run server -- seed --random`.
      ...(hasRegex(model) ? { 'fast-check': '^4.10.0' } : {}),
      oxlint: '^1.0.0',
      prettier: '^3.0.0',
      tsx: '^4.23.0',
      typescript: '~6.0.3',
    },
  };
}

const TSCONFIG = {
  compilerOptions: {
    target: 'ES2023',
    lib: ['ES2023'],
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    types: ['node'],
    rootDir: 'src',
    outDir: 'dist',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noImplicitOverride: true,
    noFallthroughCasesInSwitch: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
    skipLibCheck: true,
    sourceMap: true,
    incremental: true,
    // In the output folder, so that deleting the output deletes this too.
    tsBuildInfoFile: 'dist/.tsbuildinfo',
  },
  include: ['src/**/*.ts'],
};

/** An ejected runtime is compiled, too. */
function tsconfig({ runtime }: ContentModel): Json {
  return runtime === 'vendored' ? { ...TSCONFIG, references: [{ path: './runtime' }] } : TSCONFIG;
}

const LINT: Json = {
  plugins: ['typescript', 'import', 'node'],
  categories: { correctness: 'error', suspicious: 'warn' },
  ignorePatterns: ['client/', 'dist/', 'runtime/', 'src/generated/'],
};

export function packageFiles(model: ContentModel): GeneratedFile[] {
  return [
    forBothPlaces(model, (own) => jsonFile('package.json', 'once', packageJson(own))),
    forBothPlaces(model, (own) => jsonFile('tsconfig.json', 'once', tsconfig(own))),
    jsonFile('.oxlintrc.json', 'once', LINT),
  ];
}
