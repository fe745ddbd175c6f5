import { expect, test } from 'vitest';
import type { ContentType } from '../model/model.ts';
import { VIEW_FILTER, viewFilters, viewIn } from './list-views.ts';

const now = new Date('2026-02-03T04:05:06.789Z');

test('the filters of a view are those of a request, with who looks and the minute', () => {
  const filters = {
    status: ['in_review', 'done'],
    owner: '$user',
    $or: [{ date: { $gte: '$now' } }, { team: { members: { $in: ['$user', 7] } } }],
  };
  expect(viewFilters({ name: 'mine', filters }, { user: 3, now })).toEqual({
    status: { $in: ['in_review', 'done'] },
    owner: 3,
    $or: [{ date: { $gte: '2026-02-03T04:05:00.000Z' } }, { team: { members: { $in: [3, 7] } } }],
  });
  expect(viewFilters({ name: 'all' }, { user: 3, now })).toEqual({});
});

test.each([undefined, null, {}, { [VIEW_FILTER]: 'gone' }, { [VIEW_FILTER]: ['mine'] }])(
  '%j names no view',
  (filter) => {
    expect(viewIn({ views: [{ name: 'mine' }] } as unknown as ContentType, filter)).toBeUndefined();
  },
);
