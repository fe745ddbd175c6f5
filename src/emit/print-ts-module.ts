/**
 * Prints a TypeScript file that declares types, formatted as prettier would, except that long lines are not broken. One file has
 * the types of all content types, so printing it takes no syntax tree.
 */
import { tsString } from './escape.ts';
import { importLine, type TsDeclaration, type TsModule, type TsProperty } from './ts-module.ts';

/** A doc comment with its line break; empty if there is none. */
function docComment(doc: string | undefined, indent = ''): string {
  if (doc === undefined) return '';
  if (!doc.includes('\n')) return `${indent}/** ${doc} */\n`;
  const lines = doc.split('\n').map((line) => `${indent} * ${line}\n`);
  return `${indent}/**\n${lines.join('')}${indent} */\n`;
}

function printProperty({ key, type, optional, doc }: TsProperty, isReadonly: boolean): string {
  return `${docComment(doc, '  ')}  ${isReadonly ? 'readonly ' : ''}${key}${optional ? '?' : ''}: ${type};\n`;
}

function printDeclaration(declaration: TsDeclaration): string {
  const { name, doc } = declaration;
  if (declaration.kind === 'alias') return `${docComment(doc)}export type ${name} = ${declaration.type};`;
  const properties = declaration.properties.map((one) => printProperty(one, declaration.readonly)).join('');
  return `${docComment(doc)}export interface ${name} {${properties === '' ? '' : `\n${properties}`}}`;
}

/** The text of a module, with one blank line between declarations. */
export function printTsModule({ header, imports, reexported, declarations }: TsModule): string {
  const head = [header, ...imports.map((one) => importLine(one))].join('\n');
  const exported = reexported === undefined ? [] : [`export type * from ${tsString(reexported)};`];
  // Directly below the header if nothing is imported.
  const start = imports.length === 0 ? [[head, ...exported].join('\n')] : [head, ...exported];
  return `${[...start, ...declarations.map(printDeclaration)].join('\n\n')}\n`;
}
