/** Migrations can't be applied. The message says what is wrong and what to do about it. */
export class MigrationError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MigrationError';
  }
}
