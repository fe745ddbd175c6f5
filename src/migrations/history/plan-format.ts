/** The schema of `plan.json`, for validating plans before they are sealed or otherwise rewritten. */
import { z } from 'zod';
import { deleteRules } from '#contract/content-type.ts';
import type { ItemEdit, ItemsEdit } from '#contract/migrations/items-edit.ts';
import type { MigrationPlan } from '#contract/migrations/plan.ts';

const name = z.string().min(1);
const names = z.array(name);

const columnType = z.enum([
  'id',
  'string',
  'text',
  'integer',
  'biginteger',
  'float',
  'decimal',
  'boolean',
  'date',
  'time',
  'datetime',
  'json',
  'position',
]);

const holds = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('component'), component: name, repeatable: z.boolean() }),
  z.strictObject({ kind: z.literal('zone'), components: names }),
]);

const valueChanges = z.array(z.strictObject({ from: z.string(), to: z.string() }));

const columnLabel = {
  attribute: name.exactOptional(),
  targetType: name.exactOptional(),
  inverse: name.exactOptional(),
  shared: z.boolean().exactOptional(),
  entries: z.literal(true).exactOptional(),
  holds: holds.exactOptional(),
  required: z.enum(['all', 'published']).exactOptional(),
  values: z.array(z.string()).exactOptional(),
  exchanged: valueChanges.exactOptional(),
};

const role = z.enum([
  'attribute',
  'foreignKey',
  'listPosition',
  'id',
  'createdAt',
  'updatedAt',
  'version',
  'publishedAt',
  'documentId',
  'locale',
  'singleton',
  'owner',
  'target',
  'position',
  'inversePosition',
  'item',
  'itemAttribute',
  'rule',
  'other',
]);

const column = z.strictObject({
  name,
  type: columnType,
  role,
  nullable: z.boolean(),
  default: z.union([z.string(), z.number(), z.boolean()]).exactOptional(),
  secret: z.literal(true).exactOptional(),
  ...columnLabel,
});

const foreignKey = z.strictObject({ name, column: name, references: name, onDelete: z.enum(deleteRules) });

const index = z.strictObject({
  name,
  columns: names.min(1),
  unique: z.boolean(),
  sorts: z
    .array(z.strictObject({ by: z.enum(['text', 'decimal', 'value']), descending: z.literal(true).exactOptional() }))
    .exactOptional(),
  within: z.literal(1).exactOptional(),
  search: z.array(z.int().min(1)).exactOptional(),
  member: z
    .strictObject({
      path: z.tuple([name], name),
      type: z.enum(['text', 'integer', 'biginteger', 'float', 'decimal', 'boolean']),
    })
    .exactOptional(),
});

const serverTable = z.enum([
  'rolePermissions',
  'apiTokens',
  'apiTokenPermissions',
  'accessChanges',
  'rateLimits',
  'idempotencyKeys',
  'outbox',
  'outboxReceivers',
  'auditLog',
  'auditChain',
  'eventLog',
  'eventPositions',
  'queuedJobs',
  'jobSchedules',
  'scheduledPublications',
  'releases',
  'trash',
  'history',
  'pendingFiles',
  'uploadFolders',
  'componentIds',
  'other',
]);

/** The kinds of tables, with what else a table or a label has. */
function tableOf<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.discriminatedUnion('kind', [
    z.strictObject({ ...shape, kind: z.literal('type'), uid: name, builtIn: z.literal(true).exactOptional() }),
    z.strictObject({ ...shape, kind: z.literal('link'), uid: name, attribute: name, inverse: name.exactOptional() }),
    z.strictObject({ ...shape, kind: z.literal('morph'), uid: name, attribute: name }),
    z.strictObject({ ...shape, kind: z.literal('componentLinks'), uid: name }),
    z.strictObject({ ...shape, kind: z.literal('server'), role: serverTable }),
  ]);
}

const tableLabel = tableOf({});

const table = tableOf({
  name,
  primaryKey: names.min(1),
  columns: z.array(column).min(1),
  foreignKeys: z.array(foreignKey),
  indexes: z.array(index),
});

const member = z.discriminatedUnion('kind', [
  z.strictObject({
    name,
    kind: z.literal('value'),
    type: columnType,
    secret: z.literal(true).exactOptional(),
    values: z.array(z.string()).exactOptional(),
    exchanged: valueChanges.exactOptional(),
    required: z.boolean().exactOptional(),
  }),
  z.strictObject({ name, kind: z.literal('component'), component: name, repeatable: z.boolean() }),
  z.strictObject({ name, kind: z.literal('links'), targets: names, many: z.boolean() }),
]);

const component = z.strictObject({ uid: name, members: z.array(member) });

const rename = z.array(z.strictObject({ from: name, to: name }));

const itemEdit: z.ZodType<ItemEdit> = z.lazy(() =>
  z.strictObject({
    component: name.exactOptional(),
    renamedTo: name.exactOptional(),
    remove: z.literal(true).exactOptional(),
    rename,
    drop: names,
    convert: z.array(z.strictObject({ member: name, to: z.enum(['text', 'number', 'date', 'datetime']) })),
    map: z.array(z.strictObject({ member: name, values: valueChanges, undo: valueChanges })).exactOptional(),
    fill: z
      .array(z.strictObject({ member: name, value: z.json(), required: z.literal(true).exactOptional() }))
      .exactOptional(),
    nested: z.array(z.strictObject({ member: name, edit: itemsEdit })),
  }),
);

const itemsEdit: z.ZodType<ItemsEdit> = z.strictObject({
  list: z.boolean(),
  becomes: z.enum(['list', 'first']).exactOptional(),
  items: z.array(itemEdit),
});

const place = z.strictObject({
  column: name,
  list: z.boolean(),
  component: name.exactOptional(),
  inside: z.array(z.strictObject({ member: name, list: z.boolean() })),
});

const places = z.array(place);

const placed = z.array(z.strictObject({ table: name, place })).min(1);

const linkColumn = z.strictObject({
  table: name,
  column: name,
  primaryKey: names.min(1),
  within: names.exactOptional(),
  position: name.exactOptional(),
  isEntry: z.literal(true).exactOptional(),
  losesLocales: z.literal(true).exactOptional(),
});

const rowsToDelete = z.discriminatedUnion('of', [
  z.strictObject({ of: z.literal('locale'), locale: name }),
  z.strictObject({ of: z.literal('otherLocales'), locales: names, links: z.array(linkColumn).exactOptional() }),
  z.strictObject({ of: z.literal('target'), column: name }),
  z.strictObject({ of: z.literal('ruled'), column: name }),
  z.strictObject({ of: z.literal('laterLinks') }),
  z.strictObject({ of: z.literal('goneItems'), owner: name, places }),
  z.strictObject({
    of: z.literal('itemAttributes'),
    owner: name,
    places,
    attributes: names,
    keepFirst: z.literal(true).exactOptional(),
  }),
]);

const relationStorage = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('column'),
    table: name,
    column: name,
    position: name.exactOptional(),
    unique: names.exactOptional(),
  }),
  z.strictObject({ kind: z.literal('link'), table: name, inversePosition: z.boolean() }),
]);

function of<Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) {
  return z.strictObject({ kind: z.literal(kind), ...shape, cause: name.exactOptional() });
}

const inColumn = { table: name, column, foreignKey: foreignKey.exactOptional() };

const synced = { table: name, primaryKey: names.min(1), columns: rename };

const change = z.discriminatedUnion('kind', [
  of('createTable', { table }),
  of('dropTable', { table }),
  of('renameTable', { from: name, to: name, hasId: z.boolean() }),
  of('relabelTable', { table: name, from: tableLabel, to: tableLabel }),
  of('addColumn', {
    ...inColumn,
    fillFrom: name.exactOptional(),
    fillDocument: z.union([z.literal(true), name]).exactOptional(),
    fillWith: name.exactOptional(),
  }),
  of('dropColumn', { ...inColumn, fillWith: name.exactOptional() }),
  of('renameColumn', { table: name, from: name, to: name }),
  of('relabelColumn', {
    table: name,
    column: name,
    from: z.strictObject(columnLabel),
    to: z.strictObject(columnLabel),
    checked: z.literal(true).exactOptional(),
  }),
  of('alterColumn', {
    table: name,
    from: column,
    to: column,
    indexes: z.array(index),
    foreignKey: z.strictObject({ from: foreignKey, to: foreignKey }).exactOptional(),
    whole: table.exactOptional(),
  }),
  of('createIndex', { table: name, index }),
  of('dropIndex', { table: name, index }),
  of('renameIndex', { table: name, from: name, index }),
  of('renameForeignKey', { table: name, from: name, foreignKey, required: z.literal(true).exactOptional() }),
  of('copyRelation', { from: relationStorage, to: relationStorage, mirrored: z.boolean() }),
  of('deleteRows', { table: name, rows: rowsToDelete }),
  of('editItems', { table: name, column: name, edit: itemsEdit }),
  of('renameItemLinks', { table: name, owner: name, places, renames: rename }),
  of('renameRecords', { records: names, types: rename, tables: rename }),
  of('renameType', { from: name, to: name, permissions: names, single: name.exactOptional() }),
  of('fillEmpty', {
    table: name,
    column,
    from: column.exactOptional(),
    published: z.literal(true).exactOptional(),
  }),
  of('checkValues', { table: name, column: name, values: z.array(z.string()) }),
  of('checkItems', {
    items: placed,
    member: name,
    values: z.array(z.string()),
  }),
  of('checkRequired', {
    items: z.array(z.strictObject({ table: name, place, published: z.literal(true).exactOptional() })).min(1),
    member: name.exactOptional(),
  }),
  of('mapValues', { table: name, column: name, values: valueChanges, undo: valueChanges }),
  of('shareValues', {
    table: name,
    column: name,
    type: name,
    locales: names,
    copied: names.exactOptional(),
    required: z.literal(true).exactOptional(),
  }),
  of('shareItemLinks', { table: name, type: name, column: name, locales: names, places, copied: names }),
  of('createSyncTriggers', synced),
  of('dropSyncTriggers', synced),
  of('numberLists', { table: name, key: name, position: name, entry: name }),
  of('nameEntries', {
    table: name,
    column: name,
    target: name,
    owner: names.exactOptional(),
    unique: names.exactOptional(),
  }),
  of('copyRows', { table: name, from: name, columns: names, published: z.literal(true).exactOptional() }),
  of('copyColumn', { table: name, from: name, column: name }),
  of('claimValues', { table: name, column: name, claim: name }),
  of('defineComponent', {
    from: component.exactOptional(),
    to: component.exactOptional(),
    retyped: z.array(z.strictObject({ member: name, from: columnType, to: columnType, items: placed })).exactOptional(),
  }),
  of('setLocales', { from: names, to: names }),
]);

const formerNames = z.array(
  z.union([
    z.strictObject({ kind: z.enum(['type', 'component']), from: name, to: name }),
    z.strictObject({ kind: z.literal('attribute'), owner: name, from: name, to: name }),
  ]),
);

const count = z.int().min(1);

const script = z.strictObject({
  parts: z.array(
    z.union([
      z.strictObject({ runs: z.enum(['transaction', 'each', 'autocommit', 'session']), statements: count }),
      z.strictObject({ runs: z.literal('concurrently'), creates: name }),
      z.strictObject({ runs: z.literal('concurrently'), drops: name }),
      z.strictObject({ runs: z.literal('ranges'), table: name, key: name }),
    ]),
  ),
  guards: z
    .array(
      z.strictObject({
        at: z.int().min(0),
        constraint: name,
        message: name.exactOptional(),
        query: name,
        table: name.exactOptional(),
      }),
    )
    .exactOptional(),
});

const scripts = z.strictObject({ up: script, down: script }).exactOptional();

/** The schema of a plan; those of former formats are decoded first. */
export const planFormat: z.ZodType<MigrationPlan> = z.strictObject({
  format: z.literal(3),
  name,
  renames: formerNames.exactOptional(),
  takenOut: formerNames.exactOptional(),
  sources: z.record(z.string(), z.string()).exactOptional(),
  part: z.enum(['expand', 'contract']).exactOptional(),
  withoutRules: z.literal(true).exactOptional(),
  handWritten: z.literal(true).exactOptional(),
  changes: z.array(change),
  scripts: z.strictObject({ sqlite: scripts, postgres: scripts, mysql: scripts }).exactOptional(),
});
