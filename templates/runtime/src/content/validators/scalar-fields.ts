/** The validators of attributes that are one value, by type: `string({ required: true })`, `enumeration(['a', 'b'])`. */
import type { AttributeType, ScalarOption } from '../../contract/attribute-types/attribute-type.ts';
import type * as types from '../../contract/attribute-types/index.ts';
import { attributeType, type ScalarType, scalarTypes } from '../../contract/attribute-types/scalar-type.ts';
import type { Field } from './field.ts';
import type { PresenceOf, PresenceOptions } from './presence.ts';
import { scalarField, type ScalarFieldOptions } from './scalar-field.ts';

/** Options of every attribute that is one value. */
interface ScalarOptions<Input> extends PresenceOptions {
  /** Stored on create where the attribute is missing, but not where it is null. */
  readonly default?: Input;
}

/** Options that only some types have. `Input`: what a request may hold. */
interface OwnOptions<Input> {
  /** In characters (code points). Not asked of drafts. The empty text is too short for any. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Source of a regular expression with the flag `u`. The empty text of an attribute that is not required passes. */
  readonly regex?: string;
  /** The attribute from which a required value is made where none is given. */
  readonly targetField?: string;
  /** Both ends belong to the range. */
  readonly min?: Input;
  readonly max?: Input;
}

/** Text has a unique index of 255 characters at most. */
type IndexOptions<Option> = 'maxLength' extends Option ? { readonly unique?: boolean } : unknown;

type OptionsOf<Input, Option extends ScalarOption> = ScalarOptions<Input> &
  Pick<OwnOptions<Input>, Option & keyof OwnOptions<Input>> &
  IndexOptions<Option>;

/** A required attribute whose value the server makes needn't be sent. */
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

/** The validator of an attribute, by its type. Throws TypeError for a default or a bound that is not valid itself. */
export type ScalarFields = { readonly [Type in keyof typeof types]: ScalarField<(typeof types)[Type]> };

function fieldMaker(name: ScalarType): unknown {
  if (attributeType(name).options.includes('enum')) {
    return (values: readonly string[], options?: ScalarFieldOptions) => scalarField(name, { ...options, enum: values });
  }
  return (options: ScalarFieldOptions = {}) => scalarField(name, options);
}

// What each takes is said by the types of its attribute type.
export const scalarFields = Object.fromEntries(scalarTypes.map((name) => [name, fieldMaker(name)])) as ScalarFields;
