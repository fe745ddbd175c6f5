/** `package.json` and `tsconfig.json` of the generated project. */
import type { ContentModel } from '../../model/content-model.ts';
import type { GeneratedFile } from '../../files/generated-file.ts';
import type { Json } from '../json.ts';
import { jsonFile } from '../managed-file.ts';

/** Runs the compiled code, or else the sources: see `templates/runtime/bin/command.js`. */
function command(name: string): string {
  return `node runtime/bin/command.js ${name}`;
}

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
      start: command('start'),
      dev: 'tsx watch --conditions=content-gen-source src/main.ts',
      test: 'node --conditions=content-gen-source --import tsx --test --test-concurrency=1 test/*.test.ts',
      migrate: command('migrate'),
      token: command('token'),
      user: command('user'),
      permissions: command('permissions'),
      data: command('data'),
      files: command('files'),
      explain: command('explain'),
      seed: command('seed'),
      openapi: command('openapi'),
      doctor: command('doctor'),
      ...(model.databases.includes('sqlite') ? { backup: command('backup') } : {}),
    },
    dependencies: { '@content-gen/runtime': '*' },
    // sharp resizes images. Optional: on platforms without a binary, there are no smaller copies.
    ...(hasFiles ? { optionalDependencies: { sharp: '^0.35.5' } } : {}),
    devDependencies: {
      '@types/koa': '^3.0.0',
      '@types/node': '^20.19.0',
      // Generates strings that match a regular expression, for `npm run seed -- --random`.
      ...(hasRegex(model) ? { 'fast-check': '^4.10.0' } : {}),
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

export function packageFiles(model: ContentModel): GeneratedFile[] {
  return [jsonFile('package.json', 'once', packageJson(model)), jsonFile('tsconfig.json', 'once', TSCONFIG)];
}
