/** Says in words what a statement does to component items, as its SQL is hard to read. */
import type { ItemEdit, ItemsEdit } from '#contract/migrations/items-edit.ts';

function describeItem(edit: ItemEdit, path: string): readonly string[] {
  const named = (member: string): string => `${path}${member}`;
  if (edit.remove) return [`removes items of ${edit.component ?? ''}`];
  return [
    ...(edit.renamedTo === undefined ? [] : [`calls items of ${edit.component ?? ''} ${edit.renamedTo}`]),
    ...edit.rename.map(({ from, to }) => `renames ${named(from)} to ${to}`),
    ...edit.drop.map((member) => `removes ${named(member)}`),
    ...edit.convert.map(({ member, to }) => `converts ${named(member)} to ${to}`),
    ...(edit.map ?? []).map(({ member }) => `replaces values of ${named(member)}`),
    ...(edit.fill ?? []).map(
      ({ member, value }) => `sets ${named(member)} to ${JSON.stringify(value)} where it is missing`,
    ),
    ...edit.nested.flatMap(({ member, edit: inner }) => describeItems(inner, `${named(member)}.`)),
  ];
}

function describeItems({ becomes, items }: ItemsEdit, path: string): readonly string[] {
  const whole = path === '' ? 'the value' : path.slice(0, -1);
  const form = becomes === 'list' ? [`makes a list of ${whole}`] : [`keeps the first item of ${whole}`];
  return [...(becomes === undefined ? [] : form), ...items.flatMap((item) => describeItem(item, path))];
}

/** What an edit does to the items in a column: `In seo: renames title to name; removes note.` */
export function describeEdit(column: string, edit: ItemsEdit): string {
  return `In ${column}: ${describeItems(edit, '').join('; ')}. Everything else in the JSON stays as it is.`;
}
