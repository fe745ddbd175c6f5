/** Attributes that are shown, and required, only while a condition on their siblings holds; as the server evaluates it. */
import { conditionNames, holds } from '../../../runtime/src/contract/visibility.ts';
import type { Attributes } from './model.ts';

/** Whether an attribute is visible with these values of its siblings. A value that the form does not know hides nothing. */
export function isVisible(attributes: Attributes, name: string, valueOf: (name: string) => unknown): boolean {
  const visible = attributes[name]?.visible;
  if (!visible) return true;
  const siblingOf = (sibling: string): unknown => (isVisible(attributes, sibling, valueOf) ? valueOf(sibling) : null);
  return conditionNames(visible).some((sibling) => siblingOf(sibling) === undefined) || holds(visible, siblingOf);
}
