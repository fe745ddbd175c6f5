/** The validators of a content type, which check the `data` of its requests. */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { CREATOR_FIELDS } from '../../contract/creator-fields.ts';
import type { Issue } from '../../contract/errors.ts';
import { attributeFields } from './attribute-fields.ts';
import { isRecord, objectCheck, type Values } from './attributes.ts';
import { type Fields, type NotWritable, report, type Scope } from './field.ts';
import { scalarField } from './scalar-field.ts';

/** How a request is checked: drafts may lack required attributes, and fall short of minimum lengths. */
export type Variant = 'create' | 'update' | 'createDraft' | 'updateDraft';

/** The canonical values of valid attributes, and the issues of invalid ones. */
export interface Checked {
  readonly values: Values;
  readonly issues: readonly Issue[];
}

/** The validators of a content type. */
export interface EntryValidators {
  /**
   * Checks the `data` of a request. Returns canonical values by attribute, relation changes, and `publishedAt` and `locale` if the
   * type has them. Given the `types` of the server, it ignores attributes of related entries beside their ids, which clients
   * send back as they read them.
   */
  check(variant: Variant, data: unknown, options?: CheckOptions): Checked;
}

export interface CheckOptions {
  readonly types?: ContentTypes | undefined;
  /** Defaults to `refused`. */
  readonly notWritable?: NotWritable;
  /** For updates: the stored values that the conditions of attributes need. */
  readonly stored?: Values | undefined;
  /** Whether values of attributes that are not visible are accepted, since they are stored ones. */
  readonly keepsHidden?: boolean;
}

/** How bodies are checked besides their attributes. */
export interface BodyOptions {
  readonly unknownAttributes: 'reject' | 'ignore';
  /** `publishedAt` can be set; it is null for drafts. */
  readonly draftAndPublish: boolean;
  /** `locale` can be set on create. */
  readonly localized: boolean;
}

/** Keys that are ignored, so that clients can send back what they have read. */
const ECHOED = ['id', 'createdAt', 'updatedAt', 'localizations', 'createdBy', 'updatedBy'];

/** Creates the check of `data` for an operation. `publishedAt` and `locale` are checked like attributes. */
function dataCheck(fields: Fields, options: BodyOptions, operation: Scope['operation']) {
  const isUpdate = operation === 'update';
  const check = objectCheck(
    {
      ...fields,
      ...(options.draftAndPublish ? { publishedAt: scalarField('datetime', {}) } : {}),
      ...(options.localized && !isUpdate ? { locale: scalarField('string', {}) } : {}),
    },
    new Set(isUpdate ? [...ECHOED, 'locale'] : ECHOED),
  );
  return (
    data: unknown,
    draft: boolean,
    { types, notWritable = 'refused', stored, keepsHidden = false }: CheckOptions = {},
  ): Checked => {
    const issues: Issue[] = [];
    const unknownKeys = options.unknownAttributes;
    const state = { draft, unknownKeys, notWritable, types, stored, keepsHidden };
    const scope: Scope = { operation, entryExists: isUpdate, ...state, path: [], issues };
    if (isRecord(data)) return { values: check(data, scope), issues };
    report(scope, 'must be an object');
    return { values: {}, issues };
  };
}

/** The validators of bodies with these fields, in this order. */
export function bodyValidators(fields: Fields, options: BodyOptions): EntryValidators {
  const checkCreate = dataCheck(fields, options, 'create');
  const checkUpdate = dataCheck(fields, options, 'update');
  const checks: Record<Variant, (data: unknown, options?: CheckOptions) => Checked> = {
    create: (data, how) => checkCreate(data, false, how),
    update: (data, how) => checkUpdate(data, false, how),
    createDraft: (data, how) => checkCreate(data, true, how),
    updateDraft: (data, how) => checkUpdate(data, true, how),
  };
  return { check: (variant, data, how) => checks[variant](data, how) };
}

/** The validators of content types, each created on first use. */
export type ValidatorsOf = (type: ContentType) => EntryValidators;

/** The validators of a server's content types. They check attributes in the order of the schema. */
export function createValidators(
  types: ContentTypes,
  unknownAttributes: BodyOptions['unknownAttributes'],
): ValidatorsOf {
  const created = new Map<ContentType, EntryValidators>();
  const create = ({ attributes, draftAndPublish, localized }: ContentType): EntryValidators => {
    // Who has written an entry is not data.
    const own = Object.entries(attributes).filter(([name]) => !CREATOR_FIELDS.has(name));
    const fields = attributeFields(types, Object.fromEntries(own));
    return bodyValidators(fields, { unknownAttributes, draftAndPublish, localized });
  };
  return (type) => {
    const validators = created.get(type) ?? create(type);
    created.set(type, validators);
    return validators;
  };
}
