/** A parsed YAML document, reduced to what the schema language knows: no tags, anchors or aliases are left. */

interface NodeBase {
  /** Offsets in the source text; equal where the value was left out. */
  readonly start: number;
  readonly end: number;
}

export interface YamlScalar extends NodeBase {
  readonly kind: 'scalar';
  /** By the core schema of YAML 1.2. */
  readonly value: string | number | boolean | null;
  /** As written, of quoted texts without the quotes. */
  readonly source: string;
}

interface YamlList extends NodeBase {
  readonly kind: 'list';
  readonly items: readonly YamlNode[];
}

interface YamlMap extends NodeBase {
  readonly kind: 'map';
  /** In the order of the text; a key may be there several times. */
  readonly entries: readonly { readonly key: YamlNode; readonly value: YamlNode }[];
}

export type YamlNode = YamlScalar | YamlList | YamlMap;
