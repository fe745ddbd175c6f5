/** The field of an attribute, by type or, of a scalar, by the input of its type. Rich-text editors are loaded on demand. */
import Skeleton from '@mui/material/Skeleton';
import { type ComponentType, lazy, memo, Suspense } from 'react';
import type { InputKind } from '../../../runtime/src/contract/attribute-types/input-kind.ts';
import { attributeType } from '../../../runtime/src/contract/attribute-types/scalar-type.ts';
import { ComponentField } from '../components/component-field.tsx';
import { RepeatableField } from '../components/repeatable-field.tsx';
import { ZoneField } from '../components/zone-field.tsx';
import { MediaField } from '../media/media-field.tsx';
import type { ScalarAttribute } from '../model/model.ts';
import { RelationField } from '../relations/relation-field.tsx';
import { BooleanField } from './boolean-field.tsx';
import { EnumerationField } from './enumeration-field.tsx';
import type { FieldProps } from './field-props.ts';
import { JsonField } from './json-field.tsx';
import { SecretField } from './secret-field.tsx';
import { ScalarTextField } from './text-field.tsx';
import { UidField } from './uid-field.tsx';

type ScalarFieldProps = FieldProps<ScalarAttribute>;

function lazily(Field: ComponentType<ScalarFieldProps>) {
  return (props: ScalarFieldProps) => (
    <Suspense fallback={<Skeleton height={200} />}>
      <Field {...props} />
    </Suspense>
  );
}

const FIELDS: Readonly<Record<InputKind, ComponentType<ScalarFieldProps>>> = {
  text: ScalarTextField,
  textarea: ScalarTextField,
  markdown: lazily(lazy(() => import('../rich-text/markdown-field.tsx'))),
  blocks: lazily(lazy(() => import('../rich-text/blocks-field.tsx'))),
  email: ScalarTextField,
  password: SecretField,
  slug: UidField,
  integer: ScalarTextField,
  biginteger: ScalarTextField,
  decimal: ScalarTextField,
  date: ScalarTextField,
  time: ScalarTextField,
  datetime: ScalarTextField,
  switch: BooleanField,
  select: EnumerationField,
  json: JsonField,
};

const OwnField = lazy(() => import('../own/own-field.tsx'));

/** The inputs that have no write-only form, for private attributes. */
const ALWAYS_SHOWN: ReadonlySet<InputKind> = new Set([
  'blocks',
  'json',
  'switch',
  'select',
  'date',
  'time',
  'datetime',
]);

function ScalarField(props: ScalarFieldProps) {
  const { type, private: isPrivate, field } = props.attribute;
  const { input } = attributeType(type);
  const isSecret = isPrivate === true && !ALWAYS_SHOWN.has(input);
  const Field = isSecret ? SecretField : FIELDS[input];
  if (field === undefined || isSecret) return <Field {...props} />;
  return (
    <Suspense fallback={<Skeleton height={72} />}>
      <OwnField {...props}>
        <Field {...props} />
      </OwnField>
    </Suspense>
  );
}

export const AttributeField = memo(({ source, name, attribute }: FieldProps) => {
  switch (attribute.type) {
    case 'relation':
      return <RelationField source={source} name={name} attribute={attribute} />;
    case 'media':
      return <MediaField source={source} name={name} attribute={attribute} />;
    case 'dynamiczone':
      return <ZoneField source={source} name={name} attribute={attribute} />;
    case 'component':
      return attribute.repeatable ? (
        <RepeatableField source={source} name={name} attribute={attribute} />
      ) : (
        <ComponentField source={source} name={name} attribute={attribute} />
      );
    default:
      return <ScalarField source={source} name={name} attribute={attribute} />;
  }
});
