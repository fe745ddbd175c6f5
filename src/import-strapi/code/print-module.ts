/** Prints a translated file. */
import type { ts as TypeScript } from 'ts-morph';
import { controllerRule } from './controller-rule.ts';
import type { FileContext } from './file-context.ts';
import { Imports, importsRule, namesOfImports } from './imports.ts';
import { lifecyclesRule } from './lifecycles-rule.ts';
import { looseRule } from './loose-rule.ts';
import { type ModuleShape, shapeOf } from './module-shape.ts';
import { requestRule } from './request-rule.ts';
import { Rewriter, type Rule } from './rewriter.ts';
import { moduleTo, strapiRule } from './strapi-rule.ts';
import { bare, compiler, isFunc, type Node, propertyName, type SourceFile, visitAll } from './syntax.ts';
import { typesRule } from './types-rule.ts';
import { pluginRule } from './plugin-rule.ts';

const RESERVED: ReadonlySet<string> = new Set(
  'break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof let new null return static super switch this throw true try typeof var void while with yield await next server call arguments eval package private protected public interface implements self'.split(
    ' ',
  ),
);

/** The names of functions that a module exports: as in Strapi, unless that is reserved or the name of something else. */
export function exportNames(source: SourceFile, shape: ModuleShape): ReadonlyMap<string, string> {
  const taken = new Set([...namesOfImports(source), ...shape.before.flatMap((one) => declaredIn(one))]);
  const names = new Map<string, string>();
  for (const member of shape.object?.properties ?? []) {
    const name = member.name && propertyName(member.name);
    if (name === undefined) continue;
    const isOwn = compiler().isShorthandPropertyAssignment(member);
    const plain = name.replaceAll(/[^\w$]+(.)?/gu, (_all, next: string | undefined) => (next ?? '').toUpperCase());
    names.set(name, isOwn ? name : RESERVED.has(plain) || taken.has(plain) || /^\d/u.test(plain) ? `${plain}_` : plain);
  }
  return names;
}

function declaredIn(statement: TypeScript.Statement): readonly string[] {
  const ts = compiler();
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
  }
  return (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name
    ? [statement.name.text]
    : [];
}

/** `{ strapi }` among the parameters of a function. */
const strapiParameter: Rule = (node) => {
  const ts = compiler();
  if (!ts.isParameter(node) || !ts.isObjectBindingPattern(node.name)) return undefined;
  const isStrapi = node.name.elements.length === 1 && node.name.getText().replaceAll(/\s/gu, '') === '{strapi}';
  const isLast = isFunc(node.parent) && node.parent.parameters.at(-1) === node;
  return isStrapi && isLast ? '_strapi?: unknown' : undefined;
};

/** Prints the parts of one file. */
export class ModulePrinter {
  readonly rewriter: Rewriter;
  readonly imports: Imports;
  readonly source: SourceFile;
  readonly shape: ModuleShape;
  readonly #file: FileContext;

  constructor(source: SourceFile, file: FileContext) {
    this.source = source;
    this.#file = file;
    this.shape = shapeOf(source);
    this.imports = new Imports(file);
    this.rewriter = new Rewriter(source, [
      ...(file.role === 'users' ? [pluginRule] : []),
      importsRule(file, this.imports),
      strapiParameter,
      lifecyclesRule(file),
      requestRule(file),
      controllerRule(file),
      strapiRule(file),
      looseRule,
      typesRule((specifier) => this.imports.module(specifier) !== undefined),
    ]);
  }

  /** A statement, with its comments. */
  statement(node: Node): string {
    const text = this.rewriter.print(node);
    return text === '' ? '' : `${this.rewriter.comments(node).replace(/^\n/u, '')}${text}\n`;
  }

  /** All statements but the export, what factories do first, and those in `left`. */
  statements(left: readonly Node[] = []): string {
    const ts = compiler();
    const own = this.source.statements.filter((one) => {
      const isStrict = ts.isExpressionStatement(one) && /^['"]use strict['"]/u.test(one.getText());
      return one !== this.shape.statement && !isStrict && !left.includes(one) && !this.#isObject(one);
    });
    return [...own, ...this.shape.before].map((one) => this.statement(one)).join('');
  }

  /** `const controller = {…}; module.exports = controller`: its members are printed one by one. */
  #isObject(statement: TypeScript.Statement): boolean {
    const ts = compiler();
    const { object, value } = this.shape;
    if (!object || !ts.isVariableStatement(statement)) return false;
    return statement.declarationList.declarations.some(({ initializer }) => {
      const inner = initializer && bare(initializer);
      return (
        inner !== undefined &&
        (inner === object ||
          inner === value ||
          (ts.isCallExpression(inner) && /createCore/u.test(inner.expression.getText())))
      );
    });
  }

  /** A method of the exported object as a function of the module. */
  method(member: TypeScript.ObjectLiteralElementLike, name: string): string {
    const ts = compiler();
    const comments = this.rewriter.comments(member);
    const key = member.name && propertyName(member.name);
    const isExported = key === name;
    const prefix = isExported ? 'export ' : '';
    const suffix =
      isExported || key === undefined
        ? ''
        : `\nexport { ${name} as ${/^[\w$]+$/u.test(key) ? key : JSON.stringify(key)} };`;
    if (ts.isMethodDeclaration(member)) {
      const text = this.rewriter.print(member);
      const isAsync = /^async\b/u.test(text);
      const start = text.indexOf('(', member.typeParameters ? text.indexOf('<') : 0);
      const star = member.asteriskToken ? '*' : '';
      return `${comments}${prefix}${isAsync ? 'async ' : ''}function${star} ${name}${this.#typed(member, text.slice(start), isAsync)}${suffix}\n`;
    }
    if (ts.isPropertyAssignment(member)) {
      const printed = this.rewriter.print(member.initializer);
      const text = this.#wrapping(member.initializer, printed, key);
      const type = isFunc(bare(member.initializer)) ? '' : ': any';
      return `${comments}${prefix}const ${name}${type} = ${text};${suffix}\n`;
    }
    if (ts.isShorthandPropertyAssignment(member)) return `export { ${name} };\n`;
    return `${this.rewriter.mark(member, 'write the members of this object one by one')};\n`;
  }

  /** An arrow function cannot call `super` either: the generated action comes as `next`. */
  #wrapping(value: Node, text: string, name: string | undefined): string {
    if (this.#file.role !== 'controller' || !callsSuper(value, name)) return text;
    this.rewriter.use('Call');
    return text.replace(/\bcall: Call/u, 'call: Call, next: (call: Call) => Promise<any>');
  }

  /** The parameters and the body of a method: functions that call each other need a type for what they return. */
  #typed(member: TypeScript.MethodDeclaration, text: string, isAsync: boolean): string {
    const { body } = member;
    if (member.type || !body || member.asteriskToken) return text;
    let depth = 0;
    let at = 0;
    for (; at < text.length; at += 1) {
      if (text[at] === '(') depth += 1;
      if (text[at] === ')') depth -= 1;
      if (depth === 0) break;
    }
    const wraps = this.#file.role === 'controller' && callsSuper(member, propertyName(member.name));
    if (wraps) this.rewriter.use('Call');
    const parameters = wraps
      ? `${text.slice(0, at)}${member.parameters.length > 0 ? ', ' : 'call: Call, '}next: (call: Call) => Promise<any>)`
      : text.slice(0, at + 1);
    return `${parameters}: ${isAsync ? 'Promise<any>' : 'any'}${text.slice(at + 1)}`;
  }

  /** The whole file: imports above what was printed. */
  finish(body: string): string {
    const { used, services } = this.rewriter;
    const support = moduleTo(this.#file, 'from-strapi.ts');
    const runtime = ['BadRequestError', 'ForbiddenError', 'HttpError', 'NotFoundError', 'UnauthorizedError'].filter(
      (name) => used.has(name),
    );
    const types = ['Call', 'HookCall'].filter((name) => used.has(name)).map((name) => `type ${name}`);
    const own = [...used].filter((name) => !runtime.includes(name) && !['Call', 'HookCall', 'self'].includes(name));
    const lines = [
      ...(this.imports.needsRequire ? ["import { createRequire } from 'node:module';"] : []),
      ...(runtime.length > 0 ? [`import { ${runtime.join(', ')} } from '@content-gen/runtime';`] : []),
      ...(types.length + own.length > 0
        ? [`import { ${[...own, ...types].sort().join(', ')} } from '${support}';`]
        : []),
      ...[...services].map(([path, name]) => `import * as ${name} from '${path}';`),
      ...(used.has('self') ? [`import * as self from './${this.#file.target.split('/').at(-1)}';`] : []),
      ...this.imports.lines,
    ];
    const require = this.imports.needsRequire ? '\nconst require = createRequire(import.meta.url);\n' : '';
    return `${[...new Set(lines)].join('\n')}\n${require}\n${body}`;
  }
}

/** Whether a method calls the generated action of its own name: `super.find(ctx)` in `find`. */
export function callsSuper(node: Node, name: string | undefined): boolean {
  const ts = compiler();
  let found = false;
  visitAll(node, (one) => {
    const isSuper = ts.isPropertyAccessExpression(one) && one.expression.kind === ts.SyntaxKind.SuperKeyword;
    if (isSuper && one.name.text === name) found = true;
    return !found;
  });
  return found;
}

/** Whether a function sets the status or headers of its response itself, or answers something other than JSON. */
export function answersItself(node: Node): boolean {
  return /\b(?:ctx|context)\.(?:status|type|redirect|respond|res|response|attachment|length)\b|\.(?:created|accepted)\(|\.send\([^()]*(?:\([^()]*\)[^()]*)*,\s*\d{3}\s*\)|createReadStream|Content-Type/u.test(
    node.getText(),
  );
}
