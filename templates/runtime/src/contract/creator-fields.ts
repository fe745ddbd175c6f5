/**
 * The attributes of a type with `creatorFields`: read-only relations to the users who have created an entry, and changed it last. No
 * schema can give other attributes these names.
 */
export const CREATOR_FIELDS: ReadonlySet<string> = new Set(['createdBy', 'updatedBy']);
