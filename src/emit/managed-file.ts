/** Makers of generated files, by how they are printed. */
import type { GeneratedFile, Ownership } from '../output/generated-file.ts';
import { EXTENSION_POINT } from './header.ts';
import { printJson, sourceOf, type Json } from './json.ts';
import { printTsModule } from './print-ts-module.ts';
import { render, type View } from './template.ts';
import type { TsModule } from './ts-module.ts';

/** A managed TypeScript file printed from structures, which are made only then: `source` is all that they follow from. */
export function tsModuleFile(path: string, source: readonly string[], module: () => TsModule): GeneratedFile {
  return {
    path,
    ownership: 'managed',
    format: 'typescript',
    source: source.join('\n'),
    print: () => printTsModule(module()),
    extensionPoint: EXTENSION_POINT,
  };
}

/** A file from a template. TypeScript is formatted where it needs it, anything else is as the template has it. */
export function templateFile(path: string, ownership: Ownership, template: string, view: View): GeneratedFile {
  return {
    path,
    ownership,
    format: path.endsWith('.ts') ? 'typescript' : 'none',
    source: sourceOf(template, view),
    print: () => render(template, view),
    ...(ownership === 'managed' ? { extensionPoint: EXTENSION_POINT } : {}),
  };
}

/** A managed JSON file that is made only when it is printed: `source` is all that it follows from. */
export function lateJsonFile(path: string, source: readonly string[], value: () => Json): GeneratedFile {
  return {
    path,
    ownership: 'managed',
    format: 'none',
    source: source.join('\n'),
    print: () => printJson(value()),
    extensionPoint: EXTENSION_POINT,
  };
}

/** A JSON file. */
export function jsonFile(path: string, ownership: Ownership, value: Json): GeneratedFile {
  return {
    path,
    ownership,
    format: 'none',
    source: sourceOf('json', value),
    print: () => printJson(value),
    ...(ownership === 'managed' ? { extensionPoint: EXTENSION_POINT } : {}),
  };
}

/** A file whose text is at hand in its final shape. */
export function textFile(path: string, ownership: Ownership, text: string): GeneratedFile {
  return {
    path,
    ownership,
    format: 'none',
    source: text,
    print: () => text,
    ...(ownership === 'managed' ? { extensionPoint: EXTENSION_POINT } : {}),
  };
}
