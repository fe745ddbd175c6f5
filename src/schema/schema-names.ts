/** The names that a project has, so that an editor can complete them. */
export interface SchemaNames {
  /** Content types that a relation can lead to. */
  readonly types: readonly string[];
  readonly components: readonly string[];
  readonly roles: readonly string[];
  /** Relations: what `inversedBy` and `mappedBy` can name. */
  readonly relations: readonly string[];
}

/** What can be named before there is a project. */
export const builtInNames: SchemaNames = {
  types: ['user'],
  components: [],
  roles: ['public', 'authenticated'],
  relations: [],
};
