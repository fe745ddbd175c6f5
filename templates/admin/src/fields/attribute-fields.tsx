import Stack from '@mui/material/Stack';
import { useMemo } from 'react';
import { useWatch } from 'react-hook-form';
import { type Attribute, isScalar } from '../model/model.ts';
import { isVisible } from '../model/visibility.ts';
import { AttributeField } from './attribute-field.tsx';
import { type FieldsProps, NestedFieldsProvider } from './nested-fields.ts';
import { OwnerAttributesProvider } from './owner-attributes.ts';

/** Private attributes that can't be write-only, such as media, have no field. */
function hasField(attribute: Attribute): boolean {
  return attribute.private !== true || isScalar(attribute);
}

interface FieldProps extends Required<FieldsProps> {
  readonly name: string;
  readonly attribute: Attribute;
}

function OneField({ prefix, name, attribute }: Omit<FieldProps, 'attributes'>) {
  const source = `${prefix}${name}`;
  return (
    <div data-field={source}>
      <AttributeField source={source} name={name} attribute={attribute} />
    </div>
  );
}

/** The field of an attribute with a condition: while it holds, it is shown, and required if the condition says so. */
function ConditionalField({ attributes, prefix, name, attribute }: FieldProps) {
  const isRequired = attribute.visible?.required === true;
  const shown = useMemo((): Attribute => {
    const { required: _required, ...rest } = attribute;
    return isRequired ? { ...attribute, required: true } : rest;
  }, [attribute, isRequired]);
  const siblings = Object.keys(attributes);
  const values: readonly unknown[] = useWatch({ name: siblings.map((sibling) => `${prefix}${sibling}`) });
  const isShown = isVisible(attributes, name, (sibling) => values[siblings.indexOf(sibling)]);
  return isShown ? <OneField prefix={prefix} name={name} attribute={shown} /> : undefined;
}

function VisibleField(props: FieldProps) {
  const { prefix, name, attribute } = props;
  if (attribute.visible) return <ConditionalField {...props} />;
  return <OneField prefix={prefix} name={name} attribute={attribute} />;
}

/** The fields of an entry or a component, in the schema's order. */
export function AttributeFields({ attributes, prefix = '' }: FieldsProps) {
  return (
    <NestedFieldsProvider value={AttributeFields}>
      <OwnerAttributesProvider value={attributes}>
        <Stack sx={{ gap: 2.5, width: 1 }}>
          {Object.entries(attributes)
            .filter(([, attribute]) => hasField(attribute))
            .map(([name, attribute]) => (
              <VisibleField key={name} attributes={attributes} prefix={prefix} name={name} attribute={attribute} />
            ))}
        </Stack>
      </OwnerAttributesProvider>
    </NestedFieldsProvider>
  );
}
