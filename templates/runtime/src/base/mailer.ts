/** The interface for sending mail. */

export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

export interface Mailer {
  /** Resolves when the mail was accepted for delivery; rejects otherwise. */
  send(mail: Mail): Promise<void>;
  close?(): void;
}
