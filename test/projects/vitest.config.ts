import base from '../vitest.config.ts';

/** Behind `npm run test:projects`: projects as their users have them: installed, compiled, and used in a browser. */
export default {
  ...base,
  test: {
    ...base.test,
    include: ['test/projects/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    // Installed packages are too large for memory.
    env: {},
    // In CI a browser shares its cores: what passes only the second time is reported as such.
    retry: process.env['CI'] === 'true' ? 1 : 0,
  },
};
