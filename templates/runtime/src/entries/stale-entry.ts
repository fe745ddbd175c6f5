/** Another request changed what the checks of this one were based on; they have to be made again. Never answered. */
export class StaleEntryError extends Error {
  constructor() {
    super('another request changed the entry');
    this.name = 'StaleEntryError';
  }
}
