import { defineConfig } from 'vitest/config';

/** Behind `npm run test:cluster`: database clusters of their own, and minutes of faults. */
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  resolve: { conditions: ['content-gen-source'] },
  ssr: { resolve: { conditions: ['content-gen-source'] } },
  test: {
    include: ['test/cluster/**/*.test.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    fileParallelism: false,
    server: { deps: { external: [/\/runtime\/lib\/[^/]+\.js$/u] } },
  },
});
