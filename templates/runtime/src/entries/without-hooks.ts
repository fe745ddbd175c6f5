/** For writes that don't call the project's hooks. */
import type { ContentType, ContentTypes } from '../contract/content-type.ts';
import { serverCaller } from '../contract/policy/server-caller.ts';
import type { Reader } from '../query/reader.ts';
import type { HookedType } from './context.ts';

/** Types without hooks. */
export function withoutHooks(types: ContentTypes, reader: Reader): (type: ContentType) => HookedType {
  const server = serverCaller(types);
  return (type) => ({ type, reader, hooks: undefined, server, afterCommit: (work) => work() });
}
