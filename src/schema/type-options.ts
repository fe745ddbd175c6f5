/** The keys of a content type, of a component, and of `users`. */
import { adminView } from './admin-options.ts';
import { choice, flag, text, textList, textLists } from './shape.ts';
import { keyword, option } from './option.ts';

const attributes = keyword('The attributes by name, in the order of the answers.');
const displayName = option(text, 'What people call it, for documents and pages.');
const description = option(text, 'What it is, for comments in the code, `openapi.json` and documents.');
const renamedFrom = option(
  text,
  'What it was called when the last migration was written: the next migration renames it and keeps its data.',
);

export const contentTypeOptions = {
  kind: option(
    choice(['collectionType', 'singleType']),
    'Many entries (`collectionType`, default), or one (`singleType`), such as a homepage.',
  ),
  pluralName: option(text, 'The plural API id, as in `/api/articles`. By default the plural of the key.'),
  tableName: option(text, 'The table. By default the plural API id in snake_case.'),
  displayName,
  description,
  draftAndPublish: option(
    flag,
    'Whether entries can be drafts: those are hidden until they are published. By default false.',
  ),
  localized: option(flag, 'Whether an entry has a version for each of the locales. By default false.'),
  renamedFrom,
  indexes: option(
    textLists,
    'Indexes over several attributes, each a list of names, with `-` before those in descending order: `[[status, -rating], [author, -createdAt]]`. `createdAt`, `updatedAt`, `publishedAt` and relations to one entry can be in them too. An attribute of a component that is no list has one of its own: `[seo.metaTitle]`.',
  ),
  search: option(
    textList,
    'The texts in which `_q` searches for words, by an index of them; `title^3` weighs three times as much. Without it `_q` looks through all texts of all entries.',
  ),
  admin: option(adminView, 'How the page for editors shows its entries.'),
  attributes,
};

export const usersOptions = {
  attributes,
  register: option(
    textList,
    'The names of those attributes that people may give when they register. By default none: whoever may change users sets them.',
  ),
};

export const componentOptions = { displayName, description, renamedFrom, attributes };
