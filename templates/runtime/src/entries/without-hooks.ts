/** For writes that don't call the project's hooks. */
import type { ContentType, ContentTypes } from '../contract/content-type.ts';
import type { EntryPlace, HookedType } from './context.ts';
import { hookedTypes, placeOf } from './hooked-types.ts';

/** Types without hooks. */
export function withoutHooks(
  types: ContentTypes,
  { database, reader }: Pick<EntryPlace, 'database' | 'reader'>,
): (type: ContentType) => HookedType {
  return hookedTypes({ types, ...placeOf(database, reader), hooks: {} });
}
