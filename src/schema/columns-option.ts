/** `columns` of `admin` of a type: for all roles, or for each. */
import type { Located } from './located.ts';
import { readEntries, type Reader, type Reading, readingOf, readList, readText } from './reader.ts';
import { type Shape, textList } from './shape.ts';

/** `role` is undefined for all roles that have no columns of their own. */
export interface WrittenColumns {
  readonly role: Located<string> | undefined;
  readonly columns: readonly Located<string>[];
}

/** The key for the roles that no other key names. */
export const OTHER_ROLES = '*';

function readColumns(reader: Reader, reading: Reading): readonly Located<string>[] | undefined {
  return readList(reader, reading, (item) => readText(reader, item));
}

export const columns: Shape<readonly WrittenColumns[]> = {
  read(reader, fields, key) {
    const reading = readingOf(fields, key);
    if (reading === undefined) return undefined;
    if (reading.node.kind !== 'map') {
      const all = readColumns(reader, reading);
      return all && [{ role: undefined, columns: all }];
    }
    return readEntries(reader, reading)?.flatMap(({ key: name, location, value }) => {
      const own = readColumns(reader, { node: value, location, what: `\`columns\` of \`${name}\`` });
      return own === undefined
        ? []
        : [{ role: name === OTHER_ROLES ? undefined : { value: name, location }, columns: own }];
    });
  },
  written: 'list of texts, or lists by role',
  jsonSchema: { anyOf: [textList.jsonSchema, { type: 'object', additionalProperties: textList.jsonSchema }] },
};
