/** Values of members that become others, in each engine's SQL. */
import type { ItemEdit, MemberConversion } from '../../history/items-edit.ts';

/** How an engine writes a value inside of JSON. All are expressions. */
export interface MemberWriter {
  /** The text of a JSON value; NULL of none. */
  readonly text: (value: string) => string;
  /** JSON of a text. */
  readonly json: (text: string) => string;
  /** JSON of a text that is a number. */
  readonly number: (text: string) => string;
  readonly literal: (text: string) => string;
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

/** The condition on the text of a moment that is no date: it is not the first of its day. */
export function isNoDate(text: string): string {
  return `substr(${text}, 11) <> '${MIDNIGHT}'`;
}

/** The values of members that change, each as a case of the member's name. */
export function memberCases(writer: MemberWriter, value: string, { convert, map = [] }: ItemEdit): readonly string[] {
  const members = new Set([...convert, ...map].map(({ member }) => member));
  return [...members].map((member) => {
    const to = convert.find((one) => one.member === member)?.to;
    const other = to === undefined ? value : converted(writer, value, to);
    const values = map.find((one) => one.member === member)?.values ?? [];
    const cases = values.map((one) => `WHEN ${writer.literal(one.from)} THEN ${writer.json(writer.literal(one.to))}`);
    const result = cases.length === 0 ? other : `CASE ${writer.text(value)} ${cases.join(' ')} ELSE ${other} END`;
    return `WHEN ${writer.literal(member)} THEN ${result}`;
  });
}
