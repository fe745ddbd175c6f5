import { defineConfig } from 'vitest/config';
import { temporaryFiles } from './support/temporary-files.ts';

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  resolve: { conditions: ['content-gen-source'] },
  ssr: { resolve: { conditions: ['content-gen-source'] } },
  test: {
    include: ['{test,src,templates/client/src,templates/runtime/src,templates/admin/src}/**/*.test.ts'],
    exclude: ['test/clients/**', 'test/cluster/**', 'test/projects/**', '**/node_modules/**'],
    testTimeout: 60_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
    env: { TMPDIR: temporaryFiles() },
    // The files of a worker share the modules that they import: loading them takes a third of the time.
    isolate: false,
    // A built runtime is run as it is.
    server: { deps: { external: [/\/runtime\/lib\/[^/]+\.js$/u] } },
  },
});
