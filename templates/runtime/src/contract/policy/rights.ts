/**
 * The rights that a request needs for everything it touches besides the entries in its path, which need only the action of the
 * route (`allow`). Code that is about to touch something checks the right by its name in this table, so the table is the complete
 * policy; `rights.test.ts` tests each row with a caller who lacks that right.
 *
 * No check of a right reads the database: permissions are sets in memory.
 */
import { ForbiddenError } from '../errors.ts';
import { type AnyAction, type Caller, may } from './caller.ts';
import { permissionName } from './permission-name.ts';
import { isSameRule } from './permission-set.ts';
import { LINK, type Permissions } from './rule.ts';

interface Right {
  /** What is touched. */
  readonly touches: string;
  /** The requests, or parts of them, that touch it. */
  readonly by: string;
  /** The type or endpoint whose permission is needed. */
  readonly of: string;
  /** Any one of these actions is enough; `everything`: all permissions that the other user, role or token has. */
  readonly needs: readonly [AnyAction, ...AnyAction[]] | 'everything';
  /** The status of the response if the caller lacks the right. */
  readonly without: 400 | 403 | 404;
}

// prettier-ignore
const TABLE = {
  drafts:           { touches: 'drafts', by: 'publicationState=preview, at every level', of: 'the type of the drafts', needs: ['preview'], without: 403 },
  related:          { touches: 'entries behind a relation', by: 'filters, sort; populate leaves them out', of: 'their type', needs: ['find'], without: 400 },
  targets:          { touches: 'entries that are added to a relation', by: 'create, update', of: 'their type', needs: ['find'], without: 400 },
  otherSides:       { touches: 'entries of the other side that own a relation', by: 'create, update through the inverse side', of: 'the type of the other side', needs: ['update'], without: 400 },
  referrers:        { touches: 'entries that refer to a deleted entry', by: 'destroy', of: 'their type', needs: ['update'], without: 403 },
  cascaded:         { touches: 'entries that are deleted with another', by: 'destroy', of: 'their type', needs: ['delete'], without: 403 },
  formerOwners:     { touches: 'the entry that loses its one-to-one partner', by: 'create, update', of: 'the type itself', needs: ['update'], without: 400 },
  namedFiles:       { touches: 'files by their ids', by: 'create, update', of: 'upload', needs: ['find', 'findOne'], without: 400 },
  newFiles:         { touches: 'files that are uploaded with a body', by: 'create, update in multipart form', of: 'upload', needs: ['upload'], without: 403 },
  replacedFiles:    { touches: 'the bytes of an existing file', by: 'upload of a replacement', of: 'upload', needs: ['destroy'], without: 403 },
  attachedEntries:  { touches: 'the entry that gets the files of an upload', by: 'upload with ref', of: 'the type of the entry', needs: ['update'], without: 403 },
  sourceLocales:    { touches: 'the entry that a locale is added to', by: 'localizations', of: 'the type itself', needs: ['find', 'findOne'], without: 404 },
  sourceDrafts:     { touches: 'a draft that a locale is added to', by: 'localizations', of: 'the type itself', needs: ['preview'], without: 404 },
  sharedAttributes: { touches: 'values that all locales of an entry share', by: 'localizations, with another value', of: 'the type itself', needs: ['update'], without: 403 },
  users:            { touches: 'a user', by: 'update, destroy of users', of: 'users', needs: 'everything', without: 403 },
  givenRoles:       { touches: 'the role that a user gets', by: 'create, update of users, destroy of roles', of: 'roles', needs: 'everything', without: 403 },
  roles:            { touches: 'a role', by: 'update, destroy of roles', of: 'roles', needs: 'everything', without: 403 },
  givenPermissions: { touches: 'permissions that are granted', by: 'create, update of roles, create of tokens', of: 'roles, tokens', needs: 'everything', without: 403 },
  tokens:           { touches: 'an API token', by: 'destroy of tokens, unless the caller has created it', of: 'tokens', needs: 'everything', without: 403 },
} as const satisfies Readonly<Record<string, Right>>;

export type RightName = keyof typeof TABLE;

export const RIGHTS: Readonly<Record<RightName, Right>> = TABLE;

/** Rights that depend on the permissions of another user or role. */
type AuthorityName = {
  [Name in RightName]: (typeof TABLE)[Name]['needs'] extends 'everything' ? Name : never;
}[RightName];
/** Rights that depend on an action. */
export type ActionRightName = Exclude<RightName, AuthorityName>;

/** Actions on a type or endpoint; a permission for any one of them gives the right. */
export function actionsFor(right: ActionRightName): readonly AnyAction[] {
  return TABLE[right].needs;
}

/** Whether the caller has a right on the type or endpoint `uid`. */
export function hasRight(caller: Pick<Caller, 'permissions'>, right: ActionRightName, uid: string): boolean {
  return actionsFor(right).some((action) => may(caller, action, uid));
}

/** Log message about the permissions that the caller lacks. */
export function missingPermissionsMessage({ role }: Caller, right: ActionRightName, uid: string): string {
  const names = actionsFor(right).map((action) => permissionName(uid, action));
  return `${role} lacks ${names.join(' and ')}, needed for ${TABLE[right].touches}`;
}

/** The error for a caller who lacks a right. `message` is for the response. */
export function forbidden(caller: Caller, right: ActionRightName, uid: string, message?: string): ForbiddenError {
  return new ForbiddenError({ message, reason: missingPermissionsMessage(caller, right, uid) });
}

/** Throws ForbiddenError unless the caller has the right. */
export function requireRight(caller: Caller, right: ActionRightName, uid: string): void {
  if (!hasRight(caller, right, uid)) throw forbidden(caller, right, uid);
}

/** Whether a permission only narrows what others reach: having it is no right. */
function onlyNarrows(permission: string): boolean {
  return permission.endsWith(`.${LINK}`);
}

/** What the caller would need to reach all that `permissions` reach; undefined if nothing is missing. */
function lackOf({ permissions: own }: Caller, permissions: Permissions): string | undefined {
  const { rules = {} } = permissions;
  for (const permission of permissions) {
    if (onlyNarrows(permission)) continue;
    if (!own.has(permission)) return permission;
    const rule = own.rules?.[permission];
    if (rule && !isSameRule(rule, rules[permission])) return `${permission} without a rule`;
  }
  const narrowing = Object.entries(own.rules ?? {}).find(
    ([name, rule]) => onlyNarrows(name) && !isSameRule(rule, rules[name]),
  );
  return narrowing && `what ${narrowing[0]} leaves out`;
}

/**
 * Throws ForbiddenError unless the caller has all of `permissions`: nobody may change users or roles with more permissions, or grant
 * permissions that they lack themselves. Who has a permission with a rule may only grant it with an equal one.
 */
export function requireAuthority(caller: Caller, right: AuthorityName, permissions: Permissions | undefined): void {
  const lack = permissions && permissions.size > 0 ? lackOf(caller, permissions) : undefined;
  if (lack === undefined) return;
  throw new ForbiddenError({ reason: `${caller.role} lacks ${lack}, needed for ${TABLE[right].touches}` });
}

/** The permissions of a token that its maker still has: a permission taken from a user is also taken from the user's tokens. */
export function stillHeld(given: Iterable<string>, maker: ReadonlySet<string>): readonly string[] {
  return [...given].filter((permission) => maker.has(permission));
}
