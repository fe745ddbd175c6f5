/** The table of the versions of all entries whose types have a history. */
export const HISTORY_TABLE = 'content_history';
