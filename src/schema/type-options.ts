/** The keys of a content type, of a component, and of `users`. */
import { adminView } from './admin-options.ts';
import { historySetting } from './history-options.ts';
import { trashSetting } from './trash-option.ts';
import { panelText } from './panel-text.ts';
import { choice, flag, text, textList, textLists } from './shape.ts';
import { keyword, option } from './option.ts';

const attributes = keyword('The attributes by name, in the order in which responses have them.');
const displayName = option(
  panelText,
  'The name shown to people, in documentation and the admin panel; for languages of the panel: `{ en: Article, de: Artikel }`.',
);
const description = option(panelText, 'A description for code comments, `openapi.json` and documentation.');
const renamedFrom = option(text, 'The previous name. The next migration renames it and keeps its data.');

export const contentTypeOptions = {
  kind: option(
    choice(['collectionType', 'singleType']),
    'Whether it has many entries (`collectionType`, default) or a single one (`singleType`), such as a homepage.',
  ),
  pluralName: option(
    text,
    'The plural API id, used in paths such as `/api/articles`. By default the plural of the key.',
  ),
  tableName: option(text, 'The name of the database table. By default the plural API id in snake_case.'),
  displayName,
  description,
  draftAndPublish: option(
    flag,
    'Whether entries can be drafts, which are hidden until they are published. By default `false`.',
  ),
  history: option(
    historySetting,
    'Whether the versions of each entry are kept: `true`, or a map that limits them with `keep`. By default `false`.',
  ),
  trash: option(
    trashSetting,
    'For how many days entries that were deleted can be restored, such as `30d`. By default they are gone at once.',
  ),
  creatorFields: option(
    flag,
    'Whether entries know who has created them, and who has changed them last: the read-only relations `createdBy` and `updatedBy` to users. By default `false`.',
  ),
  localized: option(flag, 'Whether entries can be translated: one version for each locale. By default `false`.'),
  renamedFrom,
  indexes: option(
    textLists,
    'Indexes over several attributes, each a list of names, where `-` means descending: `[[status, -rating], [author, -createdAt]]`. They may include `createdAt`, `updatedAt`, `publishedAt` and relations to one entry. An attribute of a non-repeatable component needs an index of its own: `[seo.metaTitle]`.',
  ),
  unique: option(
    textLists,
    'Combinations of attributes that may occur only once, each a list of names: `[[event, author]]`. They may include relations to one entry. Entries that lack one of the values are not compared.',
  ),
  key: option(
    text,
    'The attribute by which `GET` also finds an entry, beside its id: with `key: slug`, `/api/articles/my-slug`. A `uid`, or a unique string.',
  ),
  tenant: option(
    text,
    'A required relation to one entry, such as `site`: unique values are then unique within each of its targets, and every index begins with it. The attribute must not differ between locales.',
  ),
  tenantHost: option(
    text,
    'The unique text of the tenant, such as `domain`, that is the host of a request: visitors then reach the entries of the tenant of the host. With users that belong to a tenant, those reach the entries of their own.',
  ),
  search: option(
    textList,
    'The texts in which `_q` searches for words, with a full-text index. `title^3` has three times the weight. Without this option, `_q` scans all texts of all entries.',
  ),
  admin: option(adminView, 'How the admin panel shows its entries.'),
  attributes,
};

export const usersOptions = {
  attributes,
  register: option(
    textList,
    'The attributes that people may set when they register. By default none; only callers who may change users can set them.',
  ),
};

export const componentOptions = { displayName, description, renamedFrom, attributes };
