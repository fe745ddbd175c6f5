/** Prints a TypeScript file from ts-morph structures. */
import type * as TsMorph from 'ts-morph';
import type { OptionalKind, PropertySignatureStructure, StatementStructures } from 'ts-morph';
import { loadTsMorph } from '../files/ts-morph.ts';
import { tsString } from './escape.ts';
import type { TsDeclaration, TsImport, TsModule, TsProperty } from './ts-module.ts';

type Morph = typeof TsMorph;

function docs(doc: string | undefined): { docs: string[] } | undefined {
  return doc === undefined ? undefined : { docs: [doc] };
}

function property(
  { key, type, optional, doc }: TsProperty,
  isReadonly: boolean,
): OptionalKind<PropertySignatureStructure> {
  return { name: key, type, hasQuestionToken: optional, isReadonly, ...docs(doc) };
}

function importOf({ StructureKind }: Morph, { from, typeOnly, names }: TsImport): StatementStructures {
  return {
    kind: StructureKind.ImportDeclaration,
    isTypeOnly: typeOnly,
    moduleSpecifier: from,
    namedImports: names.map((name) => ({ ...name })),
  };
}

function structureOf({ StructureKind }: Morph, it: TsDeclaration): StatementStructures {
  switch (it.kind) {
    case 'interface':
      return {
        kind: StructureKind.Interface,
        isExported: true,
        name: it.name,
        properties: it.properties.map((one) => property(one, it.readonly)),
        ...docs(it.doc),
      };
    case 'alias':
      return { kind: StructureKind.TypeAlias, isExported: true, name: it.name, type: it.type, ...docs(it.doc) };
  }
}

/**
 * The text of a module, with one blank line between declarations; formatted as prettier would, except that long lines
 * are not broken.
 */
export function printTsModule(module: TsModule): string {
  const morph = loadTsMorph();
  const options = { indentNumberOfSpaces: 2, useSingleQuote: true };
  const print = (structure: StatementStructures) =>
    morph
      .printStructure(structure, options)
      .trim()
      .replace(/\{\n\}$/, '{}');
  const imports = module.imports.map((one) => print(importOf(morph, one)));
  const declarations = module.declarations.map((one) => print(structureOf(morph, one)));
  const head = [module.header, ...imports].join('\n');
  const reexported = module.reexported === undefined ? [] : [`export type * from ${tsString(module.reexported)};`];
  // Directly below the header if nothing is imported.
  const start = imports.length === 0 ? [[head, ...reexported].join('\n')] : [head, ...reexported];
  return `${[...start, ...declarations].join('\n\n')}\n`;
}
