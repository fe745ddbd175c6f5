import { defineConfig } from 'vitest/config';

export default defineConfig({
  // The projects of `test-support/` import this package by its name: its sources are meant, as in the tests.
  resolve: { conditions: ['content-gen-source'] },
  ssr: { resolve: { conditions: ['content-gen-source'] } },
  test: { include: ['src/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 300_000 },
});
