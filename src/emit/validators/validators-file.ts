/** `validators.ts` of a content type and of a component. */
import type { ApiSettings, Component, ContentType } from '../../model/content-model.ts';
import type { GeneratedFile } from '../../files/generated-file.ts';
import { codeNames } from '../../model/naming.ts';
import { componentDirectory, importPath, typeDirectory } from '../generated-paths.ts';
import { headerLine } from '../header.ts';
import { tsModuleFile } from '../managed-file.ts';
import { printInline } from '../print-literal.ts';
import { createImports, type Imports, type TsImport, type TsModule } from '../ts-module.ts';
import { declaredNames } from '../types/type-scope.ts';
import { attributesLiteral, type ComponentReference } from './attribute-validator.ts';

/** The name under which a type's validators are exported: `articleValidators`. */
export function validatorsName(type: ContentType): string {
  return `${type.names.camel}Validators`;
}

function componentValidatorName(uid: string): string {
  return `${codeNames(uid).camel}Validators`;
}

function componentReferences(directory: string, imports: Imports): ComponentReference {
  return (uid) => {
    const home = componentDirectory(uid);
    const name = componentValidatorName(uid);
    return home === directory ? name : imports.add(importPath(directory, `${home}/validators.ts`), name);
  };
}

const RUNTIME: TsImport = { from: '@content-gen/runtime', typeOnly: false, names: [{ name: 'v' }] };

function typesImport(names: readonly string[]): TsImport {
  return { from: './types.ts', typeOnly: true, names: names.map((name) => ({ name })) };
}

interface TypeInput {
  readonly type: ContentType;
  readonly unknownAttributes: ApiSettings['unknownAttributes'];
}

function typeModule({ type, unknownAttributes }: TypeInput): TsModule {
  const name = validatorsName(type);
  const directory = typeDirectory(type.uid);
  const imports = createImports([name, 'v']);
  const { create, update } = declaredNames(type.names.pascal);
  const attributes = attributesLiteral(type.attributes, componentReferences(directory, imports), '  ');
  const settings = printInline({
    unknownAttributes,
    draftAndPublish: type.draftAndPublish,
    localized: type.localized,
  });
  const doc = `Checks the \`data\` of requests that write \`${type.uid}\`.`;
  // Prettier puts an empty object on the line of the call.
  const parts = type.attributes.length === 0 ? `{}, ${settings}` : `\n  ${attributes},\n  ${settings},\n`;
  const initializer = `v.entry<${create}, ${update}>()(${parts})`;
  return {
    header: headerLine(`the content type \`${type.uid}\``),
    imports: [RUNTIME, ...imports.list(false), typesImport([create, update])],
    declarations: [{ kind: 'const', name, doc, initializer }],
  };
}

function componentModule(component: Component): TsModule {
  const name = componentValidatorName(component.uid);
  const imports = createImports([name, 'v']);
  const references = componentReferences(componentDirectory(component.uid), imports);
  const initializer = `v.attributes(${attributesLiteral(component.attributes, references, '')})`;
  const doc = `Checks an item of \`${component.uid}\` in a request.`;
  return {
    header: headerLine(`the component \`${component.uid}\``),
    imports: [RUNTIME, ...imports.list(false)],
    declarations: [{ kind: 'const', name, doc, initializer }],
  };
}

/**
 * `validators.ts` of a content type: validates its requests, and checks at compile time that it agrees with `types.ts`.
 */
export function validatorsFile(type: ContentType, { unknownAttributes }: ApiSettings): GeneratedFile {
  return tsModuleFile(`${typeDirectory(type.uid)}/validators.ts`, { type, unknownAttributes }, typeModule);
}

/** `validators.ts` of a component. Its agreement with `types.ts` is checked where a content type uses it. */
export function componentValidatorsFile(component: Component): GeneratedFile {
  return tsModuleFile(`${componentDirectory(component.uid)}/validators.ts`, component, componentModule);
}
