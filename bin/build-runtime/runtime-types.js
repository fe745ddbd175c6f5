// The types of the built runtime: one file for each public entry.
import { join } from 'node:path';
import { format } from 'prettier';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { BANNER, FOLDER, input, isPackage, MAIN_ENTRY, PACKAGE } from './runtime-source.js';

/** Ignores warnings about shared types that no entry exports: they matter only to projects that emit declarations. */
function onwarn(warning, warn) {
  if (!(warning.plugin === 'dts' && warning.message.includes('private shared type'))) warn(warning);
}

/** The text of a declaration file, formatted by prettier, with `banner` as its first line. */
export function formatTypes(code, banner) {
  return format(`${banner}\n${code}`, {
    parser: 'typescript',
    printWidth: 120,
    singleQuote: true,
    trailingComma: 'all',
  });
}

/** @returns {Promise<Map<string, string>>} path → text */
export async function buildTypes() {
  const compilerOptions = { composite: false, incremental: false, tsBuildInfoFile: undefined };
  const tsconfig = join(PACKAGE, 'tsconfig.json');
  const plugins = [dts({ tsconfig, compilerOptions })];
  // Types that entries share go into the main file, with additional exports for the other entries.
  const further = Object.entries(input).flatMap(([name, file]) => (name === MAIN_ENTRY ? [] : [file]));
  const bundle = await rollup({
    input,
    external: isPackage,
    plugins,
    onwarn,
    preserveEntrySignatures: 'allow-extension',
  });
  const { output } = await bundle.generate({
    format: 'es',
    chunkFileNames: '[name].d.ts',
    manualChunks: (file) => (further.includes(file) || isPackage(file) ? undefined : MAIN_ENTRY),
    minifyInternalExports: false,
  });
  const formatted = output.map(async ({ fileName, code }) => [
    `${FOLDER}/${fileName}`,
    await formatTypes(code, BANNER),
  ]);
  return new Map(await Promise.all(formatted));
}
