import Stack from '@mui/material/Stack';
import type { Attribute, Attributes } from '../model/model.ts';
import { AttributeField } from './attribute-field.tsx';
import { OwnerAttributesProvider } from './owner-attributes.ts';

/** Private attributes that can't be write-only, such as media, have no field. */
function hasField({ type, private: isPrivate }: Attribute): boolean {
  return isPrivate !== true || !['media', 'relation', 'component', 'dynamiczone'].includes(type);
}

interface Props {
  readonly attributes: Attributes;
  /** Path of the component that has them, with a trailing dot; empty for an entry. */
  readonly prefix?: string;
}

/** The fields of an entry or a component, in the schema's order. */
export function AttributeFields({ attributes, prefix = '' }: Props) {
  return (
    <OwnerAttributesProvider value={attributes}>
      <Stack sx={{ gap: 2.5, width: 1 }}>
        {Object.entries(attributes)
          .filter(([, attribute]) => hasField(attribute))
          .map(([name, attribute]) => (
            <div key={name} data-field={`${prefix}${name}`}>
              <AttributeField source={`${prefix}${name}`} name={name} attribute={attribute} />
            </div>
          ))}
      </Stack>
    </OwnerAttributesProvider>
  );
}
