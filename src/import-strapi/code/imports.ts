/** Imports of a file: of packages, of Strapi, and of other files of the project. */
import { posix } from 'node:path';
import type { FileContext } from './file-context.ts';
import type { Rewriter, Rule } from './rewriter.ts';
import { moduleTo } from './strapi-rule.ts';
import type { ts as TypeScript } from 'ts-morph';
import { bare, boundNames, compiler, type Expression, importedNames, type Node, visitAll } from './syntax.ts';

const SUFFIXES = ['', '.ts', '.js', '.mjs', '.cjs', '.json', '/index.ts', '/index.js'];

/** The file of the project that a specifier names; undefined if there is none. */
export function resolveFile(
  from: string,
  specifier: string,
  { modules }: Pick<FileContext, 'modules'>,
): string | undefined {
  const plain = posix.join(posix.dirname(from), specifier);
  const candidates = SUFFIXES.map((suffix) => `${plain}${suffix}`);
  const typed = plain.replace(/\.js$/u, '.ts');
  return [...candidates, typed].find((path) => modules.has(path));
}

function isStrapiPackage(specifier: string): boolean {
  return /^(?:@strapi\/|strapi-utils|strapi$)/u.test(specifier);
}

/** `require('x')`: the specifier. */
export function requiredIn(node: Node | undefined): string | undefined {
  const ts = compiler();
  if (node === undefined) return undefined;
  const call = bare(node);
  if (!ts.isCallExpression(call) || call.expression.getText() !== 'require') return undefined;
  const [specifier] = call.arguments;
  return specifier && ts.isStringLiteralLike(specifier) ? specifier.text : undefined;
}

/** The `require` that an expression begins with: `require('@strapi/utils').errors`. */
function requiredAtRoot(node: Node | undefined): string | undefined {
  const ts = compiler();
  let at = node && bare(node);
  while (at && ts.isPropertyAccessExpression(at)) at = bare(at.expression);
  return requiredIn(at);
}

/** What the file imports, in order; filled while it is printed. */
export class Imports {
  readonly lines: string[] = [];
  readonly packages = new Set<string>();
  needsRequire = false;
  readonly #file: FileContext;
  #count = 0;

  constructor(file: FileContext) {
    this.#file = file;
  }

  package(specifier: string): void {
    // The types of koa are there.
    if (specifier === 'koa') return;
    if (specifier.startsWith('node:') || BUILT_IN.has(specifier.split('/')[0] ?? '')) return;
    this.packages.add(specifier);
  }

  /** The relative path of the module that a file becomes; undefined if it becomes none. */
  module(specifier: string): string | undefined {
    const path = resolveFile(this.#file.path, specifier, this.#file);
    const target = path && this.#file.modules.get(path);
    return target === undefined ? undefined : moduleTo(this.#file, target);
  }

  /** Whether a module has functions in place of a default export. */
  isNamespace(specifier: string): boolean {
    const path = resolveFile(this.#file.path, specifier, this.#file);
    return path !== undefined && !this.#file.withDefault.has(path);
  }

  /** Imports a module of the project by a new name. */
  asName(module: string, specifier: string): string {
    this.#count += 1;
    const words = posix
      .basename(module, '.ts')
      .split(/[^A-Za-z0-9]+/u)
      .filter((word) => word !== '');
    const path = resolveFile(this.#file.path, specifier, this.#file);
    const all = path !== undefined && this.#file.withDefault.has(path) ? '' : '* as ';
    const plain = `${words.map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('')}Module${this.#count === 1 ? '' : this.#count}`;
    const name = /^\d/u.test(plain) ? `_${plain}` : plain;
    this.lines.push(`import ${all}${name} from '${module}';`);
    return name;
  }
}

const BUILT_IN: ReadonlySet<string> = new Set(
  'assert async_hooks buffer child_process cluster crypto dns events fs http http2 https module net os path perf_hooks process querystring readline stream string_decoder timers tls url util v8 vm worker_threads zlib'.split(
    ' ',
  ),
);

/** What names from Strapi's packages stand for; undefined if that isn't here. */
function fromStrapi(name: string): string | undefined {
  if (name === 'errors' || name === 'sanitize') return name;
  if (name.endsWith('Error')) return `errors.${name}`;
  return undefined;
}

/** Import declarations and constants that are required. Empty if they are not needed here. */
export function importsRule(file: FileContext, imports: Imports): Rule {
  const ts = compiler();

  function declared(node: TypeScript.ImportDeclaration, rewriter: Rewriter): string {
    const specifier = (node.moduleSpecifier as TypeScript.StringLiteral).text;
    if (isStrapiPackage(specifier)) return ofStrapi(node, rewriter);
    if (!specifier.startsWith('.')) {
      imports.package(specifier);
      imports.lines.push(importText(node, specifier));
      return '';
    }
    const module = imports.module(specifier);
    if (module === undefined && isForTypes(node)) return '';
    if (module === undefined) return `${rewriter.mark(node.moduleSpecifier, `${specifier} has become no module`)};`;
    imports.lines.push(
      imports.isNamespace(specifier)
        ? importText(node, module).replace(/^import (\w+) from/u, 'import * as $1 from')
        : importText(node, module),
    );
    return '';
  }

  function ofStrapi(node: TypeScript.ImportDeclaration, rewriter: Rewriter): string {
    if (node.importClause?.isTypeOnly) return '';
    const named = node.importClause?.namedBindings;
    if (!named || !ts.isNamedImports(named)) return '';
    return named.elements
      .flatMap(({ name, propertyName }) => {
        const of = (propertyName ?? name).text;
        const value = fromStrapi(of);
        if (value === undefined) return [];
        rewriter.use(value.replace(/\..*$/u, ''));
        return value === name.text ? [] : [`const ${name.text} = ${value};`];
      })
      .join('\n');
  }

  function required(node: TypeScript.VariableDeclaration, rewriter: Rewriter): string | undefined {
    const { initializer } = node;
    const specifier = requiredAtRoot(initializer);
    if (specifier === undefined || !initializer) return undefined;
    if (isStrapiPackage(specifier)) return requiredOfStrapi(node, initializer, rewriter);
    return undefined;
  }

  function requiredOfStrapi(node: TypeScript.VariableDeclaration, initializer: Expression, rewriter: Rewriter): string {
    const isErrors = initializer.getText().endsWith('.errors');
    if (ts.isIdentifier(node.name)) {
      if (isErrors) return `const ${node.name.text} = ${rewriter.use('errors')};`;
      return /@strapi\/utils|strapi-utils/u.test(initializer.getText()) &&
        new RegExp(String.raw`\b${node.name.text}\.errors\b`, 'u').test(node.getSourceFile().text)
        ? `const ${node.name.text} = { errors: ${rewriter.use('errors')} };`
        : '';
    }
    if (isErrors) return `const ${node.name.getText()} = ${rewriter.use('errors')};`;
    if (!ts.isObjectBindingPattern(node.name)) return '';
    return [...node.name.elements]
      .flatMap((element) => {
        const of = (element.propertyName ?? element.name).getText();
        const value = fromStrapi(of);
        if (value === undefined) return [];
        rewriter.use(value.replace(/\..*$/u, ''));
        return value === element.name.getText() ? [] : [`const ${element.name.getText()} = ${value};`];
      })
      .join('\n');
  }

  return (node, rewriter) => {
    if (ts.isImportDeclaration(node)) return declared(node, rewriter);
    if (ts.isVariableStatement(node)) {
      const { declarations } = node.declarationList;
      const texts = declarations.map((one) => required(one, rewriter));
      if (texts.every((text) => text !== undefined)) return texts.filter((text) => text !== '').join('\n');
    }
    if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
      const specifier = (node.moduleSpecifier as TypeScript.StringLiteral).text;
      const module = specifier.startsWith('.') ? imports.module(specifier) : specifier;
      return module === undefined ? undefined : node.getText().replace(node.moduleSpecifier.getText(), `'${module}'`);
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [specifier] = node.arguments;
      if (!specifier || !ts.isStringLiteralLike(specifier)) return undefined;
      const module = specifier.text.startsWith('.') ? imports.module(specifier.text) : undefined;
      if (!specifier.text.startsWith('.')) imports.package(specifier.text);
      return module && `import('${module}')`;
    }
    const specifier = requiredIn(node);
    if (specifier === undefined || !ts.isCallExpression(node)) return undefined;
    if (isStrapiPackage(specifier)) return rewriter.mark(node, `${specifier} is not here`);
    if (specifier.startsWith('.')) {
      const module = imports.module(specifier);
      return module === undefined
        ? rewriter.mark(node, `${specifier} has become no module`)
        : imports.asName(module, specifier);
    }
    imports.package(specifier);
    imports.needsRequire = true;
    return undefined;
  };
}

/** The names that a file uses only as types, which must be imported as such. */
function typeNames(node: TypeScript.ImportDeclaration): ReadonlySet<string> {
  const ts = compiler();
  const names = new Set(importedNames(node));
  const values = new Set<string>();
  const seen = new Set<string>();
  visitAll(node.getSourceFile(), (one) => {
    if (ts.isImportDeclaration(one)) return false;
    if (!ts.isIdentifier(one) || !names.has(one.text)) return true;
    const { parent } = one;
    const isMember =
      (ts.isPropertyAccessExpression(parent) && parent.name === one) ||
      (ts.isPropertyAssignment(parent) && parent.name === one);
    if (isMember) return true;
    seen.add(one.text);
    let at: Node = parent;
    while (ts.isQualifiedName(at)) at = at.parent;
    const isType =
      ts.isTypeReferenceNode(at) ||
      (ts.isExpressionWithTypeArguments(at) &&
        ts.isHeritageClause(at.parent) &&
        ts.isInterfaceDeclaration(at.parent.parent));
    if (!isType) values.add(one.text);
    return true;
  });
  return new Set([...seen].filter((name) => !values.has(name)));
}

function isForTypes(node: TypeScript.ImportDeclaration): boolean {
  const names = importedNames(node);
  const types = typeNames(node);
  return names.length > 0 && (node.importClause?.isTypeOnly === true || names.every((name) => types.has(name)));
}

/** The import with the module that it is from; names of types are marked as such. */
function importText(node: TypeScript.ImportDeclaration, module: string): string {
  const { importClause } = node;
  if (!importClause || importClause.isTypeOnly) {
    return node.getText().replace(node.moduleSpecifier.getText(), `'${module}'`);
  }
  const ts = compiler();
  const types = typeNames(node);
  const { name, namedBindings } = importClause;
  const named =
    namedBindings && ts.isNamedImports(namedBindings)
      ? `{ ${namedBindings.elements.map((one) => (types.has(one.name.text) && !one.isTypeOnly ? `type ${one.getText()}` : one.getText())).join(', ')} }`
      : namedBindings?.getText();
  if (name && !named && types.has(name.text)) return `import type ${name.text} from '${module}';`;
  return `import ${[name?.text, named].filter((part) => part !== undefined).join(', ')} from '${module}';`;
}

export function namesOfImports(source: TypeScript.SourceFile): readonly string[] {
  const ts = compiler();
  return source.statements.flatMap((statement) => {
    if (ts.isImportDeclaration(statement)) return importedNames(statement);
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap((one) => boundNames(one.name));
    }
    if ((ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name) {
      return [statement.name.text];
    }
    return [];
  });
}
