/** `runtime/`: the runtime package as source, copied from `templates/runtime`. */
import { readdirSync, readFileSync } from 'node:fs';
import type { GeneratedFile } from '../../output/generated-file.ts';
import { headerLine } from '../header.ts';
import { textFile } from '../managed-file.ts';
import { TEMPLATES } from '../template.ts';

const RUNTIME = new URL('runtime/', TEMPLATES);
const HEADER = headerLine('its package `@content-gen/runtime`');

function sourcePaths(folder: string): string[] {
  return readdirSync(new URL(folder, RUNTIME), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'test' ? [] : sourcePaths(`${path}/`);
    return path.endsWith('.ts') && !path.endsWith('.test.ts') ? [path] : [];
  });
}

function runtimeFile(path: string): GeneratedFile {
  const text = readFileSync(new URL(path, RUNTIME), 'utf8');
  return textFile(`runtime/${path}`, 'managed', path.endsWith('.ts') ? `${HEADER}\n${text}` : text);
}

/** All of the package but its tests. */
export function runtimeFiles(): GeneratedFile[] {
  const paths = ['package.json', 'tsconfig.json', ...sourcePaths('src/')];
  return paths.sort().map(runtimeFile);
}
