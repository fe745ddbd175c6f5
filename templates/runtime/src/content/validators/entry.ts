/** The validators of a content type: what the `data` of its requests may hold. */
import type { z } from 'zod';
import type { ContentTypes } from '../../contract/content-type.ts';
import type { Issue } from '../../contract/errors.ts';
import { loadZod } from '../../base/late-packages.ts';
import { isRecord, objectCheck, type Values } from './attributes.ts';
import { report, type Fields, type Scope } from './field.ts';
import type { Agreement } from './exact.ts';
import type { DraftInput, EntryCreate, EntryOptions, EntryUpdate } from './input-types.ts';
import { string } from './text-fields.ts';
import { datetime } from './time-fields.ts';

/** How a request is checked: a draft may lack what is required, and be shorter than is asked for. */
export type Variant = 'create' | 'update' | 'createDraft' | 'updateDraft';

/** Canonical values of the attributes that are valid, beside the issues of those that are not. */
export interface Checked {
  readonly values: Values;
  readonly issues: readonly Issue[];
}

/**
 * One zod type for each variant, all with the same output: canonical values by attribute, relation changes, and
 * `publishedAt` and `locale` where the type has them. Each is made when it is first asked for.
 */
export interface EntryValidators<Create = unknown, Update = unknown> {
  readonly create: z.ZodType<Values, Create>;
  readonly update: z.ZodType<Values, Update>;
  readonly createDraft: z.ZodType<Values, DraftInput<Create>>;
  readonly updateDraft: z.ZodType<Values, DraftInput<Update>>;
  /**
   * The same without zod, for who also wants what is valid in a body that is not. With the `types` of the server, attributes
   * of related entries that stand beside their ids, as clients read them, are ignored.
   */
  check(variant: Variant, data: unknown, types?: ContentTypes): Checked;
}

/** What clients send back as they read it. */
const ECHOED = ['id', 'createdAt', 'updatedAt', 'localizations', 'createdBy', 'updatedBy'];

/** Makes the check of `data` for an operation; `publishedAt` and `locale` are checked like attributes. */
function dataCheck(fields: Fields, options: EntryOptions, operation: Scope['operation']) {
  const isUpdate = operation === 'update';
  const check = objectCheck(
    {
      ...fields,
      ...(options.draftAndPublish ? { publishedAt: datetime() } : {}),
      ...(options.localized && !isUpdate ? { locale: string() } : {}),
    },
    new Set(isUpdate ? [...ECHOED, 'locale'] : ECHOED),
  );
  return (data: unknown, draft: boolean, types: ContentTypes | undefined): Checked => {
    const issues: Issue[] = [];
    const unknownKeys = options.unknownAttributes;
    const scope: Scope = { operation, entryExists: isUpdate, draft, unknownKeys, types, path: [], issues };
    if (isRecord(data)) return { values: check(data, scope), issues };
    report(scope, 'must be an object');
    return { values: {}, issues };
  };
}

function zodType<Input>(check: (data: unknown) => Checked): z.ZodType<Values, Input> {
  const type = loadZod()
    .unknown()
    .transform((data, context) => {
      const { values, issues } = check(data);
      for (const { path, message } of issues) context.addIssue({ code: 'custom', path: [...path], message });
      return values;
    });
  // What the check accepts is known from the attributes, not from the zod type.
  return type as unknown as z.ZodType<Values, Input>;
}

function entryValidators<Create, Update>(fields: Fields, options: EntryOptions): EntryValidators<Create, Update> {
  const checkCreate = dataCheck(fields, options, 'create');
  const checkUpdate = dataCheck(fields, options, 'update');
  const checks: Record<Variant, (data: unknown, types?: ContentTypes) => Checked> = {
    create: (data, types) => checkCreate(data, false, types),
    update: (data, types) => checkUpdate(data, false, types),
    createDraft: (data, types) => checkCreate(data, true, types),
    updateDraft: (data, types) => checkUpdate(data, true, types),
  };
  const types: { -readonly [V in Variant]?: EntryValidators<Create, Update>[V] } = {};
  return {
    get create() {
      return (types.create ??= zodType<Create>(checks.create));
    },
    get update() {
      return (types.update ??= zodType<Update>(checks.update));
    },
    get createDraft() {
      return (types.createDraft ??= zodType<DraftInput<Create>>(checks.createDraft));
    },
    get updateDraft() {
      return (types.updateDraft ??= zodType<DraftInput<Update>>(checks.updateDraft));
    },
    check: (variant, data, types) => checks[variant](data, types),
  };
}

/**
 * The validators of a content type with these attributes, in the schema's order.
 * `entry<ArticleCreate, ArticleUpdate>()(attributes, options)` compiles only if the attributes make exactly these types.
 */
export function entry<Create, Update>(): <const F extends Fields, const O extends EntryOptions>(
  fields: F,
  options: O,
  ...agreement: Agreement<EntryCreate<F, O>, Create, EntryUpdate<F, O>, Update>
) => EntryValidators<Create, Update>;
/** The same, with types computed from the attributes. */
export function entry<const F extends Fields, const O extends EntryOptions>(
  fields: F,
  options: O,
): EntryValidators<EntryCreate<F, O>, EntryUpdate<F, O>>;
export function entry(fields?: Fields, options?: EntryOptions): unknown {
  return fields && options ? entryValidators(fields, options) : entryValidators;
}
