/** Roles' permissions, and the roles of users, as Strapi has them. */
import { SUBJECTS } from '../../../contract/policy/permission-name.ts';
import { PERMISSION } from '../../../strapi/own-names.ts';
import { actionOfPermission } from '../../../strapi/permissions.ts';
import type { Job } from './export-job.ts';
import { rowsOf } from './strapi-links.ts';
import { strapiUid } from './strapi-schema.ts';

/** What Strapi calls a permission; undefined if it has none such. */
function actionOf({ exported: { types } }: Job, permission: string): string | undefined {
  const [subject = '', action = ''] = permission.split('.');
  const builtIn = actionOfPermission([subject, action]);
  if (builtIn !== undefined) return builtIn;
  if (!Object.hasOwn(types.types, subject) || SUBJECTS.has(subject) || action === 'preview') return undefined;
  return `${strapiUid(subject)}.${action}`;
}

/** Adds the permissions of all roles. */
export async function exportRoles(job: Job): Promise<void> {
  const { exported, reader, entities, links, findings } = job;
  if (!exported.tables.has('user_role_permissions')) return;
  const time = new Date(0).toISOString();
  let id = 0;
  for await (const { role_id: role, action: permission } of rowsOf(reader, exported, 'user_role_permissions')) {
    const action = actionOf(job, String(permission));
    if (action === undefined) {
      if (!String(permission).endsWith('.preview')) {
        findings.add('left', 'permissions that Strapi does not have', String(permission));
      }
      continue;
    }
    id += 1;
    await entities.add({ type: PERMISSION, id, data: { action, createdAt: time, updatedAt: time } });
    const right = { type: strapiUid('user-role'), ref: Number(role), field: 'permissions', pos: id };
    await links.add({
      kind: 'relation.basic',
      relation: 'manyToOne',
      left: { type: PERMISSION, field: 'role', ref: id },
      right,
    });
  }
}
