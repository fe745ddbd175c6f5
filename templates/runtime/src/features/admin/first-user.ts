/**
 * The link by which the first account is made, on a server in development that has nobody who may use the page. Its token is random, in
 * memory alone, and good for one account.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Siblings } from '../../base/siblings.ts';
import type { Fields } from '../../content/validators/field.ts';
import { v } from '../../content/validators/index.ts';
import { ForbiddenError, ValidationError } from '../../contract/errors.ts';
import type { FirstUser, PageAccounts } from '../../http/page-accounts.ts';
import { ACCESS } from './access.ts';

const TOKEN_BYTES = 32;

const fields: Fields = {
  token: v.string({ required: true }),
  email: v.email({ required: true }),
  username: v.string(),
  password: v.password({ required: true, minLength: 6 }),
};

/** The checked body of a request that uses the link. Throws ValidationError. */
export function checkFirstUser(body: unknown): { readonly token: string; readonly user: FirstUser } {
  const options = { draftAndPublish: false, localized: false, unknownAttributes: 'reject' } as const;
  const { values, issues } = v.entry(fields, options).check('create', body);
  if (issues.length > 0) throw new ValidationError(issues);
  const { token, email, password, ...rest } = values;
  return { token: String(token), user: { ...rest, email: String(email), password: String(password) } };
}

export interface FirstUserLink {
  /** Makes a token, which is good until it is used; undefined where somebody may use the page already. */
  open(): Promise<string | undefined>;
  /** Does `work` with the role of the first user. Throws ForbiddenError for another token than the one that is good. */
  use<T>(token: string, work: (accounts: PageAccounts, role: string) => Promise<T>): Promise<T>;
}

function isSame(token: string, other: string): boolean {
  const [one, two] = [token, other].map((text) => createHash('sha256').update(text).digest());
  return one !== undefined && two !== undefined && timingSafeEqual(one, two);
}

const TOPIC = 'first user';

/** Whichever worker makes the token, all of them take it. */
export function createFirstUserLink(loadAccounts: () => Promise<PageAccounts>, siblings: Siblings): FirstUserLink {
  let current: string | undefined;
  const change = (token: string | undefined): void => {
    current = token;
    siblings.tell(TOPIC, token ?? null);
  };
  siblings.onTold(TOPIC, (token) => {
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
        throw new ForbiddenError('This link is no longer good: npm run user -- create makes accounts');
      }
      // Nobody else has it meanwhile.
      change(undefined);
      try {
        const accounts = await loadAccounts();
        const role = await accounts.roleWith(ACCESS);
        if (role === undefined || (await accounts.hasUserWith(ACCESS))) {
          throw new ForbiddenError('There is somebody already who may use this page');
        }
        return await work(accounts, role);
      } catch (error) {
        // Another name or password may do.
        change(given);
        throw error;
      }
    },
  };
}
