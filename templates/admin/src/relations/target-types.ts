/** The target types of a relation that the role may see. */
import type { ContentType, RelationAttribute } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';

export function useTargetTypes({ target, targets }: RelationAttribute): readonly ContentType[] {
  const index = useModel();
  return (targets ?? [target]).flatMap((uid) => index.type(uid) ?? []);
}
