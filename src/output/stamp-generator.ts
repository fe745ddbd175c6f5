/** Runs after compilation: stores a hash of the sources next to the compiled code. */
import { writeFileSync } from 'node:fs';
import { hashOfCode, STAMP } from './generator-fingerprint.ts';

const sources = new URL('../../src/', import.meta.url);
writeFileSync(new URL(`../${STAMP}`, import.meta.url), `${hashOfCode(sources)}\n`);
