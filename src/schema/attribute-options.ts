/** The options of attributes, by attribute type. */
import type { ScalarOption } from '#contract/attribute-types/attribute-type.ts';
import { attributeType, canBeIndexed } from '#contract/attribute-types/scalar-type.ts';
import { deleteRules, relationKinds } from '#contract/content-type.ts';
import { type AttributeType, attributeTypes, mediaTypes } from './keywords.ts';
import { fieldNamePattern } from './name-patterns.ts';
import {
  anyJson,
  choice,
  choiceList,
  condition,
  count,
  exactNumber,
  flag,
  number,
  text,
  textList,
  textMap,
} from './shape.ts';
import { keyword, type Keywords, option } from './option.ts';
import { optionsMap } from './options-map.ts';
import { panelText, panelTextMap } from './panel-text.ts';

export const commonOptions = {
  type: keyword('The type of its values.'),
  required: option(
    flag,
    'Whether a value is required; not in drafts. A list of relations must be set, but may be empty. By default `false`.',
  ),
  unique: option(flag, 'Whether each value may occur only once. By default `false`.'),
  private: option(
    flag,
    'Whether the attribute is hidden from the API: never in a response, nor in filters and sorting. By default `false`.',
  ),
  writable: option(
    flag,
    'Whether a request body may set it. If `false`, only hooks and the server can. By default `true`.',
  ),
  visible: option(
    condition,
    'The condition under which it takes a value, and is required if `required` is set: `{ when: { type: external } }`, `{ when: { type: [a, b] } }` or `{ unless: { type: internal } }`, with other attributes of the same type or component.',
  ),
  default: option(anyJson, 'The value of new entries that have no other.'),
  localized: option(
    flag,
    'In localized types: whether each locale has its own value (default), or all locales share one (`false`).',
  ),
  displayName: option(
    panelText,
    'The name shown to people, in documentation and the admin panel; for languages of the panel: `{ en: Title, de: Titel }`. By default derived from the key: `Meta title` for `metaTitle`.',
  ),
  description: option(panelText, 'A description for code comments, `openapi.json` and documentation.'),
  renamedFrom: option(text, 'The previous name. The next migration renames it and keeps its data.'),
};

/** Options of scalar types. For `min` and `max` of numbers, see `numberRange`. */
export const scalarOptions = {
  minLength: option(count, 'The minimum number of characters. Not checked in drafts.'),
  maxLength: option(count, 'The maximum number of characters.'),
  regex: option(
    text,
    'A regular expression that values must match. Expressions that could backtrack excessively are rejected.',
  ),
  enum: option(textList, 'The allowed values, in order.'),
  enumFrom: option(
    textMap,
    'Replacements for values that were removed from `enum` or are exchanged, in existing entries: `{ idea: draft }`.',
  ),
  enumLabels: option(
    panelTextMap,
    'Names for values of `enum` that people see instead of them: `{ in_review: In review }`, or by language: `{ in_review: { en: In review, de: In Prüfung } }`.',
  ),
  targetField: option(text, 'The attribute from which a required `uid` is derived if it is not sent: `title`.'),
};

/** For attributes that are stored as a single value in a column that the database can index. */
export const indexOption = {
  index: option(
    flag,
    'Whether the database has an index on it, which keeps filters and sorting fast in large tables. It limits texts to 255 characters. By default `false`.',
  ),
};

/** How the admin panel shows a value. */
export const adminFieldOptions = {
  field: option(
    { ...text, jsonSchema: { type: 'string', pattern: fieldNamePattern.source } },
    'The name of a field of your own, which `src/extensions/admin/index.ts` defines: `color-picker`. By default the field of its type.',
  ),
};

/** For single values that a form shows. */
export const fieldOption = {
  admin: option(
    optionsMap(adminFieldOptions, 'map with `field`'),
    'How the admin panel shows it: `{ field: color-picker }` is a field of your own.',
  ),
};

/** The limits of numbers. For exact types, they may be quoted. */
export function numberRange(isExact: boolean) {
  const shape = isExact ? exactNumber : number;
  return { min: option(shape, 'The minimum value.'), max: option(shape, 'The maximum value.') };
}

export const mediaOptions = {
  multiple: option(flag, 'Whether it holds an ordered list of files, or one file (default).'),
  allowedTypes: option(choiceList(mediaTypes), 'The allowed kinds of files. By default all.'),
};

const itemLimits = {
  min: option(count, 'The minimum number of items.'),
  max: option(count, 'The maximum number of items.'),
};

export const componentUseOptions = {
  component: option(text, 'The component: `shared.seo`.'),
  repeatable: option(flag, 'Whether it holds an ordered list of items, or one item (default).'),
  ...itemLimits,
};

export const dynamicZoneOptions = {
  components: option(textList, 'The components that items may have: `[blocks.quote, blocks.gallery]`.'),
  ...itemLimits,
};

export const relationOptions = {
  relation: option(
    choice(relationKinds),
    'The cardinality. `oneWay` (to one entry) and `manyWay` (to many) have no inverse side. `morphToOne` and `morphToMany` relate to several types; `morphOne` and `morphMany` are their inverse side.',
  ),
  target: option(text, 'The related type: `author`. `user` is the built-in type of accounts.'),
  targets: option(textList, 'The related types of `morphToOne` and `morphToMany`.'),
  morphBy: option(
    text,
    'For `morphOne` and `morphMany`: the attribute of the target that owns the relation, and lists this type in its `targets`.',
  ),
  mappedBy: option(
    text,
    'On the inverse side: the attribute of the target that owns the relation, and names this one in `inversedBy`.',
  ),
  inversedBy: option(
    text,
    'On the owning side: the attribute of the target that is the inverse side, and names this one in `mappedBy`.',
  ),
  onDelete: option(
    choice(deleteRules),
    'On the owning side: what deleting the related entry does. `setNull` empties the relation, `cascade` deletes the entries that have it, `restrict` refuses. Lists lose the entry, or `restrict`. By default `restrict` for required relations to one entry, `setNull` for others.',
  ),
};

/** The options of a type, in addition to `commonOptions`. */
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
      const { options, isExact = false, isSecret = false } = attributeType(type);
      const table: Readonly<Record<ScalarOption, Keywords[string]>> = { ...scalarOptions, ...numberRange(isExact) };
      const own = Object.fromEntries(options.map((name) => [name, table[name]]));
      return { ...own, ...(canBeIndexed(type) && indexOption), ...(!isSecret && fieldOption) };
    }
  }
}

/** The names of all options of each attribute type, the common ones first. */
export const optionNames: ReadonlyMap<AttributeType, readonly string[]> = new Map(
  attributeTypes.map((type) => [type, [...Object.keys(commonOptions), ...Object.keys(ownOptions(type))]]),
);
