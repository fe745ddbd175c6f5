/** The types that a relation leads to, as far as the role may see them. */
import type { ContentType, RelationAttribute } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';

export function useTargetTypes({ target, targets }: RelationAttribute): readonly ContentType[] {
  const index = useModel();
  return (targets ?? [target]).flatMap((uid) => index.type(uid) ?? []);
}
