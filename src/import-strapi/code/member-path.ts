/** Chains of members and calls that begin with a name, such as `strapi.plugin('email').service('email').send(mail)`. */
import { bare, compiler, declarationOf, type Expression, initializerOf, type Node, textOfLiteral } from './syntax.ts';

export interface Segment {
  readonly name: string;
  /** Undefined if the member isn't called. */
  readonly arguments: readonly Expression[] | undefined;
}

export interface MemberPath {
  readonly root: string;
  readonly segments: readonly Segment[];
}

/** Whether a name is that of the global object of Strapi, as itself or from the parameter of a factory. */
export function isStrapi(node: Node): boolean {
  const ts = compiler();
  if (!ts.isIdentifier(node) || node.text !== 'strapi') return false;
  const declaration = declarationOf(node, 'strapi');
  if (declaration === undefined || ts.isParameter(declaration)) return true;
  return ts.isVariableDeclaration(declaration) && /\bstrapi$/u.test(declaration.initializer?.getText() ?? '');
}

function segmentsOf(node: Node): { readonly root: Node; readonly segments: readonly Segment[] } | undefined {
  const ts = compiler();
  const inner = bare(node);
  if (ts.isAwaitExpression(inner)) return undefined;
  if (ts.isCallExpression(inner)) {
    const of = segmentsOf(inner.expression);
    const last = of?.segments.at(-1);
    if (!of || !last || last.arguments) return undefined;
    return { root: of.root, segments: [...of.segments.slice(0, -1), { ...last, arguments: inner.arguments }] };
  }
  if (ts.isPropertyAccessExpression(inner)) {
    const of = segmentsOf(inner.expression);
    return of && { root: of.root, segments: [...of.segments, { name: inner.name.text, arguments: undefined }] };
  }
  if (ts.isElementAccessExpression(inner)) {
    const name = textOfLiteral(inner.argumentExpression);
    const of = segmentsOf(inner.expression);
    return of && name !== undefined
      ? { root: of.root, segments: [...of.segments, { name, arguments: undefined }] }
      : undefined;
  }
  return ts.isIdentifier(inner) || inner.kind === ts.SyntaxKind.ThisKeyword || inner.kind === ts.SyntaxKind.SuperKeyword
    ? { root: inner, segments: [] }
    : undefined;
}

/** What constants stand for that are a part of Strapi: `const documents = strapi.documents('api::article.article')`. */
function aliased(root: Node, depth: number): MemberPath | undefined {
  const ts = compiler();
  const declaration = ts.isIdentifier(root) ? declarationOf(root, root.text) : undefined;
  if (!declaration || !ts.isVariableDeclaration(declaration) || !declaration.initializer) return undefined;
  if (ts.isIdentifier(declaration.name)) return strapiPath(declaration.initializer, depth + 1);
  const element = declaration.name.elements.find(
    (one) =>
      ts.isBindingElement(one) && ts.isIdentifier(one.name) && ts.isIdentifier(root) && one.name.text === root.text,
  );
  const of = strapiPath(declaration.initializer, depth + 1);
  if (!of || !element || !ts.isBindingElement(element)) return undefined;
  const name = (element.propertyName ?? element.name).getText();
  return { root: of.root, segments: [...of.segments, { name, arguments: undefined }] };
}

/** The path of an expression that begins with `strapi`, also by way of a constant. */
export function strapiPath(node: Node, depth = 0): MemberPath | undefined {
  const found = segmentsOf(node);
  if (!found || depth > 4) return undefined;
  if (isStrapi(found.root)) return { root: 'strapi', segments: found.segments };
  const of = aliased(found.root, depth);
  return of && isPart(of.segments) ? { root: of.root, segments: [...of.segments, ...found.segments] } : undefined;
}

/** The path of an expression that begins with a name or with `this` or `super`. */
export function pathFrom(node: Node): MemberPath | undefined {
  const found = segmentsOf(node);
  return found && { root: found.root.getText(), segments: found.segments };
}

/** Whether a path leads to a part of Strapi that has the methods, rather than to a result of one. */
export function isPart(segments: readonly Segment[]): boolean {
  const path = segments.map(({ name, arguments: given }) => (given ? `${name}()` : name)).join('.');
  return /^(?:entityService|documents\(\)|db|db\.query|db\.query\(\)|query\(\)|query|service\(\)|services|services\.[^.()]+|api\.[^.()]+\.services\.[^.()]+|log|config|plugins?\b(?:\(\)|\.[^.()]+)(?:\.services?(?:\(\)|\.[^.()]+)?)?)$/u.test(
    path,
  );
}

/** Whether a reference is to a constant that stands for a part of Strapi. */
export function isAliasOfPart(node: Node): boolean {
  const initializer = initializerOf(node);
  const path = initializer && strapiPath(initializer);
  return path !== undefined && isPart(path.segments);
}
