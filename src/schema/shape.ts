/** Shapes of option values: how to read them, and their JSON Schemas for editors. */
import type { JsonSchema } from '#contract/routes/json-schema.ts';
import type { Located, WrittenDefault, WrittenNumber } from './located.ts';
import {
  booleanField,
  choiceField,
  choiceListField,
  countField,
  flagOrWordField,
  numberField,
  sizeField,
  textField,
  textListField,
  textListsField,
  type TextMap,
  textMapField,
} from './read-field.ts';
import { readDefault } from './read-json.ts';
import type { Fields, Reader } from './reader.ts';

export interface Shape<T> {
  /** The value of the option `key`; `undefined` if it is absent, or invalid and reported. */
  read(reader: Reader, fields: Fields, key: string): T | undefined;
  /** What to write, for the reference. */
  readonly written: string;
  /** Draft 7, which editors support best. */
  readonly jsonSchema: JsonSchema;
}

export const text: Shape<Located<string>> = {
  read: textField,
  written: 'text',
  jsonSchema: { type: 'string', minLength: 1 },
};

export const textList: Shape<readonly Located<string>[]> = {
  read: textListField,
  written: 'list of texts',
  jsonSchema: { type: 'array', items: text.jsonSchema },
};

export const textLists: Shape<readonly Located<readonly Located<string>[]>[]> = {
  read: textListsField,
  written: 'list of lists of texts',
  jsonSchema: { type: 'array', items: { ...textList.jsonSchema, minItems: 1 } },
};

export const textMap: Shape<TextMap> = {
  read: textMapField,
  written: 'map of texts',
  jsonSchema: { type: 'object', additionalProperties: text.jsonSchema },
};

export const flag: Shape<Located<boolean>> = {
  read: booleanField,
  written: '`true` or `false`',
  jsonSchema: { type: 'boolean' },
};

/** `true`, `false` or a given word. */
export function flagOrWord<Word extends string>(word: Word): Shape<Located<boolean | Word>> {
  return {
    read: (reader, fields, key) => flagOrWordField(reader, fields, key, word),
    written: `\`true\`, \`false\` or \`${word}\``,
    jsonSchema: { enum: [true, false, word] },
  };
}

/** A non-negative integer. */
export const count: Shape<Located<number>> = {
  read: countField,
  written: 'whole number',
  jsonSchema: { type: 'integer', minimum: 0 },
};

/** A number of bytes: `1mb`, `512kb`, `4096`. */
export const size: Shape<Located<number>> = {
  read: sizeField,
  written: 'size',
  jsonSchema: { type: ['string', 'integer'], pattern: '^[1-9][0-9]{0,11}([kKmM]?[bB])?$', minimum: 1 },
};

export const number: Shape<WrittenNumber> = {
  read: (reader, fields, key) => numberField(reader, fields, key, { isExact: false }),
  written: 'number',
  jsonSchema: { type: 'number' },
};

/** May be quoted, with more digits than a JavaScript number holds. */
export const exactNumber: Shape<WrittenNumber> = {
  read: (reader, fields, key) => numberField(reader, fields, key, { isExact: true }),
  written: 'number',
  jsonSchema: { type: ['number', 'string'], pattern: '^[-+]?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?$' },
};

export const anyJson: Shape<WrittenDefault> = {
  read: (reader, fields, key) => readDefault(reader, fields.get(key)),
  written: 'any',
  jsonSchema: {},
};

const conditionValues: JsonSchema = {
  type: 'object',
  minProperties: 1,
  additionalProperties: { type: ['string', 'number', 'boolean', 'null', 'array'] },
};

/** A condition on other attributes, which the content model checks. */
export const condition: Shape<WrittenDefault> = {
  read: (reader, fields, key) => readDefault(reader, fields.get(key)),
  written: 'map with `when` or `unless`',
  jsonSchema: {
    type: 'object',
    minProperties: 1,
    additionalProperties: false,
    properties: { when: conditionValues, unless: conditionValues },
  },
};

function listed(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(' ');
}

/** One of the given words. */
export function choice<T extends string>(words: readonly T[]): Shape<Located<T>> {
  return {
    read: (reader, fields, key) => choiceField(reader, fields, key, words),
    written: listed(words),
    jsonSchema: { enum: words },
  };
}

/** A list of the given words. `hintFor` returns a hint for a known wrong word. */
export function choiceList<T extends string>(
  words: readonly T[],
  hintFor?: (word: string) => string | undefined,
): Shape<readonly Located<T>[]> {
  return {
    read: (reader, fields, key) => choiceListField(reader, fields, key, words, hintFor),
    written: `list of ${listed(words)}`,
    jsonSchema: { type: 'array', items: { enum: words } },
  };
}
