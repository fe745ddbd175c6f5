/** What Strapi itself brings to every project: the uids of its types, and the attributes that it adds to those of others. */

export const FILE = 'plugin::upload.file';
export const FOLDER = 'plugin::upload.folder';
export const LOCALE = 'plugin::i18n.locale';
export const PERMISSION = 'plugin::users-permissions.permission';
export const ROLE = 'plugin::users-permissions.role';
export const USER = 'plugin::users-permissions.user';

/** Its types that a project here has under names of its own: uid → name. */
export const BUILT_IN: ReadonlyMap<string, string> = new Map([
  [FILE, 'file'],
  [USER, 'user'],
  [ROLE, 'user-role'],
]);

/** The attributes that it adds to every type, or to some. */
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

/** Keys of its core store. */
export const DEFAULT_LOCALE_KEY = 'plugin_i18n_default_locale';
export const ACCOUNTS_KEY = 'plugin_users-permissions_advanced';
