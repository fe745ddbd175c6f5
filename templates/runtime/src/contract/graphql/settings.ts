/** Settings of GraphQL, from `graphql:` of the schema. */
export interface GraphqlSettings {
  /** Who may ask for the schema: everyone during development, or everyone always. */
  readonly introspection: 'development' | 'always';
  /** Whether a server in production runs trusted documents only. */
  readonly trusted?: 'only';
  /** The number of entries in a list without `pagination`. */
  readonly defaultLimit?: number;
  /** The largest page. Larger ones are reduced to it. */
  readonly maxLimit?: number;
  /** Maximum nesting of fields in a document. */
  readonly depthLimit?: number;
}

/** `defaultLimit` where the schema doesn't set it. */
export const DEFAULT_LIMIT = 10;

/** `depthLimit` where the schema doesn't set it: v4 needs three levels for each relation. */
export const DEFAULT_DEPTH = 15;
