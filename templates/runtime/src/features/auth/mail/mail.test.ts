/** Password resets and email confirmation, through a real SMTP server. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { definition } from '../../../../test-support/projects/accounts/src/generated/app.ts';
import {
  createToken,
  dump,
  openProject,
  PASSWORD,
  type TestProject,
  type TestServer,
} from '../../../../test-support/test-project.ts';
import { sql } from '../../../database/sql.ts';

interface Received {
  readonly to: readonly string[];
  readonly text: string;
}

const received: Received[] = [];
let smtp: SMTPServer;
let project: TestProject;
let mail: Record<string, string>;

beforeAll(async () => {
  project = await openProject(definition);
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      let text = '';
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        // Long lines are folded as quoted-printable.
        received.push({ to, text: text.replaceAll('=\r\n', '').replaceAll('=3D', '=') });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', () => resolve()));
  const { port } = smtp.server.address() as AddressInfo;
  mail = {
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'Server <server@example.org>',
    PUBLIC_URL: 'https://api.example.org/base',
    PASSWORD_RESET_URL: 'https://example.org/new-password?lang=en',
  };
});
afterAll(async () => {
  await new Promise<void>((resolve) => smtp.close(() => resolve()));
  await project?.remove();
});

async function nextMail(): Promise<Received> {
  await expect.poll(() => received.length, { timeout: 5000 }).toBeGreaterThan(0);
  return received.shift() as Received;
}

function linkOf({ text }: Received): URL {
  return new URL(/https:\S+/.exec(text)?.[0] ?? '');
}

const reset = (server: TestServer, code: unknown, password = 'a new password') =>
  server.send('POST', '/api/auth/reset-password', { body: { code, password, passwordConfirmation: password } });

describe('a forgotten password', () => {
  test('is reset once, with the code mailed to the stored address', async () => {
    const server = await project.start(mail);
    const { jwt } = await server.register('ann');
    const forgot = (email: unknown, headers = {}) =>
      server.send('POST', '/api/auth/forgot-password', { body: { email }, headers });
    expect(
      (await forgot('ANN@example.org', { 'x-forwarded-host': 'evil.example', origin: 'https://evil.example' })).body,
    ).toEqual({
      ok: true,
    });
    const message = await nextMail();
    expect(message.to).toEqual(['ann@example.org']);
    expect(message.text).toContain('From: Server <server@example.org>');
    expect(message.text).not.toContain('evil');
    const link = linkOf(message);
    expect(link.href).toMatch(/^https:\/\/example\.org\/new-password\?lang=en&code=[\w-]{43}$/);
    const code = link.searchParams.get('code') ?? '';
    const database = await project.open();
    expect(await dump(database)).not.toContain(code);

    for (const wrong of [{}, [], true, null, { $gt: '' }, [code], '', `${code}x`, code.toLowerCase()]) {
      expect((await reset(server, wrong)).status, JSON.stringify(wrong)).toBe(400);
    }
    const both = await Promise.all([reset(server, code), reset(server, code, 'another new password')]);
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400]);
    expect((await reset(server, code)).status).toBe(400);
    expect((await server.send('GET', '/api/users/me', { token: jwt })).status).toBe(401);
    const good = both.find(({ status }) => status === 200);
    expect((await server.send('GET', '/api/users/me', { token: good?.body.jwt })).body.username).toBe('ann');
    expect((await server.signIn('ann', PASSWORD)).status).toBe(400);

    await forgot('ann@example.org');
    const late = linkOf(await nextMail()).searchParams.get('code');
    const past = new Date(Date.now() - 1000).toISOString();
    await database.run(sql`UPDATE users SET reset_password_expires_at = ${past}`);
    expect((await reset(server, late)).status).toBe(400);
    await database.close();
    await server.close();
  });

  test('gets the same response for unknown, blocked and lookalike addresses', async () => {
    const server = await project.start(mail);
    const database = await project.open();
    const { id } = await server.register('bob');
    await database.run(sql`UPDATE users SET blocked = 1 WHERE id = ${id}`);
    // The third begins with a Cyrillic letter.
    for (const email of ['nobody@example.org', 'bob@example.org', '\u0430nn@example.org', 'ann@example.org.evil.com']) {
      const { status, body } = await server.send('POST', '/api/auth/forgot-password', { body: { email } });
      expect([status, body], email).toEqual([200, { ok: true }]);
    }
    const two = await server.send('POST', '/api/auth/forgot-password', {
      body: { email: 'ann@example.org, eve@example.org' },
    });
    expect(two.status).toBe(400);
    await server.close();
    expect(received).toEqual([]);
    await database.close();
  });

  test('is reset on the page of the panel, if the panel has asked: its link has the code where no server sees it', async () => {
    const { admin: _, ...without } = definition;
    const forgotten = async (from: TestProject, headers: Readonly<Record<string, string>>): Promise<string> => {
      const server = await from.start(mail);
      await server.register('pat');
      await server.send('POST', '/api/auth/forgot-password', { body: { email: 'pat@example.org' }, headers });
      const { href } = linkOf(await nextMail());
      await server.close();
      return href;
    };
    const panel = { 'x-admin-session': '1', host: 'evil.example' };
    const inPanel = await openProject({ ...definition, admin: true });
    const noPanel = await openProject(without);
    expect(await forgotten(inPanel, panel)).toMatch(
      /^https:\/\/api\.example\.org\/base\/admin\/#\/reset\?code=[\w-]{43}$/u,
    );
    expect(await forgotten(noPanel, panel)).toMatch(/^https:\/\/example\.org\/new-password/u);
    await inPanel.remove();
    await noPanel.remove();
  });

  test('cannot be reset if the server sends no mail, with an error that says so', async () => {
    const production = { NODE_ENV: 'production', AUTH_PASSWORD_COST: '', DRAIN_DELAY: '0' };
    const server = await project.start(production);
    for (const path of ['forgot-password', 'send-email-confirmation']) {
      const { status, body } = await server.send('POST', `/api/auth/${path}`, { body: { email: 'ann@example.org' } });
      expect([status, body.error.message]).toEqual([
        400,
        'This server sends no mail: SMTP_URL, MAIL_FROM and PUBLIC_URL are not set',
      ]);
    }
    await server.close();
    await expect(project.start({ SMTP_URL: 'smtp://127.0.0.1' })).rejects.toThrow('MAIL_FROM must be set');
    await expect(project.start({ ...production, AUTH_EMAIL_CONFIRMATION: 'true' })).rejects.toThrow(
      'AUTH_EMAIL_CONFIRMATION needs mail',
    );
  });
});

test('N13: outside production, mail is logged if there is no SMTP server', async () => {
  const lines: string[] = [];
  const spied = vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  try {
    const server = await project.start({ LOG_LEVEL: 'info' });
    await server.register('erin');
    const forgot = await server.send('POST', '/api/auth/forgot-password', { body: { email: 'erin@example.org' } });
    expect(forgot.status).toBe(200);
    await expect.poll(() => lines.some((line) => line.includes('To: erin@example.org'))).toBe(true);
    const printed = lines.find((line) => line.includes('To: erin@example.org')) ?? '';
    const code = /http:\/\/127\.0\.0\.1:\d+\/reset-password\?code=(?<code>[\w-]{43})/u.exec(printed)?.groups?.['code'];
    expect((await reset(server, code)).status).toBe(200);
    await server.close();
  } finally {
    spied.mockRestore();
  }
});

describe('an address', () => {
  test('must be confirmed before the sign-in, if the settings say so', async () => {
    const confirmed = 'https://example.org/welcome';
    const server = await project.start({ ...mail, AUTH_EMAIL_CONFIRMATION: 'true', EMAIL_CONFIRMED_URL: confirmed });
    const body = { username: 'carl', email: 'carl@example.org', password: PASSWORD };
    const { body: answer } = await server.send('POST', '/api/auth/local/register', { body });
    expect(answer).toEqual({ user: expect.objectContaining({ username: 'carl', confirmed: false }) });
    const message = await nextMail();
    expect(message.to).toEqual(['carl@example.org']);
    const link = linkOf(message);
    expect(link.href).toMatch(/^https:\/\/api\.example\.org\/base\/api\/auth\/email-confirmation\?confirmation=/);
    expect((await server.signIn('carl', PASSWORD)).body.error.message).toBe('Invalid identifier or password');
    const path = link.pathname.replace('/base', '') + link.search;
    expect((await server.send('HEAD', path)).status).toBe(302);
    expect((await server.signIn('carl', PASSWORD)).status).toBe(400);
    expect((await server.send('GET', `${path}x`)).status).toBe(400);
    expect((await server.send('GET', '/api/auth/email-confirmation?confirmation[$ne]=x')).status).toBe(400);
    const opened = await server.send('GET', path);
    expect([opened.status, opened.headers.get('location')]).toEqual([302, confirmed]);
    const { body: signedIn } = await server.signIn('carl', PASSWORD);
    expect(signedIn.user.confirmed).toBe(true);
    const again = (email: string) => server.send('POST', '/api/auth/send-email-confirmation', { body: { email } });
    expect((await again('carl@example.org')).body).toEqual({ email: 'carl@example.org', sent: true });
    expect((await again('nobody@example.org')).body).toEqual({ email: 'nobody@example.org', sent: true });
    const database = await project.open();
    const token = await createToken(database, { kind: 'read-only', userId: signedIn.user.id });
    const statuses = async () => [
      (await server.send('GET', '/api/users/me', { token: signedIn.jwt })).status,
      (await server.send('GET', '/api/articles', { token })).status,
    ];
    expect(await statuses()).toEqual([200, 200]);
    await database.run(sql`UPDATE users SET confirmed = 0 WHERE username = ${'carl'}`);
    await expect.poll(statuses, { timeout: 1500 }).toEqual([401, 401]);
    await again('carl@example.org');
    expect((await nextMail()).to).toEqual(['carl@example.org']);
    await database.close();
    await server.close();
    expect(received).toEqual([]);
  });

  test("gets its mail from the team's own mailer, if there is one", async () => {
    const sent: string[] = [];
    const send = async ({ to }: { readonly to: string }) => void sent.push(to);
    const server = await project.start({ PUBLIC_URL: 'https://api.example.org' }, { mailer: { send } });
    await server.register('dora');
    await server.send('POST', '/api/auth/forgot-password', { body: { email: 'dora@example.org' } });
    await server.close();
    expect(sent).toEqual(['dora@example.org']);
  });
});
