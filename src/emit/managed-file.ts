/** Constructors of generated files, by how they are printed. */
import { type FileOf, type Ownership, textFile as plainFile } from '../files/generated-file.ts';
import { printCompactJson } from '../files/print-compact-json.ts';
import { EXTENSION_POINT } from './header.ts';
import { type Json, printJson } from './json.ts';
import { printTsModule } from './print-ts-module.ts';
import { render, type View } from './template.ts';
import type { TsModule } from './ts-module.ts';

function pointOf(owner: Ownership): { readonly extensionPoint?: string } {
  return owner === 'managed' ? { extensionPoint: EXTENSION_POINT } : {};
}

/** A managed TypeScript file, printed from structures that are built only on printing. */
export function tsModuleFile<Input>(path: string, input: Input, module: (input: Input) => TsModule): FileOf<Input> {
  const print = (own: Input): string => printTsModule(module(own));
  return { path, owner: 'managed', format: 'typescript', input, print, ...pointOf('managed') };
}

interface Templated {
  readonly template: string;
  readonly view: View;
}

function printTemplate({ template, view }: Templated): Promise<string> {
  return render(template, view);
}

/** A file rendered from a template. TypeScript is formatted if necessary; anything else is left as rendered. */
export function templateFile(path: string, owner: Ownership, template: string, view: View): FileOf<Templated> {
  const format = path.endsWith('.ts') ? 'typescript' : 'none';
  return { path, owner, format, input: { template, view }, print: printTemplate, ...pointOf(owner) };
}

/** A managed JSON file whose value is computed only on printing. */
export function lateJsonFile<Input>(path: string, input: Input, value: (input: Input) => Json): FileOf<Input> {
  const print = (own: Input): string => printCompactJson(value(own));
  return { path, owner: 'managed', format: 'none', input, print, ...pointOf('managed') };
}

/** A managed JSON file that is reviewed, but not edited by tools. */
export function compactJsonFile(path: string, value: Json): FileOf<Json> {
  return { path, owner: 'managed', format: 'none', input: value, print: printCompactJson, ...pointOf('managed') };
}

/** A JSON file, as npm prints it. */
export function jsonFile(path: string, owner: Ownership, value: Json): FileOf<Json> {
  return { path, owner, format: 'none', input: value, print: printJson, ...pointOf(owner) };
}

/** A managed text file whose final text is computed only on printing. */
export function lateTextFile<Input>(path: string, input: Input, print: (input: Input) => string): FileOf<Input> {
  return { path, owner: 'managed', format: 'none', input, print, ...pointOf('managed') };
}

/** A file whose final text is known. */
export function textFile(path: string, owner: Ownership, text: string): FileOf<string> {
  return { ...plainFile(path, owner, text), ...pointOf(owner) };
}
