/** Events of lifecycles as those of hooks. */
import type { FileContext } from './file-context.ts';
import { pathFrom } from './member-path.ts';
import type { Rule } from './rewriter.ts';
import { bare, compiler, declarationOf, isFunc, type Node, propertyName } from './syntax.ts';
import { parameterText } from './types-rule.ts';

/** What Strapi calls, and the hook. */
export const HOOKS: Readonly<Record<string, string>> = {
  beforeCreate: 'beforeCreate',
  afterCreate: 'afterCreate',
  beforeUpdate: 'beforeUpdate',
  afterUpdate: 'afterUpdate',
  beforeDelete: 'beforeDelete',
  afterDelete: 'afterDelete',
};

/** Whether a parameter is the event of a lifecycle. */
function isEvent(node: Node | undefined): boolean {
  const ts = compiler();
  if (!node || !ts.isParameter(node) || !isFunc(node.parent) || node.parent.parameters[0] !== node) return false;
  const func = node.parent;
  const name = ts.isMethodDeclaration(func)
    ? propertyName(func.name)
    : ts.isPropertyAssignment(func.parent)
      ? propertyName(func.parent.name)
      : ts.isFunctionDeclaration(func)
        ? func.name?.text
        : ts.isVariableDeclaration(func.parent)
          ? func.parent.name.getText()
          : undefined;
  return name !== undefined && /^(?:before|after)[A-Z]/u.test(name);
}

function isEventName(node: Node): boolean {
  const ts = compiler();
  return ts.isIdentifier(node) && isEvent(declarationOf(node, node.text));
}

export function lifecyclesRule(file: FileContext): Rule {
  const ts = compiler();
  return (node, rewriter) => {
    if (file.role !== 'lifecycles' && file.role !== 'start') return undefined;
    if (ts.isParameter(node) && isEvent(node)) {
      rewriter.use('HookCall');
      return `${parameterText(node, (one) => one.getText())
        .replace(/\??: *[\s\S]*$/u, '')
        .replace(/^\(/u, '(')}: HookCall${parameterText(node, (one) => one.getText()).startsWith('(') ? ')' : ''}`;
    }
    if (!ts.isPropertyAccessExpression(node)) return undefined;
    const path = pathFrom(node);
    let root: Node = bare(node);
    while (!ts.isIdentifier(root) && 'expression' in root) root = bare(root.expression as Node);
    if (!path || path.segments.some(({ arguments: given }) => given) || !isEventName(root)) return undefined;
    const event = path.root;
    const names = path.segments.map(({ name }) => name).join('.');
    if (names === 'params.data') return `${event}.data`;
    if (names === 'params.where.id') return `${event}.id`;
    if (names === 'state' || names === 'action' || names === 'model') {
      return rewriter.mark(node, `hooks have no event.${names}: the hook itself says which type and which action`);
    }
    return undefined;
  };
}
