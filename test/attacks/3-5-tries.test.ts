/** Section 3.5, of those who try again and again. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SECRETS } from '../support/attacks/canaries.ts';
import { type AttackedServer, startAttacked } from '../support/attacks/server.ts';

const LOCAL = '/api/auth/local';
const { password } = SECRETS;

let limited: AttackedServer;
beforeAll(async () => {
  limited = await startAttacked({ AUTH_RATE_LIMIT: '5' });
});
afterAll(() => limited?.stop());

test('B77: are counted by address and account, not by what a caller chooses', async () => {
  const statuses = [];
  const spellings = [LOCAL, `${LOCAL}/`, '/API/Auth/Local', `${LOCAL}?x=1`, `${LOCAL}?x=2`, '/api/auth/LOCAL'];
  for (let round = 0; round < 18; round++) {
    const path = spellings[round % spellings.length] ?? LOCAL;
    const json = {
      identifier: round % 2 === 0 ? 'reader@people.example' : `Reader${round}@people.example`,
      password: `wrong-${round}`,
      email: `x${round}`,
      nonce: round,
    };
    const headers = {
      'X-Forwarded-For': `10.0.0.${round}`,
      'X-Real-IP': `10.1.0.${round}`,
      Forwarded: `for=10.2.0.${round}`,
      'User-Agent': `agent ${round}`,
      'Content-Type': round % 3 === 0 ? 'application/json; charset=utf-8' : 'application/json',
    };
    const { status, headers: answered } = await limited.call('public', 'POST', path, { json, headers });
    statuses.push(status);
    if (status === 429) expect(Number(answered['retry-after'])).toBeGreaterThan(0);
  }
  expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(6);
  expect(statuses.slice(-6)).toEqual(Array(6).fill(429));
  // The right password does not help any more either.
  const right = { identifier: 'reader@people.example', password };
  expect((await limited.call('public', 'POST', LOCAL, { json: right })).status).toBe(429);
  expect((await limited.get('public', '/api/articles')).status).toBe(200);
  const registrations = [];
  for (let round = 0; round < 8; round++) {
    const json = { username: `many-${round}`, email: `many-${round}@people.example`, password: 'x' };
    registrations.push((await limited.call('public', 'POST', `${LOCAL}/register`, { json })).status);
  }
  expect(registrations.at(-1)).toBe(429);
});
