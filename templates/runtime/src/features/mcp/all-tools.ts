/** All tools of a server, and the subset that a caller may use. */
import type { FeatureHost } from '../../http/feature.ts';
import type { Tool, ToolCaller } from '../../http/tool.ts';
import { createAllowList } from '../../query/readable-attributes.ts';
import type { DescribedServer } from './data-input.ts';
import { entryTools } from './entry-tools.ts';

export type Host = FeatureHost<unknown>;

/** The tools of the content types, followed by those of the features. */
export async function allTools({ definition, describe, services, tools }: Host): Promise<readonly Tool[]> {
  const document = JSON.parse(await describe()) as DescribedServer;
  const { types } = definition.contentTypes;
  const sources = { document, allowed: createAllowList(definition.contentTypes), services };
  const ofTypes = Object.keys(definition.modules).flatMap((uid) => {
    const type = types[uid];
    return type ? entryTools(type, sources) : [];
  });
  return [...ofTypes, ...tools()];
}

/** The tools that a caller may use, by name; cached for each set of permissions. */
export function byPermissions(all: readonly Tool[]): (by: ToolCaller) => ReadonlyMap<string, Tool> {
  const known = new WeakMap<ReadonlySet<string>, ReadonlyMap<string, Tool>>();
  return ({ caller: { permissions } }) => {
    const kept = known.get(permissions);
    if (kept) return kept;
    const permitted = all.filter(({ permission }) => permissions.has(permission));
    const made = new Map(permitted.map((tool) => [tool.name, tool]));
    known.set(permissions, made);
    return made;
  };
}
