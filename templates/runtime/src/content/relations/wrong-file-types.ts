/** Checks that the files given to media attributes have a type that the attribute allows. */
import type { Attribute, ContentTypes, MediaAttribute } from '../../contract/content-type.ts';
import type { Executor } from '../../database/executor.ts';
import { sql } from '../../database/sql.ts';
import type { Issue } from '../../contract/errors.ts';
import { idRows } from './list-table.ts';
import type { RelationChange, Target } from './relation-change.ts';
import { isAllowedIn } from '../../contract/file-kinds.ts';

/** An attribute, and its change in a request. */
export interface AttributeChange {
  readonly attribute: Attribute | undefined;
  readonly change: RelationChange;
}

interface Use {
  readonly attribute: MediaAttribute;
  readonly files: readonly Target[];
}

function restrictedUses(changes: readonly AttributeChange[]): Use[] {
  return changes.flatMap(({ attribute, change }) => {
    if (attribute?.type !== 'media' || attribute.allowedTypes === undefined) return [];
    return [{ attribute, files: change.kind === 'set' ? change.targets : change.connect }];
  });
}

/** File id → MIME type, for the files that exist. */
async function mimesOf(tx: Executor, types: ContentTypes, ids: readonly number[]): Promise<Map<number, string>> {
  const file = types.types['file'];
  const mime = file?.attributes['mime'];
  if (!file || !mime || !('column' in mime) || ids.length === 0) return new Map();
  const { dialect } = tx;
  const rows = await tx.all(
    sql`SELECT id, ${dialect.id(mime.column)} AS mime FROM ${dialect.id(file.table)} WHERE id IN (SELECT r.id FROM ${idRows(dialect, ids)} AS r)`,
  );
  return new Map(rows.map((row) => [Number(row['id']), String(row['mime'])]));
}

/**
 * Issues for files whose type isn't among an attribute's `allowedTypes`. Runs a statement only if the changes include such an
 * attribute. Ignores files that don't exist.
 */
export async function wrongFileTypes(
  tx: Executor,
  types: ContentTypes,
  changes: readonly AttributeChange[],
): Promise<Issue[]> {
  const uses = restrictedUses(changes);
  const ids = uses.flatMap(({ files }) => files.map(({ id }) => id));
  if (ids.length === 0) return [];
  const mimes = await mimesOf(tx, types, ids);
  return uses.flatMap(({ attribute, files }) =>
    files.flatMap(({ id, path }) => {
      const mime = mimes.get(id);
      if (mime === undefined || isAllowedIn(mime, attribute.allowedTypes)) return [];
      const takes = (attribute.allowedTypes ?? []).join(', ');
      return [{ path, message: `${path.join('.')} names a file of type ${mime}, but only ${takes} is allowed` }];
    }),
  );
}
