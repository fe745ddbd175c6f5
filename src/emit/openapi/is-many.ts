/** Which attributes are lists. */
import type { Attribute } from '../../model/content-model.ts';

/** Whether the value of a relation, media, component or dynamic zone is a list. */
export function isMany(attribute: Exclude<Attribute, { kind: 'scalar' }>): boolean {
  switch (attribute.kind) {
    case 'relation':
      return attribute.many;
    case 'media':
      return attribute.multiple;
    case 'component':
      return attribute.repeatable;
    case 'dynamiczone':
      return true;
  }
}
