/** `visible` of attributes: the condition on siblings under which they take a value. */
import {
  COMPARED_TYPES,
  conditionNames,
  type ConditionValue,
  type Match,
  type Visibility,
} from '#contract/visibility.ts';
import { reportError } from '../diagnostics/report.ts';
import { suggestion } from '../diagnostics/suggest.ts';
import { named, quoted } from '../diagnostics/visible-text.ts';
import type { AttributeDefinition, JsonValue, ScalarDefinition } from '../schema/definition.ts';
import { type ModelContext, type Owner, USER_TYPE } from './model-context.ts';

const EXAMPLE = 'for example visible: { when: { type: external } }';

type Json = JsonValue | undefined;

function isMap(value: Json): value is Readonly<Record<string, JsonValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface Written {
  readonly context: ModelContext;
  readonly owner: Owner;
  readonly definition: AttributeDefinition;
}

/** Reports a problem. Returns undefined: the condition is not resolved. */
function refuse(
  { context, definition }: Written,
  problem: string,
  hint: string | null | undefined = EXAMPLE,
): undefined {
  const location = definition.visible?.location ?? definition.location;
  reportError(context.report, {
    code: 'attribute/visible',
    message: `\`visible\` of ${named(definition.name)} ${problem}`,
    location,
    hint: hint ?? undefined,
  });
  return undefined;
}

/** The attribute that a condition compares; reports one that does not exist or can't be compared. */
function comparedAttribute(written: Written, name: string): ScalarDefinition | undefined {
  const { owner, definition } = written;
  const others = owner.attributes.filter((one) => one.name !== definition.name);
  // The messages of conditions would reveal private values.
  const isOpen = (one: AttributeDefinition): boolean => !one.private || definition.private;
  const able = others.filter(
    (one): one is ScalarDefinition => one.kind === 'scalar' && one.type in COMPARED_TYPES && isOpen(one),
  );
  const found = able.find((one) => one.name === name);
  if (found) return found;
  const known = owner.attributes.find((one) => one.name === name);
  const why = !known
    ? `which ${named(owner.uid)} does not have`
    : known === definition
      ? 'which is the attribute itself'
      : !isOpen(known)
        ? `which is private, unlike ${named(definition.name)}`
        : `which is not one of ${Object.keys(COMPARED_TYPES).join(', ')}`;
  const hint = suggestion(
    name,
    able.map((one) => one.name),
  );
  return refuse(written, `depends on ${named(name)}, ${why}`, hint);
}

function checkValue(written: Written, attribute: ScalarDefinition, value: JsonValue): void {
  if (value === null) return;
  const type = COMPARED_TYPES[attribute.type];
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (typeof value !== type) {
    const shown = typeof value === 'object' ? 'a map or list' : quoted(text);
    const hint = type === 'string' ? `quote it: "${text}"` : `write a ${type ?? 'value'} without quotes`;
    refuse(written, `compares ${named(attribute.name)} with ${shown}, which is no ${type ?? 'value'}`, hint);
    return;
  }
  const values = attribute.enum.map((one) => one.value);
  if (attribute.type !== 'enumeration' || values.includes(text)) return;
  const hint = suggestion(text, values) ?? `use one of ${values.join(', ')}`;
  refuse(written, `compares ${named(attribute.name)} with ${quoted(text)}, which is not one of its values`, hint);
}

function resolveMatch(written: Written, key: 'when' | 'unless', match: Json): Match | undefined {
  if (match === undefined) return undefined;
  if (!isMap(match) || Object.keys(match).length === 0) {
    return refuse(written, `must have a map of attributes and values in \`${key}\``);
  }
  const entries = Object.entries(match).map(([name, value]) => {
    const values = Array.isArray(value) ? value : [value];
    if (values.length === 0) refuse(written, `has no values for ${named(name)}`);
    const attribute = comparedAttribute(written, name);
    if (attribute) for (const one of values) checkValue(written, attribute, one);
    return [name, values as ConditionValue[]] as const;
  });
  return Object.fromEntries(entries);
}

/** The attributes on which the condition of an attribute depends, as written. */
function writtenNames({ visible }: AttributeDefinition): readonly string[] {
  const value = visible?.value;
  if (!isMap(value)) return [];
  return ['when', 'unless'].flatMap((key) => {
    const match = value[key];
    return isMap(match) ? Object.keys(match) : [];
  });
}

/** Whether the condition of an attribute depends on the attribute itself, through those of others. */
function isCircular({ attributes }: Owner, definition: AttributeDefinition): boolean {
  const seen = new Set<string>();
  const open = [...writtenNames(definition)];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (name === definition.name) return true;
    if (seen.has(name)) continue;
    seen.add(name);
    const next = attributes.find((one) => one.name === name);
    if (next) open.push(...writtenNames(next));
  }
  return false;
}

/** The condition of an attribute; undefined if it has none. Problems are reported. */
export function resolveVisible(
  context: ModelContext,
  owner: Owner,
  definition: AttributeDefinition,
): Visibility | undefined {
  if (!definition.visible) return undefined;
  const written = { context, owner, definition };
  const { value } = definition.visible;
  const unknown = isMap(value) ? Object.keys(value).filter((key) => key !== 'when' && key !== 'unless') : [];
  if (!isMap(value) || Object.keys(value).length === 0 || unknown.length > 0) {
    return refuse(written, 'must be a map with `when`, `unless` or both');
  }
  if (owner.uid === USER_TYPE) return refuse(written, 'is not possible for attributes of users', null);
  const when = resolveMatch(written, 'when', value['when']);
  const unless = resolveMatch(written, 'unless', value['unless']);
  const visibility = {
    ...(when && { when }),
    ...(unless && { unless }),
    ...(definition.required && { required: true as const }),
  };
  const isOwn = conditionNames(visibility).includes(definition.name);
  if (!isOwn && isCircular(owner, definition)) refuse(written, 'depends on itself', null);
  return visibility;
}
