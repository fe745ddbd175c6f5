import { expect, it } from 'vitest';
import { contentTypes } from '../../../test-support/projects/magazine/src/generated/database.ts';
import { definition } from '../../../test-support/projects/magazine/src/generated/app.ts';
import type { JsonValue } from '../values/json.ts';
import { checkRule } from './check-rule.ts';
import { ruleTypes } from './rule-types.ts';

function problemsOf(permission: string, rule: JsonValue): readonly string[] {
  const problems: string[] = [];
  checkRule(permission, rule, {
    types: ruleTypes(contentTypes),
    report: ({ path, part, message }) => problems.push(`${path.join('.')} (${part}): ${message}`),
  });
  return problems;
}

it('accepts the rules of a schema against the descriptors that were made of it', () => {
  const rules = Object.values(definition.rules ?? {}).flatMap((ofRole) => Object.entries(ofRole));
  expect(rules.length).toBeGreaterThan(20);
  for (const [permission, rule] of rules) {
    const written: JsonValue = JSON.parse(JSON.stringify(rule));
    expect(problemsOf(permission, written), permission).toEqual([]);
  }
});

it.each<readonly [string, JsonValue, readonly string[]]>([
  ['comment.update', { where: { author: '$user.name' } }, ['where.author (value): `user` has no attribute `name`']],
  [
    'article.find',
    { where: { note: { editor: { password: 'a' } } } },
    ['where.note.editor.password (key): `user` has no attribute `password`'],
  ],
  [
    'article.find',
    { where: { author: { resetPasswordToken: { $startsWith: 'a' } } } },
    ['where.author.resetPasswordToken (key): `user` has no attribute `resetPasswordToken`'],
  ],
  ['comment.update', 'all', [' (value): the rule of `comment.update` must be a map']],
  ['comment.update', { where: { author: '$me' } }, ['where.author (value): `$me` is not a variable']],
  [
    'comment.update',
    { where: { article: { category: { moderator: '$user' } } }, only: ['hide'] },
    [
      'where.article.category.moderator (key): `category` has no attribute `moderator`',
      'only.0 (value): `comment` has no attribute `hide`',
    ],
  ],
  ['users.update', { where: { id: '$user' } }, [" (key): `users.update` can't have a rule"]],
  [
    'upload.find',
    { where: { $or: [{ uploadedBy: 3 }] } },
    ['where.$or.0.uploadedBy (value): the only value of `uploadedBy` is `$user`'],
  ],
])('refuses the rule %s %j', (permission, rule, problems) => {
  expect(problemsOf(permission, rule)).toEqual(problems);
});
