import { expect, test } from 'vitest';
import type { ContentType } from '../model/model.ts';
import { ruleText } from './rule-text.ts';

const type = { attributes: { author: { type: 'relation', displayName: 'Written by' } } } as unknown as ContentType;

test.each([
  [{ author: '$user' }, 'Written by: you'],
  [{ author: { id: { $eq: '$user' } } }, 'Written by: you'],
  [{ stage: { $in: ['idea', 'review'] }, author: '$user' }, 'Stage: idea, review; Written by: you'],
  [{ team: { members: '$user' } }, 'Team · Members: you'],
  [{ team: '$user.team' }, 'Team: you · team'],
  [{ $or: [{ author: '$user' }] }, undefined],
  [{ rating: { $gt: 3 } }, undefined],
  [{}, undefined],
])('%j is told as %s', (where, text) => {
  expect(ruleText(where, type, 'you')).toBe(text);
});
