/** Names that Strapi itself defines: uids of its types, and attributes that it adds to other types. */

export const FILE = 'plugin::upload.file';
export const FOLDER = 'plugin::upload.folder';
export const LOCALE = 'plugin::i18n.locale';
export const PERMISSION = 'plugin::users-permissions.permission';
export const ROLE = 'plugin::users-permissions.role';
export const USER = 'plugin::users-permissions.user';

/** Strapi's types that are built-in types here: uid → name. */
export const BUILT_IN: ReadonlyMap<string, string> = new Map([
  [FILE, 'file'],
  [USER, 'user'],
  [ROLE, 'user-role'],
]);

/** Attributes that Strapi adds to all or some types. */
export const SYSTEM_ATTRIBUTES: ReadonlySet<string> = new Set([
  'id',
  'documentId',
  'createdAt',
  'updatedAt',
  'publishedAt',
  'firstPublishedAt',
  'createdBy',
  'updatedBy',
  'locale',
  'localizations',
]);

/** Keys in Strapi's core store. */
export const DEFAULT_LOCALE_KEY = 'plugin_i18n_default_locale';
export const ACCOUNTS_KEY = 'plugin_users-permissions_advanced';
