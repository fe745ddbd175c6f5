/** What remains of `plugin` in code that extends the accounts of Strapi. */
import { pathFrom } from './member-path.ts';
import type { Rule } from './rewriter.ts';
import { compiler } from './syntax.ts';

export const INSTEAD =
  'the built-in actions can only be replaced: hooks of user (beforeRegister, afterRegister, beforeSignIn) run around them';

/** What remains of the plugin: its actions, services and types. */
export const pluginRule: Rule = (node, rewriter) => {
  const ts = compiler();
  if (!ts.isPropertyAccessExpression(node) && !ts.isElementAccessExpression(node) && !ts.isCallExpression(node)) {
    return undefined;
  }
  return pathFrom(node)?.root === 'plugin' ? rewriter.mark(node, INSTEAD) : undefined;
};
