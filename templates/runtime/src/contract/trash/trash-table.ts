/** The table of deleted entries that can be restored. */
export const TRASH_TABLE = 'trashed_entries';
