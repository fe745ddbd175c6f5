/** Whether the files that a request gives a media attribute are of the types that it takes. */
import type { Attribute, ContentTypes, MediaAttribute } from '../../contract/content-type.ts';
import type { Executor } from '../../database/executor.ts';
import { sql } from '../../database/sql.ts';
import type { Issue } from '../../contract/errors.ts';
import { idRows } from './list-table.ts';
import type { RelationChange, Target } from './relation-change.ts';
import { isAllowedIn } from '../../contract/file-kinds.ts';

/** An attribute, and what a request makes of it. */
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

/** MIME type by id, of the files that there are. */
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
 * The files that attributes with `allowedTypes` do not take, by their paths. Costs a statement only where there is such an
 * attribute among the changes. Files that do not exist are not its concern.
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
      return [{ path, message: `${path.join('.')} names a file of type ${mime}, where only ${takes} may be` }];
    }),
  );
}
