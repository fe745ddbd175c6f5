/** Whether an attribute must be sent, and whether `null` clears it. The same rules apply to every kind of attribute. */
import { isGenerated } from '#contract/attribute-types/scalar-type.ts';
import type { Attribute } from '../../model/content-model.ts';

export interface Presence {
  /** A create request without it is rejected. */
  readonly mustBeSent: boolean;
  /** `null` is allowed, and clears it. */
  readonly nullable: boolean;
}

const REQUIRED: Presence = { mustBeSent: true, nullable: false };
const FILLED: Presence = { mustBeSent: false, nullable: false };
const OPTIONAL: Presence = { mustBeSent: false, nullable: true };

/**
 * The rules for published entries; a draft may lack anything. The server generates required uids and fills in defaults.
 */
export function presenceOf(attribute: Attribute): Presence {
  if (!attribute.required) return OPTIONAL;
  const isFilled = attribute.kind === 'scalar' && (isGenerated(attribute.type) || attribute.default !== undefined);
  return isFilled ? FILLED : REQUIRED;
}
