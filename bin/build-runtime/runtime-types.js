// The types of the built runtime: one file for each public entry.
import { join } from 'node:path';
import { format } from 'prettier';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { BANNER, FOLDER, input, isPackage, PACKAGE } from './runtime-source.js';

/** @returns {Promise<Map<string, string>>} path → text */
export async function buildTypes() {
  const compilerOptions = { composite: false, incremental: false, tsBuildInfoFile: undefined };
  const tsconfig = join(PACKAGE, 'tsconfig.json');
  const bundle = await rollup({ input, external: isPackage, plugins: [dts({ tsconfig, compilerOptions })] });
  const { output } = await bundle.generate({ format: 'es', chunkFileNames: '[name].d.ts' });
  const options = { parser: 'typescript', printWidth: 120, singleQuote: true, trailingComma: 'all' };
  const formatted = output.map(async ({ fileName, code }) => [
    `${FOLDER}/${fileName}`,
    await format(`${BANNER}\n${code}`, options),
  ]);
  return new Map(await Promise.all(formatted));
}
