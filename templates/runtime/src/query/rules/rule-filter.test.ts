/** Filters of rules: what is unknown never widens them. */
import { expect, test } from 'vitest';
import type { RuleFilter, RuleVariable } from '../../contract/policy/rule.ts';
import { plainQuery, Slot } from '../query-value.ts';
import { ruleFilter } from './rule-filter.ts';

/** The filter for a user 7 whose `team` is 3, and who has no `desk`. */
function filterOf(where: RuleFilter): unknown {
  const slotOf = (variable: RuleVariable): Slot | undefined => {
    if (variable.kind !== 'user') return undefined;
    const [name] = variable.path;
    return name === undefined ? new Slot(0, '7') : name === 'team' ? new Slot(1, '3') : undefined;
  };
  return plainQuery(ruleFilter(where, slotOf));
}

const NOTHING = { $or: [] };

test.each([
  [
    { author: '$user', hidden: false },
    { author: '7', hidden: 'false' },
  ],
  [{ team: { id: { $in: ['$user.team', 5] } } }, { team: { id: { $in: ['3', '5'] } } }],
] as const)('%j has the values of variables', (where, filter) => {
  expect(filterOf(where)).toEqual(filter);
});

test.each([
  [{ desk: '$user.desk' }, NOTHING],
  [{ hidden: false, team: { desk: '$user.desk', name: 'red' } }, NOTHING],
  [{ $not: { desk: '$user.desk' } }, NOTHING],
  [{ desk: { $ne: '$user.desk' } }, NOTHING],
  [{ desk: { $not: { $eq: '$user.desk' } } }, NOTHING],
  [{ members: { $none: { desk: '$user.desk' } } }, NOTHING],
  [{ members: { $every: { desk: '$user.desk' } } }, NOTHING],
  [{ desk: { $notIn: ['$user.desk', 'west'] } }, NOTHING],
  [{ $not: { desk: { $in: ['$user.desk', 'west'] } } }, NOTHING],
  [{ desk: { $in: ['$user.desk'] } }, NOTHING],
  [{ desk: { $in: ['$user.desk', 'west'] } }, { desk: { $in: ['west'] } }],
  [{ $or: [{ desk: '$user.desk' }, { author: '$user' }] }, { $or: [{ author: '7' }] }],
  [{ $or: [{ $not: { desk: '$user.desk' } }, { desk: '$user.desk' }] }, NOTHING],
  [{ $not: { $and: [{ desk: '$user.desk' }, { author: '$user' }] } }, { $not: { $and: [{ author: '7' }] } }],
  [{ $not: { $not: { desk: '$user.desk' } } }, NOTHING],
  [{ token: '$token' }, NOTHING],
] as const)('%j, whose variable has no value, reaches only what is certain', (where, filter) => {
  expect(filterOf(where as unknown as RuleFilter)).toEqual(filter);
});
