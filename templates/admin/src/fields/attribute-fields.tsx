import Stack from '@mui/material/Stack';
import type { Attribute, Attributes } from '../model/model.ts';
import { AttributeField } from './attribute-field.tsx';

/** What is never answered and can't be typed unseen, such as the files of a private attribute, has no field. */
function hasField({ type, private: isPrivate }: Attribute): boolean {
  return isPrivate !== true || !['media', 'relation', 'component', 'dynamiczone'].includes(type);
}

interface Props {
  readonly attributes: Attributes;
  /** The path of what has them, with a dot at its end; empty for an entry. */
  readonly prefix?: string;
}

/** The fields of an entry or a component, in the schema's order. */
export function AttributeFields({ attributes, prefix = '' }: Props) {
  return (
    <Stack sx={{ gap: 2.5, width: 1 }}>
      {Object.entries(attributes)
        .filter(([, attribute]) => hasField(attribute))
        .map(([name, attribute]) => (
          <AttributeField key={name} source={`${prefix}${name}`} name={name} attribute={attribute} />
        ))}
    </Stack>
  );
}
