#!/usr/bin/env node
// Runs the command line and sets the exit code.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const dist = new URL('../dist/cli/', import.meta.url);
if (existsSync(dist)) {
  // Node 22 and later: builds of large schemas take 10% less time. The cache is next to the code, so that only users who may
  // change the code can write to it.
  module.enableCompileCache?.(fileURLToPath(new URL('../.compile-cache', dist)));
  const { main } = await import(new URL('main.js', dist).href);
  const { processIo } = await import(new URL('io.js', dist).href);
  process.exitCode = await main(process.argv.slice(2), processIo(process));
} else {
  console.error('content-gen is not compiled yet: run npm run build in its folder first');
  process.exitCode = 1;
}
