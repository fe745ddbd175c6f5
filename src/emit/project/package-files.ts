/** `package.json` and `tsconfig.json` of the generated project. */
import type { ContentModel } from '../../model/content-model.ts';
import type { GeneratedFile } from '../../files/generated-file.ts';
import type { Json } from '../json.ts';
import { jsonFile } from '../managed-file.ts';

/** Runs what is compiled, or the sources: `templates/runtime/bin/command.js`. */
function command(name: string): string {
  return `node runtime/bin/command.js ${name}`;
}

function hasRegex({ contentTypes, components }: ContentModel): boolean {
  const attributes = [...contentTypes, ...components].flatMap((owner) => owner.attributes);
  return attributes.some((attribute) => attribute.kind === 'scalar' && attribute.regex !== undefined);
}

/** The scripts and packages of a project. */
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
    // Makes the smaller copies of images; a platform that it has no binary for does without.
    ...(hasFiles ? { optionalDependencies: { sharp: '^0.35.5' } } : {}),
    devDependencies: {
      '@types/koa': '^3.0.0',
      '@types/node': '^20.19.0',
      // Makes texts for regular expressions: npm run seed -- --random.
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
    // Beside what it tells about, so that whoever deletes the one deletes the other.
    tsBuildInfoFile: 'dist/.tsbuildinfo',
  },
  include: ['src/**/*.ts'],
  references: [{ path: './runtime' }],
};

export function packageFiles(model: ContentModel): GeneratedFile[] {
  return [jsonFile('package.json', 'once', packageJson(model)), jsonFile('tsconfig.json', 'once', TSCONFIG)];
}
