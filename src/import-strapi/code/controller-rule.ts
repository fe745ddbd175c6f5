/** What controllers and services inherit in Strapi: `super`, their own methods, and the helpers of core controllers. */
import type { FileContext } from './file-context.ts';
import { pathFrom } from './member-path.ts';
import type { Rule } from './rewriter.ts';
import { compiler, declarationOf, functionAround, type Node, propertyName } from './syntax.ts';
import { translateEntriesCall } from './translate-entries.ts';

/** The method of the module that contains a node. */
export function methodAround(node: Node): string | undefined {
  const ts = compiler();
  for (let func = functionAround(node); func !== undefined; func = functionAround(func)) {
    const named = ts.isMethodDeclaration(func) ? func : ts.isPropertyAssignment(func.parent) ? func.parent : undefined;
    if (named && ts.isObjectLiteralExpression(named.parent)) {
      const outer = functionAround(named);
      if (outer === undefined || !ts.isMethodDeclaration(outer)) return propertyName(named.name);
    }
  }
  return undefined;
}

export function controllerRule(file: FileContext): Rule {
  const ts = compiler();
  const type = file.uid === undefined ? undefined : file.types.get(file.uid);
  return (node, rewriter) => {
    if (!ts.isCallExpression(node) && !ts.isPropertyAccessExpression(node)) return undefined;
    const path = pathFrom(node);
    const [member] = path?.segments ?? [];
    if (!path || !member || path.segments.length !== 1) return undefined;
    const given = member.arguments ?? [];
    const printed = (): readonly string[] => given.map((one) => rewriter.print(one));
    if (path.root === 'super') {
      if (!member.arguments) return undefined;
      if (file.role === 'controller') {
        if (methodAround(node) !== member.name && type !== undefined) {
          const call = printed()[0] ?? 'call';
          return `${rewriter.use('generated')}(${JSON.stringify(type.name)}, '${member.name}', ${call})`;
        }
        if (methodAround(node) !== member.name) {
          return rewriter.mark(
            node,
            `the generated ${member.name} can be called only from ${member.name}: use server.entries`,
          );
        }
        return `next(${printed()[0] ?? 'call'})`;
      }
      const text = type && translateEntriesCall({ api: 'service', type, method: member.name, given }, rewriter, file);
      return text ?? rewriter.mark(node, 'write this with server.entries');
    }
    if (
      path.root !== 'this' ||
      (!ts.isCallExpression(node) &&
        ts.isCallExpression(node.parent) &&
        node.parent.expression === node &&
        file.methods.has(member.name))
    ) {
      return undefined;
    }
    const own = file.methods.get(member.name);
    if (own !== undefined) {
      const isShadowed =
        declarationOf(node, own) !== undefined && functionAround(node) !== undefined && !file.methods.has(own);
      const name = isShadowed ? `self.${member.name}` : own;
      if (isShadowed) rewriter.use('self');
      return member.arguments ? `${name}(${printed().join(', ')})` : name;
    }
    if (file.role !== 'controller' || !member.arguments) return undefined;
    const [first, second] = given;
    const uid = JSON.stringify(type?.name ?? '');
    switch (member.name) {
      case 'transformResponse':
        return `${rewriter.use('answerOf')}(${uid}, ${printed().join(', ')})`;
      case 'sanitizeOutput':
        return (
          first &&
          `${rewriter.use('withoutPrivate')}(${uid}, ${rewriter.print(first)}, ${second ? `${rewriter.print(second)}.caller` : 'undefined'})`
        );
      case 'sanitizeQuery':
        return first && `${rewriter.print(first)}.query`;
      case 'validateQuery':
      case 'validateInput':
        return 'undefined';
      case 'sanitizeInput':
        return first && rewriter.print(first);
      default:
        return rewriter.mark(node, `this.${member.name} is not here`);
    }
  };
}
