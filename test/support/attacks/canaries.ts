/** What must not get out, and how it is noticed. */

/** Stored in private attributes and passwords: nobody is ever answered these, in whatever role. */
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

/** What would say too much about the machine and the code, in answers and in logs. */
const INTERNALS = [
  /\bSQLITE_|\bsqlite3?\b|better-sqlite|node:sqlite|@photostructure/i,
  /\bSELECT\s.+\sFROM\b|\bINSERT\s+INTO\b|\bUPDATE\s+\S+\s+SET\b/,
  /\n\s+at\s+\S|\bnode_modules\b|\/dist\/generated|file:\/\/|\.js:\d+/,
  /\$scrypt\$|\$argon2|\$2[aby]\$|scrypt[:$]/,
  /\.db\b|\.incoming\/[0-9a-f]|\/tmp\//,
  // As words: ids of documents and tags are of random letters.
  /\b(?:koa|pino|busboy|nodemailer|zod)\b/i,
];

/** Every secret that a text holds, by its value or by what it looks like. */
export function leaksIn(text: string, further: readonly string[] = []): string[] {
  const values = [...Object.values(SECRETS).map(String), ...further];
  const found = values.filter((value) => value !== '' && text.includes(value));
  const internals = INTERNALS.flatMap((pattern) => pattern.exec(text)?.[0] ?? []);
  return [...found, ...internals];
}
