/** A parsed YAML document, reduced to what the schema language needs: tags, anchors and aliases are resolved. */

interface NodeBase {
  /** Offsets in the source text; equal if the value is empty. */
  readonly start: number;
  readonly end: number;
}

export interface YamlScalar extends NodeBase {
  readonly kind: 'scalar';
  /** According to the core schema of YAML 1.2. */
  readonly value: string | number | boolean | null;
  /** As written; for quoted strings, without the quotes. */
  readonly source: string;
}

interface YamlList extends NodeBase {
  readonly kind: 'list';
  readonly items: readonly YamlNode[];
}

interface YamlMap extends NodeBase {
  readonly kind: 'map';
  /** In source order. Keys may be duplicated. */
  readonly entries: readonly { readonly key: YamlNode; readonly value: YamlNode }[];
}

export type YamlNode = YamlScalar | YamlList | YamlMap;
