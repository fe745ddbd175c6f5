/** `runtime/`: the runtime package as source, copied from `templates/runtime`. */
import type { GeneratedFile } from '../../output/generated-file.ts';
import { headerLine } from '../header.ts';
import { textFile } from '../managed-file.ts';
import { listTemplates, readTemplate } from '../read-templates.ts';

const HEADER = headerLine('its package `@content-gen/runtime`');

const COMMAND = 'runtime/bin/command.js';

/** All of the package but its tests. */
export function runtimeFiles(): GeneratedFile[] {
  const sources = listTemplates('runtime/src/')
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => textFile(`runtime/src/${path}`, 'managed', `${HEADER}\n${readTemplate(`runtime/src/${path}`)}`));
  const command = textFile(COMMAND, 'managed', `${HEADER}\n${readTemplate(COMMAND)}`);
  const settings = ['runtime/package.json', 'runtime/tsconfig.json'];
  return [...sources, command, ...settings.map((path) => textFile(path, 'managed', readTemplate(path)))];
}
