/** All tools of a server, and the subset that a caller may use. */
import type { FeatureHost } from '../../http/feature.ts';
import type { Tool, ToolCaller } from '../../http/tool.ts';
import { createAllowList } from '../../query/readable-attributes.ts';
import type { DescribedServer } from './data-input.ts';
import { entryTools } from './entry-tools.ts';
import { genericTools, MOST_TYPES_WITH_TOOLS, type OfferedTool, type TypeTool } from './generic-tools.ts';

export type Host = FeatureHost<unknown>;

/** The tools of a server: those of the content types, and those of the features. */
interface AllTools {
  readonly ofTypes: readonly TypeTool[];
  readonly ofFeatures: readonly Tool[];
  /** Whether the types are too many for tools of their own. */
  readonly isGeneric: boolean;
}

export async function allTools({ definition, describe, calls, tools }: Host): Promise<AllTools> {
  const document = JSON.parse(await describe()) as DescribedServer;
  const { types } = definition.contentTypes;
  const sources = { document, allowed: createAllowList(definition.contentTypes), services: calls };
  const routed = Object.keys(definition.routes).flatMap((uid) => types[uid] ?? []);
  return {
    ofTypes: routed.flatMap((type) => entryTools(type, sources)),
    ofFeatures: tools(),
    isGeneric: routed.length > MOST_TYPES_WITH_TOOLS,
  };
}

/** The tools that a caller may use, by name; cached for each set of permissions. */
export function byPermissions({
  ofTypes,
  ofFeatures,
  isGeneric,
}: AllTools): (by: ToolCaller) => ReadonlyMap<string, OfferedTool> {
  const known = new WeakMap<ReadonlySet<string>, ReadonlyMap<string, OfferedTool>>();
  return ({ caller: { permissions } }) => {
    const kept = known.get(permissions);
    if (kept) return kept;
    const isPermitted = ({ permission }: Tool): boolean => permissions.has(permission);
    const entries = ofTypes.filter(isPermitted);
    const offered = isGeneric ? genericTools(new Map(entries.map((tool) => [tool.name, tool]))) : entries;
    const made = new Map([...offered, ...ofFeatures.filter(isPermitted)].map((tool) => [tool.name, tool]));
    known.set(permissions, made);
    return made;
  };
}
