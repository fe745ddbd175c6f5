/** `package.json`, and the settings of the compiler and the linter of the generated project. */
import type { ContentModel } from '../../model/content-model.ts';
import type { GeneratedFile } from '../../files/generated-file.ts';
import type { Json } from '../json.ts';
import { jsonFile } from '../managed-file.ts';

function hasRegex({ contentTypes, components }: ContentModel): boolean {
  const attributes = [...contentTypes, ...components].flatMap((owner) => owner.attributes);
  return attributes.some((attribute) => attribute.kind === 'scalar' && attribute.regex !== undefined);
}

/** The package.json of a project: scripts and dependencies. */
export function packageJson(model: ContentModel) {
  const hasFiles = model.contentTypes.some(({ uid }) => uid === 'file');
  return {
    name: model.name,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: '>=20.12' },
    workspaces: ['runtime'],
    scripts: {
      build: 'tsc -b',
      start: 'node runtime/bin/command.js start',
      dev: 'tsx watch --conditions=content-gen-source src/main.ts',
      test: 'node --conditions=content-gen-source --import tsx --test --test-concurrency=1 test/*.test.ts',
      server: 'node runtime/bin/command.js',
      ...(model.costs ? { costs: 'node runtime/bin/command.js costs' } : {}),
      typecheck: 'tsc --noEmit',
      lint: 'oxlint',
      format: 'prettier --write .',
    },
    // As the generated code is formatted.
    prettier: { printWidth: 100, singleQuote: true },
    dependencies: { '@content-gen/runtime': '*' },
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

const TSCONFIG: Json = {
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
  references: [{ path: './runtime' }],
};

const LINT: Json = {
  plugins: ['typescript', 'import', 'node'],
  categories: { correctness: 'error', suspicious: 'warn' },
  ignorePatterns: ['client/', 'dist/', 'runtime/', 'src/generated/'],
};

export function packageFiles(model: ContentModel): GeneratedFile[] {
  return [
    jsonFile('package.json', 'once', packageJson(model)),
    jsonFile('tsconfig.json', 'once', TSCONFIG),
    jsonFile('.oxlintrc.json', 'once', LINT),
  ];
}
