/**
 * The link that creates the first account, on a development server without any user who may open the admin page. Its token is random,
 * kept in memory only, and valid for one account.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Siblings } from '../../base/siblings.ts';
import type { Fields } from '../../content/validators/field.ts';
import { bodyValidators } from '../../content/validators/entry.ts';
import { scalarField } from '../../content/validators/scalar-field.ts';
import { ForbiddenError, ValidationError } from '../../contract/errors.ts';
import type { FirstUser, PageAccounts } from '../../http/page-accounts.ts';
import { ACCESS } from './access.ts';

const TOKEN_BYTES = 32;

const fields: Fields = {
  token: scalarField('string', { required: true }),
  email: scalarField('email', { required: true }),
  username: scalarField('string'),
  password: scalarField('password', { required: true, minLength: 6 }),
};

/** Validates the body of a request that uses the link. Throws ValidationError. */
export function checkFirstUser(body: unknown): { readonly token: string; readonly user: FirstUser } {
  const options = { draftAndPublish: false, localized: false, unknownAttributes: 'reject' } as const;
  const { values, issues } = bodyValidators(fields, options).check('create', body);
  if (issues.length > 0) throw new ValidationError(issues);
  const { token, email, password, ...rest } = values;
  return { token: String(token), user: { ...rest, email: String(email), password: String(password) } };
}

export interface FirstUserLink {
  /** Creates a token, valid until it is used; undefined if a user already has access to the page. */
  open(): Promise<string | undefined>;
  /** Calls `work` with the role for the first user. Throws ForbiddenError unless the token is valid. */
  use<T>(token: string, work: (accounts: PageAccounts, role: string) => Promise<T>): Promise<T>;
}

function isSame(token: string, other: string): boolean {
  const [one, two] = [token, other].map((text) => createHash('sha256').update(text).digest());
  return one !== undefined && two !== undefined && timingSafeEqual(one, two);
}

const TOPIC = 'first user';

/** The token is broadcast to all workers, so each of them accepts it. */
export function createFirstUserLink(loadAccounts: () => Promise<PageAccounts>, siblings: Siblings): FirstUserLink {
  let current: string | undefined;
  const change = (token: string | undefined): void => {
    current = token;
    siblings.publish(TOPIC, token ?? null);
  };
  siblings.subscribe(TOPIC, (token) => {
    current = typeof token === 'string' ? token : undefined;
  });
  return {
    async open() {
      if (await (await loadAccounts()).hasUserWith(ACCESS)) return undefined;
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      change(token);
      return token;
    },
    async use(token, work) {
      const given = current;
      if (given === undefined || !isSame(token, given)) {
        throw new ForbiddenError('This link is no longer valid. To create an account: npm run server -- user create');
      }
      // Invalidates the token while it is in use, so that a concurrent request can't use it too.
      change(undefined);
      try {
        const accounts = await loadAccounts();
        const role = await accounts.roleWith(ACCESS);
        if (role === undefined || (await accounts.hasUserWith(ACCESS))) {
          throw new ForbiddenError('There is already an account that may use this page');
        }
        return await work(accounts, role);
      } catch (error) {
        // Valid again: the user may retry with another name or password.
        change(given);
        throw error;
      }
    },
  };
}
