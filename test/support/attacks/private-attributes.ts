/** Everything in fixtures/attacked that no response may contain, and how a request would name it. */
import { SECRETS } from './canaries.ts';
import { EVERYBODY } from './guesses.ts';
import type { Who } from './seed.ts';

/** `filters[a][b]` for `a.b`. */
export function filtersOf(path: string): string {
  return `filters${path
    .split('.')
    .map((name) => `[${name}]`)
    .join('')}`;
}

/** Private attributes and passwords of each list: the path to them, a right guess and a wrong one of the same kind. */
const PRIVATE: Readonly<Record<string, readonly (readonly [path: string, right: string | number, wrong: string])[]>> = {
  '/api/articles': [
    ['notes', SECRETS.notes, 'canary-nothing'],
    ['editors.name', 'Ann', 'Zoe'],
    ['editors.id', 1, '99'],
    ['author.ssn', SECRETS.ssn, 'canary-nothing'],
    ['author.email', SECRETS.authorEmail, 'nobody@secret.example'],
    ['author.secretRank', SECRETS.rank, '1'],
    ['author.apiKey', SECRETS.apiKey, 'canary-nothing'],
    ['seo.hidden', SECRETS.hidden, 'canary-nothing'],
    ['seo.social.token', SECRETS.socialToken, 'canary-nothing'],
    ['seo.social.card.pin', SECRETS.pin, '1'],
    ['seo.social.card.author.ssn', SECRETS.ssn, 'canary-nothing'],
    ['related.notes', SECRETS.notes, 'canary-nothing'],
    ['related.author.ssn', SECRETS.ssn, 'canary-nothing'],
    ['author.articles.author.articles.author.secretRank', SECRETS.rank, '1'],
    ['tags.articles.notes', SECRETS.notes, 'canary-nothing'],
    ['author.account.password', SECRETS.password, 'canary-nothing'],
    ['author.account.resetPasswordToken', 'a', 'b'],
  ],
  '/api/authors': [
    ['email', SECRETS.authorEmail, 'nobody@secret.example'],
    ['ssn', SECRETS.ssn, 'canary-nothing'],
    ['secretRank', SECRETS.rank, '1'],
    ['articles.notes', SECRETS.notes, 'canary-nothing'],
    ['articles.seo.hidden', SECRETS.hidden, 'canary-nothing'],
  ],
  '/api/home': [
    ['memo', SECRETS.memo, 'canary-nothing'],
    ['featured.notes', SECRETS.notes, 'canary-nothing'],
  ],
  '/api/users': [
    ['password', SECRETS.password, 'canary-nothing'],
    ['tokenGeneration', 0, '7'],
    ['confirmationToken', 'a', 'b'],
  ],
};

/** The callers that may read each list. */
export const MAY_LIST: Readonly<Record<string, readonly Who[]>> = {
  '/api/articles': EVERYBODY,
  '/api/authors': ['reader', 'writer', 'admin', 'fullToken', 'readOnlyToken'],
  '/api/home': ['reader', 'writer', 'admin', 'fullToken', 'readOnlyToken'],
  '/api/users': ['admin', 'fullToken', 'readOnlyToken'],
};

/** One guess: a right and a wrong one, encoded for a URL. */
type Case = readonly [list: string, who: Who, path: string, right: string, wrong: string];

/** All guesses, by every caller that may read the list. */
export const CASES: readonly Case[] = Object.entries(PRIVATE).flatMap(([list, attributes]) =>
  (MAY_LIST[list] ?? []).flatMap((who) =>
    attributes.map(([path, right, wrong]): Case => [
      list,
      who,
      path,
      encodeURIComponent(String(right)),
      encodeURIComponent(wrong),
    ]),
  ),
);
