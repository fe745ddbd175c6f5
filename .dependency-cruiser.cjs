/**
 * The stages of the generator: each may import only stages before it in the data flow, and `diagnostics` imports none. `files`
 * (generated files, and hashes) is shared by the last stages.
 */
const MAY_IMPORT = {
  diagnostics: [],
  schema: ['diagnostics'],
  model: ['diagnostics', 'schema'],
  storage: ['diagnostics', 'model'],
  strapi: [],
  'import-strapi': ['diagnostics', 'schema', 'model', 'storage', 'strapi', 'files'],
  'strapi-content': ['storage', 'strapi'],
  files: [],
  migrations: ['diagnostics', 'model', 'storage', 'files'],
  emit: ['diagnostics', 'schema', 'model', 'storage', 'files'],
  output: ['diagnostics', 'files'],
};

/**
 * The layers of the runtime, from the bottom up: each may import those below it. `contract` is pure, and shared by generator and
 * runtime; features may import the layers below them, but not each other.
 */
const LAYERS = [
  'contract',
  'base',
  'database',
  'migrator',
  'storage',
  'write',
  'access',
  'query',
  'content',
  'entries',
  'http',
  'features',
  'server',
  'testing',
];
const RUNTIME = 'templates/runtime/src';

/**
 * The folders of `src/migrations`, in the same way: the existing migrations (`history`), what has changed since (`diff`), the steps
 * to take (`plan`), and their SQL for each engine (`sql`). Quoting and queries in `sql/text` are also used by `diff` and `plan`. The
 * commands next to the folders combine them.
 */
const MIGRATION_FOLDERS = {
  history: ['history'],
  'sql/text': ['sql/text', 'history'],
  diff: ['diff', 'history', 'sql/text'],
  plan: ['plan', 'diff', 'history', 'sql/text'],
  sql: ['sql', 'plan', 'diff', 'history'],
};

module.exports = {
  forbidden: [
    // In generated projects, the types of related entries import each other.
    {
      name: 'no-circular',
      severity: 'error',
      from: { pathNot: '^templates/runtime/test-support/projects/' },
      to: { circular: true },
    },
    ...Object.entries(MAY_IMPORT).map(([stage, allowed]) => ({
      name: `${stage}-imports-only-earlier-stages`,
      comment: `src/${stage} may import ${[stage, ...allowed].join(', ')}`,
      severity: 'error',
      from: { path: `^src/${stage}/`, pathNot: '\\.test\\.ts$' },
      to: { path: `^src/(?!(${[stage, ...allowed].join('|')})/)` },
    })),
    ...Object.entries(MIGRATION_FOLDERS).map(([folder, allowed]) => ({
      name: `migrations-${folder.replace('/', '-')}-imports-only-earlier-folders`,
      comment: `src/migrations/${folder} may import ${allowed.join(', ')}`,
      severity: 'error',
      from: { path: `^src/migrations/${folder}/`, pathNot: '\\.test\\.ts$' },
      to: { path: '^src/migrations/', pathNot: `^src/migrations/(${allowed.join('|')})/` },
    })),
    {
      name: 'only-output-and-loaders-access-the-disk',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '^src/(output|cli)/',
          '^src/schema/load-sources',
          '^src/emit/read-',
          '^src/import-strapi/read-',
          '^src/strapi(-content)?/',
          '\\.test\\.ts$',
        ],
      },
      to: { path: '^(node:)?fs(/promises)?$' },
    },
    {
      name: 'slow-packages-are-imported-lazily',
      comment: 'templates/runtime/src/base/lazy-packages.ts and base/common-js.ts load them',
      severity: 'error',
      from: {
        path: '^templates/runtime/src/',
        // These import the packages lazily, or are themselves loaded on demand.
        pathNot: [
          '/(lazy-packages|common-js)\\.ts$',
          '/upload/file-info\\.ts$',
          '/folders/folder-input\\.ts$',
          '/transfer/',
          '\\.test\\.ts$',
        ],
      },
      to: {
        path: 'node_modules/(zod|qs|raw-body|@koa/cors|@koa/router|koa|pino)/',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    ...LAYERS.map((layer, index) => ({
      name: `runtime-${layer}-imports-only-lower-layers`,
      comment: `${RUNTIME}/${layer} may import ${LAYERS.slice(0, index + 1).join(', ')}`,
      severity: 'error',
      from: { path: `^${RUNTIME}/${layer}/`, pathNot: '\\.test\\.ts$' },
      to: { path: `^${RUNTIME}/(?!(${LAYERS.slice(0, index + 1).join('|')})/)` },
    })),
    {
      name: 'features-do-not-import-each-other',
      severity: 'error',
      from: { path: `^${RUNTIME}/features/([^/]+)/`, pathNot: '\\.test\\.ts$' },
      to: { path: `^${RUNTIME}/features/`, pathNot: `^${RUNTIME}/features/$1/` },
    },
    {
      name: 'contract-is-pure',
      comment: 'the generator and browsers import it, so it imports no packages and no modules of Node',
      severity: 'error',
      from: { path: `^${RUNTIME}/contract/`, pathNot: '\\.test\\.ts$' },
      to: { pathNot: `^${RUNTIME}/contract/` },
    },
    {
      name: 'panel-imports-only-contract',
      comment: 'of the server, templates/admin imports only what browsers can load',
      severity: 'error',
      from: { path: '^templates/admin/' },
      to: { path: '^(src|bin|test|templates)/', pathNot: `^(templates/admin/|${RUNTIME}/contract/)` },
    },
    {
      name: 'runtime-is-self-contained',
      severity: 'error',
      from: { path: '^templates/runtime/' },
      to: { path: '^(src|bin|test|fixtures)/' },
    },
    {
      name: 'only-tests-import-test-support',
      comment: 'templates/runtime/test-support is not part of the built runtime',
      severity: 'error',
      from: { path: `^${RUNTIME}/`, pathNot: '\\.test\\.ts$' },
      to: { path: '^templates/runtime/test-support/' },
    },
    {
      name: 'generator-imports-only-contract',
      comment: `src/ may import only ${RUNTIME}/contract of the runtime, as #contract/…`,
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(templates/runtime|dist)/', pathNot: `^${RUNTIME}/contract/` },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js'],
      conditionNames: ['content-gen-source', 'import', 'node', 'default'],
    },
  },
};
