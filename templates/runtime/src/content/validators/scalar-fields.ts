/** The validators of scalar attributes, by type: `string({ required: true })`, `enumeration(['a', 'b'])`. */
import type { AttributeType, ScalarOption } from '../../contract/attribute-types/attribute-type.ts';
import type * as types from '../../contract/attribute-types/index.ts';
import { attributeType, type ScalarType, scalarTypes } from '../../contract/attribute-types/scalar-type.ts';
import type { Field } from './field.ts';
import type { PresenceOf, PresenceOptions } from './presence.ts';
import { scalarField, type ScalarFieldOptions } from './scalar-field.ts';

/** Options of every scalar attribute. */
interface ScalarOptions<Input> extends PresenceOptions {
  /** Stored on create if the attribute is missing, but not if it is null. */
  readonly default?: Input;
}

/** Options of some types. `Input` is the type of the value in a request. */
interface OwnOptions<Input> {
  /** In code points. Not checked for drafts. An empty string is always too short. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Source of a regular expression with the flag `u`. If the attribute isn't required, an empty string passes. */
  readonly regex?: string;
  /** The attribute from which a missing required value is generated. */
  readonly targetField?: string;
  /** Inclusive bounds. */
  readonly min?: Input;
  readonly max?: Input;
}

/** `unique` limits text to the 255 characters that a unique index covers. */
type IndexOptions<Option> = 'maxLength' extends Option ? { readonly unique?: boolean } : unknown;

type OptionsOf<Input, Option extends ScalarOption> = ScalarOptions<Input> &
  Pick<OwnOptions<Input>, Option & keyof OwnOptions<Input>> &
  IndexOptions<Option>;

/** A required attribute whose value the server generates may be omitted. */
type GeneratedPresence<O> = O extends { readonly required: true } ? 'filled' : 'optional';

type EnumField = <const Values extends readonly string[], const O extends ScalarOptions<Values[number]>>(
  values: Values,
  options?: O,
) => Field<Values[number], PresenceOf<O>>;

type ScalarField<Type> =
  Type extends AttributeType<infer Input, infer Option>
    ? 'enum' extends Option
      ? EnumField
      : 'targetField' extends Option
        ? <const O extends OptionsOf<Input, Option>>(options?: O) => Field<Input, GeneratedPresence<O>>
        : <const O extends OptionsOf<Input, Option>>(options?: O) => Field<Input, PresenceOf<O>>
    : never;

/** The validators by attribute type. They throw TypeError for an invalid default or bound. */
export type ScalarFields = { readonly [Type in keyof typeof types]: ScalarField<(typeof types)[Type]> };

function fieldMaker(name: ScalarType): unknown {
  if (attributeType(name).options.includes('enum')) {
    return (values: readonly string[], options?: ScalarFieldOptions) => scalarField(name, { ...options, enum: values });
  }
  return (options: ScalarFieldOptions = {}) => scalarField(name, options);
}

/** The validators. The cast adds the types of their parameters, which follow from the attribute types. */
export const scalarFields = Object.fromEntries(scalarTypes.map((name) => [name, fieldMaker(name)])) as ScalarFields;
