/** The grammar of names in a schema. Whether a name is taken or too long is checked with the model. */

/**
 * npm's rules for a name without scope; it also starts with a letter or digit, so that it can name a folder and a
 * database.
 */
export const projectNamePattern = /^[a-z0-9][a-z0-9._-]{0,99}$/;
export const typeNamePattern = /^[a-z][a-z0-9-]*$/;
/** `category.name` */
export const componentNamePattern = /^[a-z][a-z0-9-]*\.[a-z][a-z0-9-]*$/;
export const attributeNamePattern = /^[A-Za-z][A-Za-z0-9_]*$/;
/** A field of the team's own in the admin panel. */
export const fieldNamePattern = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
export const tableNamePattern = /^[a-z][a-z0-9_]*$/;
export const roleNamePattern = /^[a-z][a-z0-9_-]{0,62}$/;
