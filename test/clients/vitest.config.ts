import { defineConfig } from 'vitest/config';

/** Behind `npm run test:clients`: the tools are heavy, and installed first. */
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  resolve: { conditions: ['content-gen-source'] },
  ssr: { resolve: { conditions: ['content-gen-source'] } },
  test: {
    include: ['test/clients/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    fileParallelism: false,
    server: { deps: { external: [/\/runtime\/lib\/[^/]+\.js$/u] } },
  },
});
