/** Secrets that must not leak, and the detection of leaks. */

/** Values of private attributes and passwords: never in a response, whatever the role. */
export const SECRETS = {
  ssn: 'canary-ssn-4711-0815',
  otherSsn: 'canary-ssn-9999-0000',
  authorEmail: 'canary.author@secret.example',
  otherEmail: 'canary.other@secret.example',
  rank: 80_417_263,
  otherRank: 91_528_374,
  apiKey: 'canary-api-key-of-ann',
  notes: 'canary-notes-of-the-article',
  hidden: 'canary-hidden-in-seo',
  socialToken: 'canary-token-in-social',
  pin: 70_319_284,
  source: 'canary-source-of-quote',
  memo: 'canary-memo-of-home',
  password: 'canary-Password-1!',
} as const;

/** Stored in entries of the type `vault`, which only the role admin and full tokens may find. */
export const VAULT_LABEL = 'canary-label-of-the-vault';

/** The title of an entry that is not published. */
export const DRAFT_TITLE = 'Unpublished canary draft';

/** Patterns that reveal too much about the machine or the code, in responses and in logs. */
const INTERNALS = [
  /\bSQLITE_|\bsqlite3?\b|better-sqlite|node:sqlite|@photostructure/i,
  /\bSELECT\s.+\sFROM\b|\bINSERT\s+INTO\b|\bUPDATE\s+\S+\s+SET\b/,
  /\n\s+at\s+\S|\bnode_modules\b|\/dist\/generated|file:\/\/|\.js:\d+/,
  /\$scrypt\$|\$argon2|\$2[aby]\$|scrypt[:$]/,
  /\.db\b|\.incoming\/[0-9a-f]|\/tmp\//,
  // Whole words only: document ids and entity tags consist of random letters.
  /\b(?:koa|pino|busboy|nodemailer|zod)\b/i,
];

/** All leaks in a text: secrets, the values in `further`, and internals. */
export function leaksIn(text: string, further: readonly string[] = []): string[] {
  const values = [...Object.values(SECRETS).map(String), ...further];
  const found = values.filter((value) => value !== '' && text.includes(value));
  const internals = INTERNALS.flatMap((pattern) => pattern.exec(text)?.[0] ?? []);
  return [...found, ...internals];
}
