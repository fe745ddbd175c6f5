/** Attributes that are shown, and required, only while a condition on their siblings holds; as the server evaluates it. */
import type { Attributes } from './model.ts';

type Match = Readonly<Record<string, readonly unknown[]>>;

export interface Visibility {
  readonly when?: Match;
  readonly unless?: Match;
  readonly required?: boolean;
}

/** The attributes on which a condition depends. */
export function conditionNames({ when = {}, unless = {} }: Visibility): string[] {
  return [...new Set([...Object.keys(when), ...Object.keys(unless)])];
}

/** Whether an attribute is visible with these values of its siblings. A value that the form does not know hides nothing. */
export function isVisible(attributes: Attributes, name: string, valueOf: (name: string) => unknown): boolean {
  const visible = attributes[name]?.visible;
  if (!visible) return true;
  const siblingOf = (sibling: string): unknown => (isVisible(attributes, sibling, valueOf) ? valueOf(sibling) : null);
  const siblings = new Map(conditionNames(visible).map((sibling) => [sibling, siblingOf(sibling)]));
  if ([...siblings.values()].includes(undefined)) return true;
  const matches = (match: Match): boolean =>
    Object.entries(match).every(([sibling, values]) => values.includes(siblings.get(sibling)));
  return (!visible.when || matches(visible.when)) && !(visible.unless && matches(visible.unless));
}
