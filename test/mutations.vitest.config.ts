/** For `npm run test:mutations`: the tests of the sources, on SQLite. Those of built servers can't run in its copy of the repository. */
import base from './vitest.config.ts';

export default {
  ...base,
  test: {
    ...base.test,
    include: ['{src,templates/runtime/src}/**/*.test.ts', 'test/invalid-schemas.test.ts'],
    exclude: ['**/node_modules/**', '**/*.long.test.ts'],
  },
};
