// The client library, which is the same in each project: one module, and its types.
import { join } from 'node:path';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { headerLine } from '../../dist/emit/header.js';
import { sources } from './runtime-code.js';
import { formatTypes } from './runtime-types.js';
import { CLIENT, CLIENT_SOURCE } from './runtime-source.js';

const BANNER = headerLine('its client');

async function generate(plugins) {
  const bundle = await rollup({ input: join(CLIENT_SOURCE, 'index.ts'), plugins });
  const { output } = await bundle.generate({ format: 'es', minifyInternalExports: false, generatedCode: 'es2015' });
  return output[0].code;
}

/** @returns {Promise<Map<string, string>>} path → text */
export async function buildClient() {
  const [code, types] = await Promise.all([
    generate([sources]),
    generate([dts({ tsconfig: join(CLIENT, 'tsconfig.json') })]),
  ]);
  return new Map([
    ['client/client.js', `${BANNER}\n${code}`],
    ['client/client.d.ts', await formatTypes(types, BANNER)],
  ]);
}
