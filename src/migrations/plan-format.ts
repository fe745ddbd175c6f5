/** The shape of `plan.json`, checked when it is read back. */
import { z } from 'zod';
import type { MigrationPlan } from './change.ts';

const name = z.string().min(1);

const column = z.strictObject({
  name,
  type: z.enum([
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
  ]),
  nullable: z.boolean(),
  default: z.union([z.string(), z.number(), z.boolean()]).exactOptional(),
});

const foreignKey = z.strictObject({ name, column: name, references: name, onDelete: z.enum(['cascade', 'setNull']) });

const index = z.strictObject({ name, columns: z.array(name).min(1), unique: z.boolean() });

const table = z.strictObject({
  name,
  origin: name,
  primaryKey: z.array(name).min(1),
  columns: z.array(column).min(1),
  foreignKeys: z.array(foreignKey),
  indexes: z.array(index),
});

const change = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('createTable'), table }),
  z.strictObject({ kind: z.literal('dropTable'), table }),
  z.strictObject({
    kind: z.literal('addColumn'),
    table: name,
    column,
    foreignKey: foreignKey.exactOptional(),
    fillFrom: name.exactOptional(),
  }),
  z.strictObject({ kind: z.literal('dropColumn'), table: name, column, foreignKey: foreignKey.exactOptional() }),
  z.strictObject({ kind: z.literal('createIndex'), table: name, index }),
  z.strictObject({ kind: z.literal('dropIndex'), table: name, index }),
]);

/** What `plan.json` must hold. */
export const planFormat: z.ZodType<MigrationPlan> = z.strictObject({
  format: z.literal(1),
  name,
  changes: z.array(change),
});
