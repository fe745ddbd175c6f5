/** Conditions of attributes as Strapi writes them, in JSON logic. */
import type { JsonValue } from './values/json.ts';
import type { Match, Visibility } from './visibility.ts';

/** A comparison that is true if one of the values matches, or with `!=` if none does. */
function comparisonOf(name: string, values: Match[string], operator: '==' | '!='): JsonValue {
  const all = values.map((value): JsonValue => ({ [operator]: [{ var: name }, value] }));
  const [only] = all;
  if (all.length === 1 && only !== undefined) return only;
  return { [operator === '==' ? 'or' : 'and']: all };
}

function logicOf({ when = {}, unless = {} }: Visibility): JsonValue {
  const positive = Object.entries(when).map(([name, values]) => comparisonOf(name, values, '=='));
  const negative = Object.entries(unless).map(([name, values]) => comparisonOf(name, values, '!='));
  const all = [...positive, ...(negative.length > 1 ? [{ or: negative }] : negative)];
  const [only] = all;
  return all.length === 1 && only !== undefined ? only : { and: all };
}

/** The members `required` and `conditions` of an attribute with a condition: `{ "==": [{ "var": "type" }, "external"] }`. */
export function strapiConditions({ visible }: { readonly visible?: Visibility }): Readonly<Record<string, JsonValue>> {
  if (!visible) return {};
  return { ...(visible.required && { required: true }), conditions: { visible: logicOf(visible) } };
}
