/** Run after compiling: notes the fingerprint of the sources beside the compiled code. */
import { writeFileSync } from 'node:fs';
import { hashOfCode, STAMP } from './generator-fingerprint.ts';

const sources = new URL('../../src/', import.meta.url);
writeFileSync(new URL(`../${STAMP}`, import.meta.url), `${hashOfCode(sources)}\n`);
