#!/usr/bin/env node
// Runs the command line and sets the exit code.
import { existsSync } from 'node:fs';

const dist = new URL('../dist/cli/', import.meta.url);
if (existsSync(dist)) {
  const { main } = await import(new URL('main.js', dist).href);
  const { processIo } = await import(new URL('io.js', dist).href);
  process.exitCode = await main(process.argv.slice(2), processIo(process));
} else {
  console.error('content-gen is not compiled yet: run npm run build in its folder first');
  process.exitCode = 1;
}
