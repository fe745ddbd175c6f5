import { BUILT_IN_ROLES } from '#contract/policy/built-in-roles.ts';

/** The names in a project, for completion in editors. */
export interface SchemaNames {
  /** Content types that relations can point to. */
  readonly types: readonly string[];
  readonly components: readonly string[];
  readonly roles: readonly string[];
  /** Names of relations, which `inversedBy` and `mappedBy` can refer to. */
  readonly relations: readonly string[];
}

/** Names that exist in every project. */
export const builtInNames: SchemaNames = {
  types: ['user'],
  components: [],
  roles: BUILT_IN_ROLES,
  relations: [],
};
