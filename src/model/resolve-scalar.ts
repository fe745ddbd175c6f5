/** Scalar attributes. */
import { MAX_SHORT_LENGTH } from '#contract/attribute-types/attribute-type.ts';
import { enumText } from '#contract/attribute-types/enumeration.ts';
import { attributeType, canBeIndexed, isFreeText } from '#contract/attribute-types/scalar-type.ts';
import { type Report, reportError, reportHint, reportWarning } from '../diagnostics/report.ts';
import { suggestion } from '../diagnostics/suggest.ts';
import { named, quoted } from '../diagnostics/visible-text.ts';
import type { Located, ScalarDefinition } from '../schema/definition.ts';
import { fieldNamePattern } from '../schema/name-patterns.ts';
import type { ScalarAttribute } from './content-model.ts';
import type { ModelContext, Owner } from './model-context.ts';
import { checkRegex } from './regex/check-regex.ts';
import { resolveDefault } from './resolve-default.ts';
import { checkCounts, resolveRange } from './resolve-range.ts';

const maxEnumValues = 1000;

/** The regular expression, if it is valid and safe to run. */
function resolveRegex({ report }: ModelContext, { name, regex }: ScalarDefinition): string | undefined {
  const fault = regex && checkRegex(regex.value);
  if (regex === undefined || fault === undefined) return regex?.value;
  return reportError(report, {
    code: 'attribute/regex',
    message: `the regular expression of ${named(name)} is not allowed: ${fault.message}`,
    location: regex.location,
    hint: fault.hint,
  });
}

/** What is wrong with a value of an enumeration. Tabs and line ends are allowed, since values of imported projects have them. */
export function enumValueFault(value: string): string | undefined {
  if (value.trim() === '') return 'is blank';
  if (/(?![\t\n\r])[\p{Cc}\p{Zl}\p{Zp}]/u.test(value)) return 'contains a control character';
  return [...value].length > MAX_SHORT_LENGTH ? `has more than ${MAX_SHORT_LENGTH} characters` : undefined;
}

function checkEnum({ report }: ModelContext, { name, location, enum: members }: ScalarDefinition): void {
  const code = 'attribute/enum';
  if (members.length === 0) {
    const hint = 'for example enum: [draft, done]';
    reportError(report, {
      code,
      message: `the enumeration ${named(name)} must have at least one value`,
      location,
      hint,
    });
  }
  if (members.length > maxEnumValues) {
    const message = `the enumeration ${named(name)} has ${members.length} values; the maximum is ${maxEnumValues}`;
    reportError(report, { code, message, location, hint: 'use a content type with a relation to it instead' });
    return;
  }
  const seen = new Map<string, ScalarDefinition['enum'][number]>();
  for (const member of members) {
    const fault = enumValueFault(member.value);
    const key = member.value.normalize('NFC');
    const first = seen.get(key);
    if (fault !== undefined) {
      const message = `the value ${quoted(member.value)} of ${named(name)} ${fault}`;
      reportError(report, { code, message, location: member.location });
    } else if (first !== undefined) {
      const message = `the value ${quoted(member.value)} of ${named(name)} occurs twice`;
      const related = [{ message: 'it first occurs here', location: first.location }];
      reportError(report, { code, message, location: member.location, related });
    } else {
      seen.set(key, member);
    }
  }
  const padded = members.find(({ value }) => value.trim() !== '' && value.trim() !== value);
  if (padded === undefined) return;
  const message = `the value ${quoted(padded.value)} of ${named(name)} begins or ends with a space, a tab or a line end, which clients must send too`;
  reportHint(report, { code, message, location: padded.location, hint: 'write it without, unless clients rely on it' });
}

/** Former values: each must map to a current one, and none may still be a value, unless values are exchanged with each other. */
function checkEnumFrom({ report }: ModelContext, { name, enum: members, enumFrom }: ScalarDefinition): void {
  const code = 'attribute/enum';
  const values = members.map(({ value }) => value);
  const kept = enumFrom.filter(({ from }) => values.includes(from.value));
  const replacements = new Set(kept.map(({ to }) => to.value));
  const isExchange = replacements.size === kept.length && kept.every(({ from }) => replacements.has(from.value));
  for (const { from, to } of enumFrom) {
    const isValue = isExchange ? undefined : members.find(({ value }) => value === from.value);
    if (isValue) {
      const message = `\`enumFrom\` of ${named(name)} replaces ${quoted(from.value)}, which is still one of its values`;
      const related = [{ message: 'it is defined here', location: isValue.location }];
      const hint = 'remove it from `enum` or from `enumFrom`';
      reportError(report, { code, message, location: from.location, related, hint });
    }
    if (values.includes(to.value)) continue;
    const message = `\`enumFrom\` of ${named(name)} replaces ${quoted(from.value)} by ${quoted(to.value)}, which is not one of its values`;
    const hint = suggestion(to.value, values) ?? `use one of ${enumText(values)}`;
    reportError(report, { code, message, location: to.location, hint });
  }
}

/** Names of values: each of a value that there is. */
function checkEnumLabels({ report }: ModelContext, { name, enum: members, enumLabels = [] }: ScalarDefinition): void {
  const values = members.map(({ value }) => value);
  for (const { from } of enumLabels) {
    if (values.includes(from.value)) continue;
    const message = `\`enumLabels\` of ${named(name)} names ${quoted(from.value)}, which is not one of its values`;
    const hint = suggestion(from.value, values) ?? `use one of ${enumText(values)}`;
    reportError(report, { code: 'attribute/enum', message, location: from.location, hint });
  }
}

function checkField({ report }: ModelContext, { name, admin }: ScalarDefinition): void {
  const field = admin?.field;
  if (field === undefined || fieldNamePattern.test(field.value)) return;
  reportError(report, {
    code: 'attribute/admin',
    message: `\`field\` of ${named(name)} is not a valid name: ${quoted(field.value)}`,
    location: field.location,
    hint: 'use lower-case letters and digits, joined by hyphens: color-picker',
  });
}

/**
 * The server generates a value only for required uids. Users may expect it for optional ones too, since Strapi's admin
 * panel fills them.
 */
function warnIfNotGenerated(report: Report, definition: ScalarDefinition, targetField: Located<string>): void {
  const { type, name, required, default: fallback } = definition;
  if (type !== 'uid' || required) return;
  reportHint(report, {
    code: 'attribute/optional-uid',
    message: `${named(name)} is optional, so no value is generated for it; if none is sent, it is ${fallback ? 'its default' : 'null'}`,
    location: targetField.location,
    hint: `to generate it from ${named(targetField.value)}, add \`required: true\`; otherwise \`targetField\` has no effect`,
  });
}

function checkTargetField({ report }: ModelContext, owner: Owner, definition: ScalarDefinition): void {
  const { targetField, name } = definition;
  if (targetField === undefined) return;
  const texts = owner.attributes.filter((attribute) => attribute.kind === 'scalar' && isFreeText(attribute.type));
  const target = texts.find((attribute) => attribute.name === targetField.value);
  if (target === undefined) {
    const isThere = owner.attributes.some((attribute) => attribute.name === targetField.value);
    const problem = isThere ? 'which is not text' : `which ${named(owner.uid)} does not have`;
    reportError(report, {
      code: 'attribute/target-field',
      message: `\`targetField\` of ${named(name)} is ${named(targetField.value)}, ${problem}`,
      location: targetField.location,
      hint: suggestion(
        targetField.value,
        texts.map((attribute) => attribute.name),
      ),
    });
    return;
  }
  warnIfNotGenerated(report, definition, targetField);
  if (target.private && !definition.private) {
    reportWarning(report, {
      code: 'attribute/target-field',
      message: `${named(name)} is public, but generated from ${named(targetField.value)}, which is private`,
      location: targetField.location,
      related: [{ message: 'it is defined as private here', location: target.location }],
    });
  }
}

function checkUnique({ report }: ModelContext, { name, type, unique, minLength, maxLength }: ScalarDefinition): void {
  if (unique?.value !== true && type !== 'uid') return;
  if (unique?.value === true && !attributeType(type).canBeUnique) {
    const message = `${named(name)} can't be unique, because values of the type \`${type}\` can't be indexed`;
    reportError(report, { code: 'attribute/unique', message, location: unique.location });
  }
  for (const length of [minLength, maxLength]) {
    if (length === undefined || length.value <= MAX_SHORT_LENGTH) continue;
    const message = `${named(name)} is unique, so it can have at most ${MAX_SHORT_LENGTH} characters`;
    reportError(report, { code: 'attribute/range', message, location: length.location });
  }
}

/** Whether the attribute is in an index. Problems with that are reported. */
function isIndexed(context: ModelContext, owner: Owner, definition: ScalarDefinition): boolean {
  const { name, type, index, minLength, maxLength } = definition;
  const isNamed = owner.indexed?.has(name) === true && canBeIndexed(type);
  if (owner.kind === 'component' && index?.value === true) {
    reportWarning(context.report, {
      code: 'attribute/without-effect',
      message: `\`index\` of ${named(name)} has no effect, because ${named(owner.uid)} is stored inside other entries`,
      location: index.location,
      hint: `to index it in a type with a non-repeatable attribute seo, add indexes: [[seo.${name}]] to the type`,
    });
  }
  if ((owner.kind === 'component' || index?.value !== true) && !isNamed) return false;
  for (const length of [minLength, maxLength]) {
    if (length === undefined || length.value <= MAX_SHORT_LENGTH) continue;
    const message = `${named(name)} is indexed, so it can have at most ${MAX_SHORT_LENGTH} characters`;
    reportError(context.report, {
      code: 'attribute/range',
      message,
      location: length.location,
      hint: `use at most ${MAX_SHORT_LENGTH}, or remove it from the index`,
    });
  }
  return true;
}

/** Resolves a scalar attribute, and reports its problems. */
export function resolveScalar(
  context: ModelContext,
  owner: Owner,
  definition: ScalarDefinition,
): Omit<
  ScalarAttribute,
  | 'name'
  | 'required'
  | 'private'
  | 'writable'
  | 'localized'
  | 'displayName'
  | 'description'
  | 'texts'
  | 'renamedFrom'
  | 'location'
> {
  const { report } = context;
  const { type, minLength, maxLength } = definition;
  const regex = resolveRegex(context, definition);
  const { min, max } = resolveRange(report, definition);
  checkCounts(report, definition.name, minLength, maxLength, ['minLength', 'maxLength']);
  checkUnique(context, definition);
  checkTargetField(context, owner, definition);
  checkField(context, definition);
  if (type === 'enumeration') {
    checkEnum(context, definition);
    checkEnumFrom(context, definition);
    checkEnumLabels(context, definition);
  }
  const indexed = isIndexed(context, owner, definition);
  const isBounded = indexed && attributeType(type).options.includes('maxLength');
  const rules = {
    minLength: minLength?.value,
    maxLength: isBounded ? Math.min(maxLength?.value ?? MAX_SHORT_LENGTH, MAX_SHORT_LENGTH) : maxLength?.value,
    regex,
    min,
    max,
    enum: definition.enum.map((member) => member.value),
  };
  return {
    kind: 'scalar',
    type,
    unique: definition.unique?.value ?? false,
    default: resolveDefault(report, definition, rules),
    ...rules,
    ...(definition.enumFrom.length > 0
      ? { enumFrom: definition.enumFrom.map(({ from, to }) => ({ from: from.value, to: to.value })) }
      : {}),
    ...(definition.enumLabels?.length
      ? { enumLabels: Object.fromEntries(definition.enumLabels.map(({ from, to }) => [from.value, to.value])) }
      : {}),
    ...(definition.admin?.field && { field: definition.admin.field.value }),
    targetField: definition.targetField?.value,
    ...(indexed ? { indexed } : {}),
    ...(indexed && owner.kind !== 'component' && definition.index?.value === true ? { index: true } : {}),
  };
}
