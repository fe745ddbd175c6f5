/** The rules that `tenant` of a type gives to every role: a caller reaches the entries of one tenant alone. */
import type { Rule, Rules } from '#contract/policy/rule.ts';
import { PUBLIC } from '#contract/policy/built-in-roles.ts';
import { reportError } from '../diagnostics/report.ts';
import { named } from '../diagnostics/visible-text.ts';
import type { ContentType, RolePermissions } from './content-model.ts';
import type { ModelContext } from './model-context.ts';

/** The key of a role that reaches the entries of all tenants: `tenants: '*'`. */
export const ALL_TENANTS = 'tenants';

const RULED = ['find', 'findOne', 'create', 'update', 'delete'] as const;

type Tenanted = ContentType & { readonly tenant: string };

function isTenanted(type: ContentType): type is Tenanted {
  return type.tenant !== undefined;
}

/** The rule without an attribute. */
function without(rule: Rule, name: string): Rule {
  if (rule.only) return { ...rule, only: rule.only.filter((each) => each !== name) };
  return { ...rule, except: [...(rule.except ?? []), name] };
}

/** What stands for the tenant of a caller: that of the user or, for visitors and where users have none, that of the host. */
function tenantOf(type: Tenanted, role: string, ofUsers: boolean): string {
  const { tenant, tenantHost, attributes } = type;
  const relation = attributes.find(({ name }) => name === tenant);
  const [target] = relation?.kind === 'relation' ? relation.targets : [];
  const isByHost = tenantHost !== undefined && target !== undefined && (role === PUBLIC || !ofUsers);
  return isByHost ? `$host.${target}.${tenantHost}` : `$user.${tenant}`;
}

/**
 * The rule of an action within a tenant. An update can't name the tenant: an error would tell which unique values are taken
 * within another one.
 */
function withinTenant(action: (typeof RULED)[number], { tenant }: Tenanted, own: string, rule: Rule = {}): Rule {
  if (action === 'create') return { ...rule, set: { ...rule.set, [tenant]: own } };
  const isIt = { [tenant]: own };
  const within = { ...rule, where: rule.where ? { $and: [isIt, rule.where] } : isIt };
  return action === 'update' ? without(within, tenant) : within;
}

/** Whether users belong to one of the entries that those of the type belong to. */
function hasUsersWithin(types: readonly ContentType[], { tenant, attributes }: Tenanted): boolean {
  const target = attributes.find(({ name }) => name === tenant);
  const ofUser = types.find(({ uid }) => uid === 'user')?.attributes.find(({ name }) => name === tenant);
  if (target?.kind !== 'relation' || ofUser?.kind !== 'relation' || ofUser.many) return false;
  return target.targets[0] === ofUser.targets[0];
}

function reportMissing({ schema, report }: ModelContext, { uid, tenant, attributes, location }: Tenanted): void {
  const relation = attributes.find(({ name }) => name === tenant);
  const target = relation?.kind === 'relation' ? (relation.targets[0] ?? tenant) : tenant;
  const attribute = `${tenant}: { type: relation, relation: manyToOne, target: ${target} }`;
  reportError(report, {
    code: 'type/tenant',
    message: `roles reach the entries of ${named(uid)} by the ${named(tenant)} of the user, but users have none`,
    location: schema.contentTypes.find((type) => type.uid === uid)?.tenant?.location ?? location,
    hint: `add \`users: { attributes: { ${attribute} } }\`, or write \`${ALL_TENANTS}: '*'\` for roles that reach all of them`,
  });
}

/** `reachesAll`: whether a role reaches the entries of all tenants. */
export function withTenantRules(
  context: ModelContext,
  types: readonly ContentType[],
  roles: readonly RolePermissions[],
  reachesAll: (role: string) => boolean,
): readonly RolePermissions[] {
  const tenanted = types.filter(isTenanted);
  if (tenanted.length === 0) return roles;
  const missing = new Set<Tenanted>();
  const resolved = roles.map((given) => {
    if (reachesAll(given.role)) return given;
    const rules: Record<string, Rule> = { ...given.rules };
    for (const type of tenanted) {
      for (const action of RULED) {
        const permission = `${type.uid}.${action}`;
        if (!given.permissions.includes(permission)) continue;
        const ofUsers = hasUsersWithin(types, type);
        if (!ofUsers && type.tenantHost === undefined) missing.add(type);
        rules[permission] = withinTenant(action, type, tenantOf(type, given.role, ofUsers), rules[permission]);
      }
    }
    const sorted: Rules = Object.fromEntries(Object.entries(rules).sort(([one], [other]) => (one < other ? -1 : 1)));
    return { ...given, ...(Object.keys(sorted).length > 0 && { rules: sorted }) };
  });
  for (const type of missing) reportMissing(context, type);
  return resolved;
}
