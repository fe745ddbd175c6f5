/** What the parts of this process are doing now. Always maintained, since it costs next to nothing. */
export const gauges = {
  /** Clients that wait for events. */
  eventClients: 0,
  /** How old events were that were told last, in milliseconds. */
  eventLag: 0,
};
