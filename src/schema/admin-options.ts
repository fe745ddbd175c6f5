/** The options of `admin` in the schema and in a content type. */
import { PANEL_ICONS } from '#contract/panel-view.ts';
import { columns } from './columns-option.ts';
import { layout } from './layout-option.ts';
import { option } from './option.ts';
import { optionsMap } from './options-map.ts';
import { panelText } from './panel-text.ts';
import { choice, text, textList } from './shape.ts';
import { switchedOptions } from './switched-options.ts';
import { views } from './views-option.ts';

export const adminOptions = {
  previewUrl: option(
    text,
    'URL of the preview of an entry. `{type}`, `{id}`, `{locale}`, names of attributes, and with `api.format` also `{documentId}`, are replaced: `https://example.org/preview/{slug}`.',
  ),
  order: option(
    textList,
    'Content types in the order of the menu and of the start page: `[article, author]`. The others follow, by name. A group stands where its first type does.',
  ),
};

export const adminViewOptions = {
  mainField: option(
    text,
    'The attribute that serves as the title of an entry. By default `title`, `name`, `displayName`, `label`, `username`, `headline` or `slug` if there is one, or else the first short text.',
  ),
  columns: option(
    columns,
    'The columns of the list: attributes, `id`, `createdAt`, `updatedAt` or `publishedAt`. By default the main field and a few others. For roles that need others: `{ author: [title], "*": [title, status] }`, where `*` is for all other roles.',
  ),
  views: option(
    views,
    'What the list can be narrowed to at once, by name: `{ review: { filters: { status: in_review }, roles: [editor] } }`.',
  ),
  plural: option(
    panelText,
    'The name of several entries, in the menu, on the start page and above lists, where forms have `displayName`: `{ en: Articles, de: Artikel }`. By default `displayName`.',
  ),
  group: option(panelText, 'Types with the same group are shown together in the menu.'),
  icon: option(choice(PANEL_ICONS), 'The icon in the menu.'),
  layout: option(
    layout,
    'The rows of the form: an attribute, a list of attributes that stand side by side, or a tab with rows of its own: `[[title, slug], body, { tab: SEO, fields: [seo] }]`. Rows outside of tabs are the first tab. Attributes that are left out follow them. By default all attributes below each other.',
  ),
  sidebar: option(textList, 'Attributes that are shown beside the form: `[status, tags]`.'),
};

/** Turns the admin panel on or off, or configures it. */
export const adminSetting = switchedOptions(adminOptions);

/** How the admin panel shows the entries of a type. */
export const adminView = optionsMap(adminViewOptions);
