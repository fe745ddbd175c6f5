/** Exports the permissions of roles in Strapi's format. */
import { PUBLIC } from '#contract/policy/built-in-roles.ts';
import { SUBJECTS } from '#contract/policy/permission-name.ts';
import { PERMISSION } from '../../strapi/own-names.ts';
import { actionsOfPermission, openActions } from '../../strapi/permissions.ts';
import type { Job } from './export-job.ts';
import { systemData } from './strapi-entities.ts';
import { rowsOf } from './strapi-links.ts';
import { strapiUid } from './strapi-schema.ts';

/** The Strapi actions that correspond to a permission. */
function actionsOf({ exported: { types } }: Job, permission: string): readonly string[] {
  const [subject = '', action = ''] = permission.split('.');
  const builtIn = actionsOfPermission([subject, action]);
  if (builtIn.length > 0) return builtIn;
  if (!Object.hasOwn(types.types, subject) || SUBJECTS.has(subject) || action === 'preview') return [];
  return [`${strapiUid(subject)}.${action}`];
}

/** Role → Strapi actions, including actions that need no permission here. */
async function actionsByRole(job: Job): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const { exported, reader, findings } = job;
  const actions = new Map<number, Set<string>>();
  for await (const { id, type } of rowsOf(reader, 'user_roles')) {
    actions.set(Number(id), new Set(openActions(exported.major, type === PUBLIC)));
  }
  for await (const { role_id: role, action } of rowsOf(reader, 'user_role_permissions')) {
    const permission = String(action);
    const named = actionsOf(job, permission);
    // Strapi shows drafts to everyone who may read, so it has no `preview`.
    if (named.length === 0 && !permission.endsWith('.preview')) {
      findings.add('left', 'permissions that Strapi does not have', permission);
    }
    for (const name of named) actions.get(Number(role))?.add(name);
  }
  return actions;
}

/** Adds the permissions of all roles. */
export async function exportRoles(job: Job): Promise<void> {
  const { exported, entities, links } = job;
  if (!job.reader.tables.has('user_role_permissions')) return;
  let id = 0;
  for (const [role, actions] of await actionsByRole(job)) {
    for (const action of actions) {
      id += 1;
      await entities.add({ type: PERMISSION, id, data: { action, ...systemData(exported.major) } });
      await links.add({
        kind: 'relation.basic',
        relation: 'manyToOne',
        left: { type: PERMISSION, field: 'role', ref: id },
        right: { type: strapiUid('user-role'), ref: role, field: 'permissions', pos: id },
      });
    }
  }
}
