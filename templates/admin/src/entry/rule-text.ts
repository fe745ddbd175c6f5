/** Why an entry can't be edited: the rule of the role, in words. */
import { type ContentType, labelOf } from '../model/model.ts';

type Filter = Readonly<Record<string, unknown>>;

function isFilter(value: unknown): value is Filter {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface Condition {
  /** Labels of the attributes on the way. */
  readonly labels: readonly string[];
  readonly values: readonly unknown[];
}

/** The equalities that a filter demands; undefined if it demands anything else. */
function conditionsOf(filter: Filter, labels: readonly string[], type?: ContentType): readonly Condition[] | undefined {
  const found: Condition[] = [];
  for (const [key, value] of Object.entries(filter)) {
    if (key === '$eq' || key === '$in') {
      found.push({ labels, values: Array.isArray(value) ? value : [value] });
      continue;
    }
    if (key.startsWith('$')) return undefined;
    const path = key === 'id' && labels.length > 0 ? labels : [...labels, labelOf(key, type?.attributes[key])];
    const nested = isFilter(value) ? conditionsOf(value, path) : [{ labels: path, values: [value].flat() }];
    if (!nested) return undefined;
    found.push(...nested);
  }
  return found;
}

/** `Author: you`, for a rule `{ author: $user }`; undefined if it is more than equalities. `you` stands for the caller. */
export function ruleText(where: Filter, type: ContentType, you: string): string | undefined {
  const conditions = conditionsOf(where, [], type);
  if (!conditions || conditions.length === 0) return undefined;
  const nameOf = (value: unknown): string =>
    value === '$user' ? you : typeof value === 'string' ? value.replace(/^\$user\./u, `${you} · `) : String(value);
  return conditions.map(({ labels, values }) => `${labels.join(' · ')}: ${values.map(nameOf).join(', ')}`).join('; ');
}
