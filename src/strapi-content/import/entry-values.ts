/** Converts the scalar values of an entity to cells. Values that can't be stored need a person's decision. */
import type { Canonical } from '#contract/attribute-types/attribute-type.ts';
import { attributeType, columnTypeOf, isFreeText } from '#contract/attribute-types/scalar-type.ts';
import type { ContentType, ScalarAttribute } from '#contract/content-type.ts';
import { member } from '../../strapi/records.ts';
import type { Cell } from '#contract/content-transfer.ts';
import { convertValue, isUnique, violatedRule } from './convert-value.ts';
import type { Decided, Decision, Problem } from './decisions.ts';
import { statesOf } from './entity-index.ts';
import { type Conversion, type Entry, isFirst, LEFT_OUT, note } from './entry-notes.ts';
import { createNumberMap, hashText } from '../number-map.ts';
import { isIn, PUBLISHED } from './row-states.ts';
import { attributeOf, isSameKind } from './source-types.ts';

function isNullable({ draftAndPublish, localized }: ContentType, attribute: ScalarAttribute): boolean {
  return attribute.required !== true || draftAndPublish || localized;
}

function scopeOf({ locale, type }: Entry, value: Canonical): string {
  return `${type.type.localized ? locale : ''}|${JSON.stringify(value)}`;
}

/** The value that results from a decision; undefined if the decision is not possible here. */
function valueByDecision(
  entry: Entry,
  name: string,
  attribute: ScalarAttribute,
  value: Canonical,
  decided: Decided,
): Canonical | undefined {
  const { decision } = decided;
  switch (decision) {
    case 'skip':
      note(entry, 'left', 'entries left out by a decision', [name]);
      throw LEFT_OUT;
    case 'clear':
      return isNullable(entry.type.type, attribute) ? null : undefined;
    case 'suffix':
      return typeof value === 'string' && takesSuffix(attribute) ? withSuffix(entry, name, value) : undefined;
    case 'value':
    case 'default': {
      const given = decided.value ?? (decision === 'default' ? attribute.default : undefined);
      if (given === undefined || given === null) return undefined;
      const converted = convertValue(attribute, undefined, given);
      return 'value' in converted ? converted.value : undefined;
    }
  }
}

/** Whether a number can be appended to values: other types, such as dates, have a form of their own. */
function takesSuffix({ type }: ScalarAttribute): boolean {
  return type === 'uid' || (isFreeText(type) && attributeType(type).formatProblem === undefined);
}

/** Texts are cut to this length, so that a suffix fits into a column of limited length. */
const MAX_BASE = 240;

/** Appends the first number that makes the text unique. The search resumes where the previous one for the same text ended. */
function withSuffix(entry: Entry, name: string, value: string): string {
  const { seen } = entry.conversion;
  const kind = `${entry.type.type.uid}.${name}`;
  const last = seen.get(`${kind} suffixes`) ?? createNumberMap();
  seen.set(`${kind} suffixes`, last);
  const base = value.slice(0, MAX_BASE).replace(/[\uD800-\uDBFF]$/u, '');
  const key = hashText(scopeOf(entry, base));
  for (let number = (last.get(key) ?? 1) + 1; ; number += 1) {
    const next = `${base}-${number}`;
    if (seen.get(kind)?.get(hashText(scopeOf(entry, next))) !== undefined) continue;
    last.set(key, number);
    return next;
  }
}

/** Maximum number of problems that are kept: there may be one in every entry. */
export const MAX_PROBLEMS = 10_000;

function addProblem({ problems }: Conversion, problem: Problem): void {
  if (problems.length < MAX_PROBLEMS) problems.push(problem);
}

interface Wrong {
  readonly problem: string;
  readonly choices: readonly Decision[];
}

/** The choices that the attribute allows. */
function possibleChoices(
  choices: readonly Decision[],
  type: ContentType,
  attribute: ScalarAttribute,
): readonly Decision[] {
  return choices.filter((choice) => {
    if (choice === 'clear') return isNullable(type, attribute);
    if (choice === 'suffix') return takesSuffix(attribute);
    return choice !== 'default' || (attribute.default ?? null) !== null;
  });
}

/** Applies the decision about a value that can't be stored. Without a decision, records a problem and returns null as a placeholder. */
function applyDecision(
  entry: Entry,
  name: string,
  attribute: ScalarAttribute,
  value: Canonical,
  wrong: Wrong,
): Canonical {
  const { conversion, type, entity } = entry;
  const choices = possibleChoices(wrong.choices, type.type, attribute);
  const problem: Problem = { type: type.type.uid, attribute: name, id: entity.id, problem: wrong.problem, choices };
  const decision = conversion.decisions.of(problem);
  const made = decision && valueByDecision(entry, name, attribute, value, decision);
  if (decision === undefined || made === undefined) {
    const why = decision
      ? `${wrong.problem}; the decision ${decision.decision} is not possible here, only ${choices.join(', ')}`
      : wrong.problem;
    addProblem(conversion, { ...problem, problem: why });
    return null;
  }
  note(entry, 'changed', 'values changed by a decision', [name], decision.decision);
  return made;
}

/** Whether unique values are a constraint: drafts may repeat what others have. */
function isConstrained({ conversion: { index }, type, entity }: Entry): boolean {
  return isIn(statesOf(index, type, entity.id), PUBLISHED);
}

/** Checks that a value is unique. If not, a decision replaces it, and the new value is checked again. */
function uniqueValue(entry: Entry, name: string, attribute: ScalarAttribute, value: Canonical): Canonical {
  if (value === null || !isUnique(attribute) || !isConstrained(entry)) return value;
  const kind = `${entry.type.type.uid}.${name}`;
  if (isFirst(entry.conversion, kind, scopeOf(entry, value))) return value;
  const wrong: Wrong = {
    problem: `the value ${JSON.stringify(value).slice(0, 100)} must be unique, but another entry already has it`,
    choices: ['clear', 'skip', 'suffix', 'default', 'value'],
  };
  const made = applyDecision(entry, name, attribute, value, wrong);
  if (made === null || isFirst(entry.conversion, kind, scopeOf(entry, made))) return made;
  const { conversion, type, entity } = entry;
  addProblem(conversion, {
    type: type.type.uid,
    attribute: name,
    id: entity.id,
    choices: possibleChoices(wrong.choices, type.type, attribute),
    problem: `${wrong.problem}; the value of the decision is taken too`,
  });
  return null;
}

function scalarValue(entry: Entry, name: string, attribute: ScalarAttribute): Canonical {
  const { type, data, isDraft } = entry;
  const isKnown = attributeOf(type.type, name) !== undefined && Object.hasOwn(type.schema.attributes, name);
  // An attribute that the archive lacks gets its default, as in a new entry.
  if (!isKnown) return attribute.default ?? null;
  const value = isSameKind(attribute, type.schema, name) ? (member(data, name) ?? null) : null;
  if (value === null) {
    if (!isNullable(type.type, attribute)) {
      return applyDecision(entry, name, attribute, null, {
        problem: 'has no value, but is required',
        choices: ['default', 'value', 'skip'],
      });
    }
    if (attribute.required === true && !isDraft) {
      note(entry, 'invalid', 'values that a request would be rejected for', [name], 'is required');
    }
    return null;
  }
  const converted = convertValue(attribute, type.schema.attributes[name], value);
  if ('problem' in converted) {
    return applyDecision(entry, name, attribute, null, {
      problem: converted.problem,
      choices: ['clear', 'skip', 'default', 'value'],
    });
  }
  const broken = violatedRule(attribute, converted.value, isDraft);
  if (broken !== undefined) note(entry, 'invalid', 'values that a request would be rejected for', [name], broken);
  return converted.value;
}

function cellOf(attribute: ScalarAttribute, value: Canonical): Cell {
  if (value === null) return null;
  return columnTypeOf(attribute.type) === 'json' ? JSON.stringify(value) : (value as Cell);
}

/** The cell of an attribute. Throws LEFT_OUT if a decision leaves out the entry. */
export function scalarCell(entry: Entry, name: string, attribute: ScalarAttribute): Cell {
  return cellOf(attribute, uniqueValue(entry, name, attribute, scalarValue(entry, name, attribute)));
}
