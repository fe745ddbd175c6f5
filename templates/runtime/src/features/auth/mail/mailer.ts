/** How a server sends mail. */

export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

export interface Mailer {
  /** Resolves when the mail was taken over; rejects if it was not. */
  send(mail: Mail): Promise<void>;
  close?(): void;
}
