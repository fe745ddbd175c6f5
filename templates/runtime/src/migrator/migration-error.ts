/** Migrations can't be applied: what is wrong and what to do, for a person. Nothing was changed. */
export class MigrationError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MigrationError';
  }
}
