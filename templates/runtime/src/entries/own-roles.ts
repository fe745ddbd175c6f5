/** Roles for the project's own code. */

export interface OwnRole {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  /** The name in permissions and in `caller.role`, such as `authenticated`. It follows from the first name of the role. */
  readonly type: string;
  /** The names of the permissions, such as `article.find`. */
  readonly permissions: readonly string[];
  /** How many users have the role. */
  readonly users: number;
}

/** What may be set. Permissions that are given replace all others. */
export interface RoleData {
  readonly name: string;
  readonly description?: string | null;
  readonly permissions?: readonly string[];
}

/** Like the API, each change applies to all processes of the server, and to users who are signed in. */
export interface OwnRoles {
  find(): Promise<readonly OwnRole[]>;
  /** Throws NotFoundError. */
  findOne(id: number): Promise<OwnRole>;
  /** Throws ValidationError. */
  create(data: RoleData): Promise<OwnRole>;
  /** Throws NotFoundError and ValidationError. */
  update(id: number, data: Partial<RoleData>): Promise<OwnRole>;
  /** Its users get the role `authenticated`. Throws NotFoundError, and HttpError 400 for the roles that every server has. */
  delete(id: number): Promise<void>;
}

const refused = (): Promise<never> =>
  Promise.reject(new Error('roles are changed outside of transactions, since their permissions are cached'));

/** Roles within a transaction, which only reads them. */
export function readOnlyRoles({ find, findOne }: OwnRoles): OwnRoles {
  return { find, findOne, create: refused, update: refused, delete: refused };
}
