/** Files that others import: as they are, but for what they call. */
import { targetOf } from './classify.ts';
import { resolveFile } from './imports.ts';
import { specifiersIn } from './module-syntax.ts';
import type { Parsed } from './parsed-file.ts';
import { printWhole } from './print-bodies.ts';
import type { Translation } from './translation.ts';

/** `exports.name = value`, `module.exports.name = value`. */
function commonJs(text: string): string {
  if (!/^\s*(?:module\.)?exports\.\w+\s*=/mu.test(text)) return text;
  return `const exports: any = {};\n${text.replaceAll(/\bmodule\.exports\b/gu, 'exports')}\nexport default exports;\n`;
}

export function translateHelper(translation: Translation, file: Parsed): void {
  translation.print(file, (printer) => commonJs(printWhole(printer)));
}

/** Files that the translated ones import, in turn. */
export function carryFrom(translation: Translation, paths: readonly string[]): void {
  for (const path of paths) {
    const file = translation.parsed.get(path);
    for (const specifier of file ? specifiersIn(file.source) : []) {
      const target = resolveFile(path, specifier, translation.context);
      if (target === undefined || translation.carried.has(target)) continue;
      translation.carried.add(target);
      const found = translation.parsed.get(target);
      if (found?.role === 'helper') translateHelper(translation, found);
      const json = target.endsWith('.json') ? translation.source.files.get(target) : undefined;
      if (json !== undefined) translation.files.set(targetOf(target), `export default ${json.trim()};\n`);
      if (found?.role === 'helper') carryFrom(translation, [target]);
    }
  }
}
