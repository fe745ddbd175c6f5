/** A file of a project's own code, parsed, and what can be told of it before it is translated. */
import type { ClassifiedFile } from './classify.ts';
import type { ModuleShape } from './module-shape.ts';
import { compiler, type Node, type SourceFile } from './syntax.ts';

export interface Parsed extends ClassifiedFile {
  readonly source: SourceFile;
  readonly shape: ModuleShape;
}

export function isEmptyFunction(node: Node): boolean {
  const ts = compiler();
  const isEmpty = (body: Node | undefined): boolean =>
    body !== undefined && ts.isBlock(body) && body.statements.length === 0;
  if (ts.isMethodDeclaration(node)) return isEmpty(node.body);
  return ts.isPropertyAssignment(node) && ts.isArrowFunction(node.initializer) && isEmpty(node.initializer.body);
}

/** Nothing but what Strapi writes itself: a factory without own code, functions without a body. */
export function isGenerated({ role, shape, source }: Parsed): boolean {
  if (source.statements.length === 0) return true;
  if (shape.factory !== undefined && shape.value === undefined) return !hasMore(source);
  const { object } = shape;
  if (shape.factory === 'createCoreRouter') return false;
  if (object && (role === 'start' || role === 'controller' || role === 'service')) {
    return object.properties.every(isEmptyFunction);
  }
  return false;
}

/** Whether a file has functions, classes or exports beside its default export. */
function hasMore(source: SourceFile): boolean {
  const ts = compiler();
  return source.statements.some(
    (one) =>
      ts.isFunctionDeclaration(one) ||
      ts.isClassDeclaration(one) ||
      (ts.isVariableStatement(one) && /^export\b/u.test(one.getText())),
  );
}

/** Whether what a file becomes has a default export. */
export function hasDefault({ role, shape, source }: Parsed): boolean {
  if ((role === 'controller' || role === 'service') && (shape.object !== undefined || shape.factory !== undefined)) {
    return false;
  }
  if (role === 'lifecycles' || role === 'cron' || role === 'start' || role === 'routes') return false;
  return shape.statement !== undefined || /^\s*(?:module\.)?exports\.\w+\s*=/mu.test(source.text);
}
