/** Converts nodes of the YAML library to our own: aliases are expanded, within limits. */
import { type Alias, isAlias, isMap, isScalar, isSeq, type Node } from 'yaml';
import type { YamlNode, YamlScalar } from './yaml-node.ts';

/** Maximum number of values that all aliases of a file together may repeat. */
const maxRepeatedValues = 10_000;

interface Anchored {
  readonly node: YamlNode;
  readonly size: number;
  readonly hasAlias: boolean;
}

interface State {
  readonly report: (message: string, start: number, length: number) => void;
  readonly anchors: Map<string, Anchored>;
  /** Number of values converted so far, and how many of them were repeated by aliases. */
  converted: number;
  repeated: number;
  aliases: number;
  /** Problems reported already, so that each is reported only once. */
  readonly faults: Set<string>;
}

function convertAlias(state: State, alias: Alias, start: number, end: number): YamlNode {
  const target = state.anchors.get(alias.source);
  state.aliases += 1;
  state.repeated += target?.size ?? 0;
  const fault =
    target === undefined
      ? `the alias *${alias.source} refers to an anchor that is not defined before it`
      : target.hasAlias
        ? 'the value of this alias contains another alias'
        : state.repeated > maxRepeatedValues
          ? `the aliases of the file repeat more than ${maxRepeatedValues} values`
          : undefined;
  if (fault !== undefined && !state.faults.has(fault)) state.report(fault, start, end - start);
  if (fault !== undefined) state.faults.add(fault);
  if (fault === undefined && target !== undefined) return target.node;
  return { kind: 'scalar', value: null, source: '', start, end };
}

function convertScalar(value: unknown, source: string | undefined, start: number, end: number): YamlScalar {
  const known = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
  return { kind: 'scalar', value: known, source: source ?? '', start, end };
}

function convertValue(state: State, node: Node | null): YamlNode {
  const [start, end] = node?.range ?? [0, 0];
  if (isAlias(node)) return convertAlias(state, node, start, end);
  if (isMap<Node | null, Node | null>(node)) {
    const entries = node.items.map(({ key, value }) => ({ key: convert(state, key), value: convert(state, value) }));
    return { kind: 'map', entries, start, end };
  }
  if (isSeq<Node | null>(node)) {
    return { kind: 'list', items: node.items.map((item) => convert(state, item)), start, end };
  }
  return isScalar(node)
    ? convertScalar(node.value, node.source, start, end)
    : convertScalar(null, undefined, start, end);
}

function convert(state: State, node: Node | null): YamlNode {
  const { converted, aliases } = state;
  state.converted += 1;
  const result = convertValue(state, node);
  const anchor = isAlias(node) || node === null || !('anchor' in node) ? undefined : node.anchor;
  if (typeof anchor === 'string') {
    const hasAlias = state.aliases > aliases;
    state.anchors.set(anchor, { node: result, size: state.converted - converted, hasAlias });
  }
  return result;
}

/**
 * Converts the document `root`, whose nesting the caller has limited to what the stack allows. An anchored value must
 * not contain an alias, which rules out exponential expansion and cycles.
 */
export function convertYaml(root: Node | null, report: State['report']): YamlNode {
  return convert({ report, anchors: new Map(), converted: 0, repeated: 0, aliases: 0, faults: new Set() }, root);
}
