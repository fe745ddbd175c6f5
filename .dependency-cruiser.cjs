/**
 * The direction of dependencies: every stage knows the ones before it in the way of the data, never those after it,
 * and `diagnostics` knows nobody.
 */
const MAY_IMPORT = {
  diagnostics: [],
  schema: ['diagnostics'],
  model: ['diagnostics', 'schema'],
  storage: ['diagnostics', 'model'],
  migrations: ['diagnostics', 'model', 'storage', 'output'],
  emit: ['diagnostics', 'model', 'storage', 'output'],
  output: ['diagnostics'],
};

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true, dependencyTypesNot: ['type-only'] } },
    ...Object.entries(MAY_IMPORT).map(([stage, allowed]) => ({
      name: `${stage}-knows-only-earlier-stages`,
      comment: `src/${stage} may import ${[stage, ...allowed].join(', ')}`,
      severity: 'error',
      from: { path: `^src/${stage}/`, pathNot: '\\.test\\.ts$' },
      to: { path: `^src/(?!${[stage, ...allowed].join('|')})` },
    })),
    {
      name: 'only-output-and-loaders-touch-the-disk',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/(output|cli)/', '^src/schema/load-sources', '^src/emit/read-', '\\.test\\.ts$'],
      },
      to: { path: '^(node:)?fs(/promises)?$' },
    },
    {
      name: 'packages-that-cost-a-start-are-not-imported',
      comment: 'templates/runtime/src/late-packages.ts and common-js.ts load them',
      severity: 'error',
      from: {
        path: '^templates/runtime/src/',
        // They load them so, or are loaded late themselves.
        pathNot: ['/(late-packages|common-js)\\.ts$', '/upload/file-info\\.ts$', '/transfer/', '\\.test\\.ts$'],
      },
      to: {
        path: 'node_modules/(zod|qs|raw-body|@koa/cors|@koa/router|koa|pino)/',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'runtime-stands-alone',
      severity: 'error',
      from: { path: '^templates/runtime/' },
      to: { path: '^src/' },
    },
    {
      name: 'generator-does-not-run-the-runtime',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: { path: '^templates/runtime/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
  },
};
