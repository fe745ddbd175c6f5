import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { type PropsWithChildren, useMemo } from 'react';
import { useWatch } from 'react-hook-form';
import type { LayoutRow } from '../../../runtime/src/contract/panel-view.ts';
import { type Attribute, type Attributes, isScalar } from '../model/model.ts';
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

/** The names of the attributes that have a field, in the schema's order. */
export function fieldNames(attributes: Attributes): readonly string[] {
  return Object.entries(attributes).flatMap(([name, attribute]) => (hasField(attribute) ? [name] : []));
}

const sideBySide = {
  display: 'grid',
  gap: 2.5,
  alignItems: 'start',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 220px), 1fr))',
} as const;

interface RowsProps extends Required<FieldsProps> {
  readonly rows: readonly LayoutRow[];
}

/** Fields in rows. They are within `FieldsContext`. */
export function FieldRows({ attributes, prefix, rows }: RowsProps) {
  const fieldOf = (name: string) => {
    const attribute = attributes[name];
    return (
      attribute && <VisibleField key={name} attributes={attributes} prefix={prefix} name={name} attribute={attribute} />
    );
  };
  return (
    <Stack sx={{ gap: 2.5, width: 1 }}>
      {rows.map((row) =>
        row.length === 1 ? (
          row.map(fieldOf)
        ) : (
          <Box key={row.join(' ')} sx={sideBySide}>
            {row.map(fieldOf)}
          </Box>
        ),
      )}
    </Stack>
  );
}

/** What fields need of the entry or component that has them. */
export function FieldsContext({ attributes, children }: Pick<FieldsProps, 'attributes'> & PropsWithChildren) {
  return (
    <NestedFieldsProvider value={AttributeFields}>
      <OwnerAttributesProvider value={attributes}>{children}</OwnerAttributesProvider>
    </NestedFieldsProvider>
  );
}

/** The fields of a component, below each other, in the schema's order. */
export function AttributeFields({ attributes, prefix = '' }: FieldsProps) {
  return (
    <FieldsContext attributes={attributes}>
      <FieldRows attributes={attributes} prefix={prefix} rows={fieldNames(attributes).map((name) => [name])} />
    </FieldsContext>
  );
}
