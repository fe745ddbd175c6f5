/** The options of attributes, by what they are of. */
import type { ScalarOption } from '#contract/attribute-types/attribute-type.ts';
import { attributeType, canBeIndexed } from '#contract/attribute-types/scalar-type.ts';
import { relationKinds } from '#contract/content-type.ts';
import { type AttributeType, attributeTypes, mediaTypes } from './keywords.ts';
import { anyJson, choice, choiceList, count, exactNumber, flag, number, text, textList, textMap } from './shape.ts';
import { keyword, type Keywords, option } from './option.ts';

export const commonOptions = {
  type: keyword('What its values are.'),
  required: option(
    flag,
    'Whether an entry must have a value. Drafts need none; a list of relations must be given, and may be empty. By default false.',
  ),
  unique: option(flag, 'Whether no two entries may have the same value. By default false.'),
  private: option(flag, 'Never in an answer, and never filtered or sorted by. By default false.'),
  writable: option(flag, '`false`: never taken from a body; only hooks and the server set it. By default true.'),
  default: option(anyJson, 'The value of a new entry that is given none.'),
  localized: option(
    flag,
    'On localized types: whether each locale has a value of its own (default), or all share one (`false`).',
  ),
  description: option(text, 'What it is, for comments in the code, `openapi.json` and documents.'),
  renamedFrom: option(
    text,
    'What it was called when the last migration was written: the next migration renames it and keeps its data.',
  ),
};

/** Options that several types have. `min` and `max` of numbers are `numberRange`. */
export const scalarOptions = {
  minLength: option(count, 'The least number of characters. Not asked of drafts.'),
  maxLength: option(count, 'The greatest number of characters.'),
  regex: option(text, 'A regular expression that texts match; one that could backtrack for long is refused.'),
  enum: option(textList, 'The values that it may have, in order.'),
  enumFrom: option(
    textMap,
    'Values that were removed from `enum`, and what each becomes in existing entries: `{ idea: draft }`.',
  ),
  targetField: option(text, 'The attribute that a required `uid` is derived from where none is sent: `title`.'),
};

/** Of what is one value in a column that the database can hold in order. */
export const indexOption = {
  index: option(
    flag,
    'Whether the database keeps an index of it: filters and sorting by it stay fast in large tables. Texts have at most 255 characters then. By default false.',
  ),
};

/** The limits of numbers; those of exact types may be written in quotes. */
export function numberRange(isExact: boolean) {
  const shape = isExact ? exactNumber : number;
  return { min: option(shape, 'The least value.'), max: option(shape, 'The greatest value.') };
}

export const mediaOptions = {
  multiple: option(flag, 'Whether it is an ordered list of files, or one file (default).'),
  allowedTypes: option(choiceList(mediaTypes), 'Which kinds of files. By default all.'),
};

const itemLimits = {
  min: option(count, 'The least number of items.'),
  max: option(count, 'The greatest number of items.'),
};

export const componentUseOptions = {
  component: option(text, 'The component: `shared.seo`.'),
  repeatable: option(flag, 'Whether it is an ordered list of items, or one (default).'),
  ...itemLimits,
};

export const dynamicZoneOptions = {
  components: option(textList, 'The components that items can be of: `[blocks.quote, blocks.gallery]`.'),
  ...itemLimits,
};

export const relationOptions = {
  relation: option(
    choice(relationKinds),
    'How many of which: `oneWay` is to one and `manyWay` to many, without another side; `morphToOne` and `morphToMany` are to several types, `morphOne` and `morphMany` their other side.',
  ),
  target: option(text, 'The type of the other end: `author`. `user` is the built-in type of accounts.'),
  targets: option(textList, 'Of morph relations: the types of the other end.'),
  morphBy: option(
    text,
    'Of `morphOne` and `morphMany`: the attribute of the target that owns the relation, and has this type among its `targets`.',
  ),
  mappedBy: option(text, 'The attribute of the target that owns the relation, and names this one with `inversedBy`.'),
  inversedBy: option(text, 'The attribute of the target that is the other side, and names this one with `mappedBy`.'),
};

/** What an attribute of a type may have beside what all have. */
export function ownOptions(type: AttributeType): Keywords {
  switch (type) {
    case 'media':
      return mediaOptions;
    case 'relation':
      return relationOptions;
    case 'component':
      return componentUseOptions;
    case 'dynamiczone':
      return dynamicZoneOptions;
    default: {
      const { options, isExact = false } = attributeType(type);
      const table: Readonly<Record<ScalarOption, Keywords[string]>> = { ...scalarOptions, ...numberRange(isExact) };
      const own = Object.fromEntries(options.map((name) => [name, table[name]]));
      return canBeIndexed(type) ? { ...own, ...indexOption } : own;
    }
  }
}

/** The names of the options that an attribute of each type may have, those of every type first. */
export const optionNames: ReadonlyMap<AttributeType, readonly string[]> = new Map(
  attributeTypes.map((type) => [type, [...Object.keys(commonOptions), ...Object.keys(ownOptions(type))]]),
);
