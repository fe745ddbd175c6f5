/** What has a meaning in permissions is no name of a content type or a role. */
import { expect, it } from 'vitest';
import { roleNameTaken, typeNameTaken } from '../src/model/reserved-names.ts';
import { knownPermissions } from '../templates/runtime/src/contract/policy/permissions.ts';
import { SERVER } from '../templates/runtime/src/contract/policy/caller.ts';
import { API_TOKEN } from '../templates/runtime/src/access/role-rows.ts';
import { slugify } from '../templates/runtime/src/contract/values/slugify.ts';

it('S07: no content type shares the permissions of a built-in endpoint', () => {
  const subjects = new Set(
    knownPermissions({ types: {}, components: {}, locales: [] }).map((name) => name.split('.')[0] ?? ''),
  );
  expect(subjects).toContain('tokens');
  for (const subject of subjects) expect(typeNameTaken(subject), subject).toBeDefined();
  expect(typeNameTaken('article')).toBeUndefined();
});

it('N05: role names that stand for callers without a role are reserved', () => {
  for (const name of [SERVER, API_TOKEN]) expect(roleNameTaken(slugify(name)), name).toBeDefined();
  expect(roleNameTaken('editor')).toBeUndefined();
});
