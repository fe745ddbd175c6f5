/** Advises indexes for the conditions of rules, which are part of each list that a role reads. */
import { attributeType, canBeIndexed } from '#contract/attribute-types/scalar-type.ts';
import { reportWarning } from '../diagnostics/report.ts';
import { named } from '../diagnostics/visible-text.ts';
import { customUserAttributes } from './built-in-types.ts';
import type { ContentType } from './content-model.ts';
import type { ModelContext } from './model-context.ts';
import type { LocatedCondition } from './resolve-rule.ts';

/** The operators that an index serves. */
const SERVED: ReadonlySet<string> = new Set(['$eq', '$in', '$lt', '$lte', '$gt', '$gte', '$between']);

/** Attributes of the server that have an index. */
const INDEXED: ReadonlySet<string> = new Set(['id', 'documentId', 'locale']);

function isIndexed(type: ContentType, name: string): boolean {
  const attribute = type.attributes.find((one) => one.name === name);
  if (attribute?.kind === 'scalar' && (attribute.unique || attribute.type === 'uid')) return true;
  const firsts = [...type.indexes.map(([key]) => key?.name), ...type.unique.map(([first]) => first)];
  return INDEXED.has(name) || firsts.includes(name);
}

/** The line to write, if an index can be had. */
function lineFor(type: ContentType, names: readonly string[], indexes: string): string | undefined {
  const [name = '', ...further] = names;
  const own = type.builtIn ? customUserAttributes(type) : type.attributes;
  const attribute = own.find((one) => one.name === name);
  if (attribute?.kind === 'scalar') return `\`${name}: { type: ${attribute.type}, index: true }\``;
  if (type.builtIn || (attribute === undefined && further.length > 0)) return undefined;
  return `\`indexes: [${indexes}]\` in ${named(type.uid)}`;
}

/** Whether lists are read by comparing the attribute, and few entries have each of its values. */
function needsIndex({ attribute, operator, isPlain, permission }: LocatedCondition): boolean {
  const reads = permission.endsWith('.find') || permission.endsWith('.preview');
  if (!reads || !isPlain || !SERVED.has(operator) || attribute.kind !== 'scalar') return false;
  return canBeIndexed(attribute.type) && attributeType(attribute.type).columnType !== 'boolean';
}

/** Reports each attribute that rules compare without an index, once. */
export function adviseIndexes(
  { report }: ModelContext,
  types: readonly ContentType[],
  conditions: readonly LocatedCondition[],
): void {
  const seen = new Set<string>();
  for (const condition of conditions.filter(needsIndex)) {
    const { names, location, permission } = condition;
    const type = types.find(({ uid }) => uid === condition.type);
    const path = names.join('.');
    const key = `${condition.type}.${path}`;
    if (!type || seen.has(key) || isIndexed(type, path)) continue;
    seen.add(key);
    const line = lineFor(type, names, `[${path}]`);
    if (line === undefined) continue;
    reportWarning(report, {
      code: 'permission/rule-index',
      message: `the rule of ${named(permission)} compares ${named(key)}, which has no index, so lists become slower with every entry`,
      location,
      hint: `write ${line}`,
    });
  }
}
