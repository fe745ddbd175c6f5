/** Expressions that convert or replace values of members, in each engine's SQL. */
import type { ItemEdit, MemberConversion } from '#contract/migrations/items-edit.ts';
import type { JsonValue } from '../../../model/content-model.ts';
import { oldName } from '../../history/items-edit.ts';

/** An engine's SQL expressions for values inside JSON. */
export interface MemberWriter {
  /** The text of a JSON value; NULL for JSON null. */
  readonly text: (value: string) => string;
  /** The JSON string of a text. */
  readonly json: (text: string) => string;
  /** The JSON number of a text. */
  readonly number: (text: string) => string;
  readonly literal: (text: string) => string;
  /** A JSON value as part of another one. */
  readonly constant: (value: JsonValue) => string;
  readonly concat: (first: string, second: string) => string;
}

const MIDNIGHT = 'T00:00:00.000Z';

function converted(writer: MemberWriter, value: string, to: MemberConversion): string {
  const text = writer.text(value);
  switch (to) {
    case 'text':
      return writer.json(text);
    case 'number':
      return writer.number(text);
    case 'datetime':
      return writer.json(writer.concat(text, writer.literal(MIDNIGHT)));
    case 'date':
      return writer.json(`substr(${text}, 1, 10)`);
  }
}

/** The condition on the text of a datetime that is not midnight UTC, and so can't become a date. */
export function isNotMidnight(text: string): string {
  return `substr(${text}, 11) <> '${MIDNIGHT}'`;
}

/** A value for items that lack a member. */
export interface FilledMember {
  /** Its name after the edit. */
  readonly member: string;
  /** Its name before the edit; undefined if no item has it. */
  readonly from: string | undefined;
  readonly value: JsonValue;
}

/** The members that an edit fills. */
export function filledMembers(edit: ItemEdit): readonly FilledMember[] {
  return (edit.fill ?? []).map(({ member, value }) => ({ member, value, from: oldName(edit, member) }));
}

/** The changed values of members, as WHEN clauses by member name. */
export function memberCases(writer: MemberWriter, value: string, edit: ItemEdit): readonly string[] {
  const { convert, map = [] } = edit;
  const nulls = new Map(filledMembers(edit).map((one) => [one.from, one.value]));
  const filled = [...nulls.keys()].filter((member) => member !== undefined);
  const members = new Set([...[...convert, ...map].map(({ member }) => member), ...filled]);
  return [...members].map((member) => {
    const to = convert.find((one) => one.member === member)?.to;
    const other = to === undefined ? value : converted(writer, value, to);
    const values = map.find((one) => one.member === member)?.values ?? [];
    const cases = values.map((one) => `WHEN ${writer.literal(one.from)} THEN ${writer.json(writer.literal(one.to))}`);
    const result = cases.length === 0 ? other : `CASE ${writer.text(value)} ${cases.join(' ')} ELSE ${other} END`;
    const given = nulls.get(member);
    const whole =
      given === undefined
        ? result
        : `CASE WHEN ${writer.text(value)} IS NULL THEN ${writer.constant(given)} ELSE ${result} END`;
    return `WHEN ${writer.literal(member)} THEN ${whole}`;
  });
}
