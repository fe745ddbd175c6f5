/** Where schedules and releases are stored. */

/** The table of entries that are published or taken back at a time, a row for each of the two. */
export const PUBLICATIONS_TABLE = 'scheduled_publications';

/** The table of releases. */
export const RELEASES_TABLE = 'planned_releases';
