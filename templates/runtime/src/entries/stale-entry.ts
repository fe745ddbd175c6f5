/** Another request has changed what this one's checks were based on, so they must be repeated. Never reaches clients. */
export class StaleEntryError extends Error {
  constructor() {
    super('another request changed the entry');
    this.name = 'StaleEntryError';
  }
}
