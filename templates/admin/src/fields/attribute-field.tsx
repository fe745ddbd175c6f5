/** The field of an attribute, by type. Rich-text editors are loaded on demand. */
import Skeleton from '@mui/material/Skeleton';
import { lazy, memo, Suspense } from 'react';
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

const BlocksField = lazy(() => import('../rich-text/blocks-field.tsx'));
const MarkdownField = lazy(() => import('../rich-text/markdown-field.tsx'));

function ScalarField(props: FieldProps<ScalarAttribute>) {
  switch (props.attribute.type) {
    case 'boolean':
      return <BooleanField {...props} />;
    case 'enumeration':
      return <EnumerationField {...props} />;
    case 'json':
      return <JsonField {...props} />;
    case 'uid':
      return <UidField {...props} />;
    case 'blocks':
      return (
        <Suspense fallback={<Skeleton height={200} />}>
          <BlocksField {...props} />
        </Suspense>
      );
    case 'richtext':
      return (
        <Suspense fallback={<Skeleton height={200} />}>
          <MarkdownField {...props} />
        </Suspense>
      );
    default:
      return <ScalarTextField {...props} />;
  }
}

/** Types whose inputs can't be write-only. */
const SEEN: ReadonlySet<string> = new Set([
  'blocks',
  'json',
  'boolean',
  'enumeration',
  'date',
  'time',
  'datetime',
  'timestamp',
]);

export const AttributeField = memo(({ source, name, attribute }: FieldProps) => {
  switch (attribute.type) {
    case 'relation':
      return <RelationField source={source} name={name} attribute={attribute} />;
    case 'media':
      return <MediaField source={source} name={name} attribute={attribute} />;
    case 'dynamiczone':
      return <ZoneField source={source} name={name} attribute={attribute} />;
    case 'component':
      return attribute.repeatable === true ? (
        <RepeatableField source={source} name={name} attribute={attribute} />
      ) : (
        <ComponentField source={source} name={name} attribute={attribute} />
      );
    default: {
      const isSecret = attribute.type === 'password' || (attribute.private === true && !SEEN.has(attribute.type));
      return isSecret ? (
        <SecretField source={source} name={name} attribute={attribute} />
      ) : (
        <ScalarField source={source} name={name} attribute={attribute} />
      );
    }
  }
});
