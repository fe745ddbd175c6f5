/** How names are written in a schema. Which of them are taken or too long is for the model to say. */

/** npm's rules for a name without scope, and a letter or digit first, so that it can be a folder and a database too. */
export const projectNamePattern = /^[a-z0-9][a-z0-9._-]{0,99}$/;
export const typeNamePattern = /^[a-z][a-z0-9-]*$/;
/** `category.name` */
export const componentNamePattern = /^[a-z][a-z0-9-]*\.[a-z][a-z0-9-]*$/;
export const attributeNamePattern = /^[A-Za-z][A-Za-z0-9_]*$/;
export const tableNamePattern = /^[a-z][a-z0-9_]*$/;
export const roleNamePattern = /^[a-z][a-z0-9_-]{0,62}$/;
