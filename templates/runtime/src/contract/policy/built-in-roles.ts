/** The roles that every server has. */

/** The role of callers who are not signed in. */
export const PUBLIC = 'public';

/** The role of users without another role. */
export const AUTHENTICATED = 'authenticated';

export const BUILT_IN_ROLES: readonly string[] = [PUBLIC, AUTHENTICATED];
