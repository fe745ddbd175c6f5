/** Where the events that clients wait for are stored. */

/** The table of events, a row for each. */
export const EVENT_LOG_TABLE = 'event_log';

/** The table with the last place that was given in their order. */
export const EVENT_POSITIONS_TABLE = 'event_positions';
