/** CORS. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { definition } from '../../test-support/projects/accounts/src/generated/app.ts';
import { openProject, type TestProject, type TestServer } from '../../test-support/test-project.ts';

let project: TestProject;
beforeAll(async () => {
  project = await openProject(definition);
});
afterAll(() => project?.remove());

const PRODUCTION = { NODE_ENV: 'production', AUTH_PASSWORD_COST: '', DRAIN_DELAY: '0' };

/** The CORS headers of a preflight and of a request. */
async function allowed(server: TestServer, origin: string): Promise<readonly (string | null)[]> {
  const preflight = {
    origin,
    'access-control-request-method': 'PUT',
    'access-control-request-headers': 'authorization',
  };
  const answers = [
    await server.send('OPTIONS', '/api/users/me', { headers: preflight }),
    await server.send('GET', '/api/nowhere', { headers: { origin } }),
  ];
  for (const { headers } of answers) expect(headers.get('access-control-allow-credentials')).toBeNull();
  return answers.map(({ headers }) => headers.get('access-control-allow-origin'));
}

const LOCAL = ['http://localhost:3000', 'https://localhost', 'http://127.0.0.1:5173', 'http://[::1]:8080'];
const FOREIGN = ['https://example.org', 'http://localhost.example.org', 'http://127.0.0.1.example.org:3000', 'null'];

it('N06: pages on this machine are allowed, on any port, but not in production', async () => {
  const development = await project.start();
  for (const origin of LOCAL) expect(await allowed(development, origin)).toEqual([origin, origin]);
  for (const origin of FOREIGN) expect(await allowed(development, origin), origin).toEqual([null, null]);
  const { headers } = await development.send('GET', '/api/nowhere', { headers: { origin: 'http://localhost' } });
  expect(headers.get('access-control-expose-headers')).toBe('ETag,Retry-After,Idempotency-Replayed');
  await development.close();
  const production = await project.start(PRODUCTION);
  for (const origin of [...LOCAL, ...FOREIGN]) expect(await allowed(production, origin)).toEqual([null, null]);
  await production.close();
});

it('N06: origins are listed as browsers send them, and * allows all', async () => {
  const named = await project.start({
    ...PRODUCTION,
    CORS_ORIGINS: 'https://Example.org, http://localhost:3000,app://x',
  });
  for (const origin of ['https://example.org', 'http://localhost:3000', 'app://x']) {
    expect(await allowed(named, origin)).toEqual([origin, origin]);
  }
  expect(await allowed(named, 'http://localhost:3001')).toEqual([null, null]);
  expect((await named.send('GET', '/api/nowhere')).headers.get('vary')).toContain('Origin');
  await named.close();
  const open = await project.start({ ...PRODUCTION, CORS_ORIGINS: '*' });
  expect(await allowed(open, 'https://anything.example')).toEqual(['*', '*']);
  await open.close();
});

it('N06: an origin with a path is rejected, with the intended one in the message', async () => {
  const refusals = {
    'http://localhost:3000/': 'http://localhost:3000 instead of http://localhost:3000/',
    'https://example.org,https://example.com/app?x=1#y': 'https://example.com instead of https://example.com/app?x=1#y',
    'https://user@example.org': 'https://example.org instead of https://user@example.org',
    'example.org': 'origins such as https://example.org',
    'http:example.org': 'origins such as https://example.org',
  };
  for (const [origins, message] of Object.entries(refusals)) {
    await expect(project.start({ CORS_ORIGINS: origins }), origins).rejects.toThrow(message);
  }
});
