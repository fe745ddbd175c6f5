/** The attributes that several entries can have the same value of. */
import { isGenerated } from '../../../runtime/src/contract/attribute-types/scalar-type.ts';
import type { WriteAction } from '../../../runtime/src/contract/policy/caller.ts';
import { type Attribute, type Attributes, type ContentType, isScalar, isWritable } from '../model/model.ts';

function canBeShared(attribute: Attribute): boolean {
  if (attribute.private === true || !isWritable(attribute)) return false;
  if (isScalar(attribute)) return attribute.unique !== true && !isGenerated(attribute.type);
  return (attribute.type === 'relation' || attribute.type === 'media') && !attribute.multiple;
}

/** Values of one attribute: conditions on others are those of each entry, and the server's business. */
export function bulkAttributes({ attributes, mainField }: ContentType, action: WriteAction): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, attribute]) => {
      // The same title would tell nobody which entry is which.
      if (name === mainField || !canBeShared(attribute) || attribute.refusedIn?.includes(action) === true) return [];
      const { visible: _visible, ...rest } = attribute;
      return [[name, rest]];
    }),
  );
}
