/**
 * What an account on MySQL or MariaDB sees of tables: the catalogue hides triggers and foreign keys from read-only accounts.
 */
import type { Executor } from '../../database/executor.ts';
import { raw } from '../../database/sql.ts';

const GRANT = /^GRANT (?<rights>.+?) ON (?:TABLE )?(?<database>\*|`(?:[^`]|``)+`)\.(?<table>\*|`(?:[^`]|``)+`) TO /su;
/** MySQL does not show which privileges the roles of an account have. */
const ROLE = /^GRANT (?:[`'][^`']*[`']@[`'][^`']*[`'](?:,\s*)?)+ TO /u;

/** Privileges that make triggers visible; on MySQL only the first two do. */
const SHOW_TRIGGERS = ['ALL PRIVILEGES', 'TRIGGER', 'INSERT', 'UPDATE', 'DELETE'];
/** Privileges that don't make foreign keys visible. */
const HIDE_KEYS = ['SELECT', 'USAGE'];

interface Grant {
  readonly rights: readonly string[];
  /** A pattern for databases, and a table; `*` means all. */
  readonly database: string;
  readonly table: string;
}

function unquoted(name: string): string {
  return name === '*' ? name : name.slice(1, -1).replaceAll('``', '`');
}

function grantIn(line: string): Grant | undefined {
  const { rights = '', database, table } = GRANT.exec(line)?.groups ?? {};
  if (database === undefined || table === undefined) return undefined;
  return { rights: rights.split(', '), database: unquoted(database), table: unquoted(table) };
}

/** Whether a name matches the database pattern of a grant: `%` and `_` are wildcards, unless escaped by a backslash. */
function isLike(pattern: string, name: string): boolean {
  const source = pattern.replaceAll(/\\[%_]|[%_]|[\\^$.*+?()[\]{}|]/gu, (piece) => {
    if (piece === '%') return '.*';
    if (piece === '_') return '.';
    return piece.length > 1 ? piece.slice(1) : `\\${piece}`;
  });
  return new RegExp(`^${source}$`, 'su').test(name);
}

/** The length of a pattern up to its first wildcard. */
function preciseness(pattern: string): number {
  return pattern.replaceAll(/\\[%_]/gu, '.').search(/[%_]|$/u);
}

/** The grants that apply to a database: of several patterns that match, only the most precise one. */
function effective(grants: readonly Grant[], own: string): readonly Grant[] {
  const inOwn = grants.filter(({ database, table }) => database !== '*' && table === '*' && isLike(database, own));
  const [first] = inOwn.toSorted((a, b) => preciseness(b.database) - preciseness(a.database));
  return grants.filter(
    (grant) => grant.database === '*' || grant === first || (grant.table !== '*' && grant.database === own),
  );
}

/** What an account sees. */
export interface CatalogueRights {
  sees(of: 'trigger' | 'foreign key', table: string): boolean;
  /** The statement that makes everything visible. */
  readonly remedy: string;
}

export async function readCatalogueRights(executor: Executor): Promise<CatalogueRights> {
  const row = await executor.get(raw('SELECT DATABASE() AS own, CURRENT_USER() AS account, VERSION() AS version'));
  const own = String(row?.['own']);
  const showing = SHOW_TRIGGERS.slice(0, String(row?.['version']).includes('MariaDB') ? undefined : 2);
  const lines = (await executor.all(raw('SHOW GRANTS'))).flatMap((one) => Object.values(one).map(String));
  const grants = effective(
    lines.flatMap((line) => grantIn(line) ?? []),
    own,
  );
  // If the privileges are unknown, nothing is assumed to be hidden.
  const isUnclear = lines.some((line) => ROLE.test(line));
  // A grant for a less precise pattern might have no effect.
  const pattern = grants.find(({ database, table }) => database !== '*' && table === '*')?.database ?? own;
  const account = String(row?.['account'])
    .split('@')
    .map((part) => `'${part}'`)
    .join('@');
  return {
    sees(of, table) {
      const rights = grants.flatMap((grant) => (grant.table === '*' || grant.table === table ? grant.rights : []));
      const isShown = (right: string): boolean =>
        of === 'trigger' ? showing.includes(right) : !HIDE_KEYS.includes(right);
      return isUnclear || rights.some(isShown);
    },
    remedy: `GRANT TRIGGER ON \`${pattern}\`.* TO ${account};`,
  };
}
