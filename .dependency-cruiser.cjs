/**
 * The direction of dependencies: every stage knows the ones before it in the way of the data, never those after it,
 * and `diagnostics` knows nobody. `files` is what the last ones have in common: generated files, and hashes.
 */
const MAY_IMPORT = {
  diagnostics: [],
  schema: ['diagnostics'],
  model: ['diagnostics', 'schema'],
  storage: ['diagnostics', 'model'],
  'import-strapi': ['diagnostics', 'schema', 'model', 'storage'],
  files: [],
  migrations: ['diagnostics', 'model', 'storage', 'files'],
  emit: ['diagnostics', 'schema', 'model', 'storage', 'files'],
  output: ['diagnostics', 'files'],
};

/**
 * The layers of the runtime, from the ground up: each may import those below it. `contract` is pure, and what generator and runtime
 * both know; features know what is below them, and not each other.
 */
const LAYERS = [
  'contract',
  'base',
  'strapi',
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
 * The rooms of `src/migrations`, in the same way: what was (`history`), what is another now (`diff`), what is done about it
 * (`plan`), and how an engine does that (`sql`). Quoting and queries of `sql/text` are for all of them. The commands beside
 * the rooms put them together.
 */
const MIGRATION_ROOMS = {
  history: ['history'],
  'sql/text': ['sql/text', 'history'],
  diff: ['diff', 'history', 'sql/text'],
  plan: ['plan', 'diff', 'history', 'sql/text'],
  sql: ['sql', 'plan', 'diff', 'history'],
};

module.exports = {
  forbidden: [
    // Types of entries that are related to each other import one another.
    {
      name: 'no-circular',
      severity: 'error',
      from: { pathNot: '^templates/runtime/test-support/projects/' },
      to: { circular: true },
    },
    ...Object.entries(MAY_IMPORT).map(([stage, allowed]) => ({
      name: `${stage}-knows-only-earlier-stages`,
      comment: `src/${stage} may import ${[stage, ...allowed].join(', ')}`,
      severity: 'error',
      from: { path: `^src/${stage}/`, pathNot: '\\.test\\.ts$' },
      to: { path: `^src/(?!${[stage, ...allowed].join('|')})` },
    })),
    ...Object.entries(MIGRATION_ROOMS).map(([room, allowed]) => ({
      name: `migrations-${room.replace('/', '-')}-knows-only-earlier-rooms`,
      comment: `src/migrations/${room} may import ${allowed.join(', ')}`,
      severity: 'error',
      from: { path: `^src/migrations/${room}/`, pathNot: '\\.test\\.ts$' },
      to: { path: '^src/migrations/', pathNot: `^src/migrations/(${allowed.join('|')})/` },
    })),
    {
      name: 'only-output-and-loaders-touch-the-disk',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '^src/(output|cli)/',
          '^src/schema/load-sources',
          '^src/emit/read-',
          '^src/import-strapi/read-',
          '\\.test\\.ts$',
        ],
      },
      to: { path: '^(node:)?fs(/promises)?$' },
    },
    {
      name: 'packages-that-cost-a-start-are-not-imported',
      comment: 'templates/runtime/src/base/lazy-packages.ts and base/common-js.ts load them',
      severity: 'error',
      from: {
        path: '^templates/runtime/src/',
        // They load them so, or are loaded late themselves.
        pathNot: ['/(lazy-packages|common-js)\\.ts$', '/upload/file-info\\.ts$', '/transfer/', '\\.test\\.ts$'],
      },
      to: {
        path: 'node_modules/(zod|qs|raw-body|@koa/cors|@koa/router|koa|pino)/',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    ...LAYERS.map((layer, index) => ({
      name: `runtime-${layer}-knows-only-what-is-below`,
      comment: `${RUNTIME}/${layer} may import ${LAYERS.slice(0, index + 1).join(', ')}`,
      severity: 'error',
      from: { path: `^${RUNTIME}/${layer}/`, pathNot: '\\.test\\.ts$' },
      to: { path: `^${RUNTIME}/(?!(${LAYERS.slice(0, index + 1).join('|')})/)` },
    })),
    {
      name: 'features-do-not-know-each-other',
      severity: 'error',
      from: { path: `^${RUNTIME}/features/([^/]+)/`, pathNot: '\\.test\\.ts$' },
      to: { path: `^${RUNTIME}/features/`, pathNot: `^${RUNTIME}/features/$1/` },
    },
    {
      name: 'contract-is-pure',
      comment: 'it is imported by the generator and by browsers: no package, and nothing of Node',
      severity: 'error',
      from: { path: `^${RUNTIME}/contract/`, pathNot: '\\.test\\.ts$' },
      to: { pathNot: `^${RUNTIME}/contract/` },
    },
    {
      name: 'runtime-stands-alone',
      severity: 'error',
      from: { path: '^templates/runtime/' },
      to: { path: '^(src|bin|test|fixtures)/' },
    },
    {
      name: 'what-supports-tests-is-for-tests',
      comment: 'templates/runtime/test-support is no part of the built runtime',
      severity: 'error',
      from: { path: `^${RUNTIME}/`, pathNot: '\\.test\\.ts$' },
      to: { path: '^templates/runtime/test-support/' },
    },
    {
      name: 'strapi-stands-alone',
      comment: 'the generator is compiled with it: it imports nothing else of the runtime',
      severity: 'error',
      from: { path: `^${RUNTIME}/strapi/`, pathNot: '\\.test\\.ts$' },
      to: { path: `^${RUNTIME}/(?!(strapi|contract)/)` },
    },
    {
      name: 'generator-knows-contract-and-archives-alone',
      comment: `by #contract/… and #strapi/…: of the runtime, src/ may import ${RUNTIME}/contract and ${RUNTIME}/strapi`,
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(templates/runtime|dist)/', pathNot: `^${RUNTIME}/(contract|strapi)/` },
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
