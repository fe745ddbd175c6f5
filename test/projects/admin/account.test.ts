/** The account of the person at the admin page: a forgotten password, and what can be changed of it. */
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAccount, fullAccess, type Send } from '../../support/full-access.ts';
import { type ServedProject, serveProject } from '../../support/served-project.ts';
import { isSkipped, openBrowser, signIn, sitDown } from './browser.ts';
import { PASSWORD } from './kiosk.ts';

const SCHEMA = `name: account
databases: [sqlite]
contentTypes:
  note: { attributes: { title: { type: string } } }
permissions:
  editor: { note: [find, findOne], users: [update], admin: [access] }
  reader: { note: [find, findOne], admin: [access] }
`;

describe.skipIf(isSkipped)('the account', () => {
  let browser: Browser;
  let smtp: SMTPServer;
  let server: ServedProject;
  let send: Send;
  const mails: string[] = [];

  beforeAll(async () => {
    smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData(stream, _session, done) {
        let text = '';
        stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
        stream.on('end', () => {
          mails.push(text.replaceAll('=\r\n', '').replaceAll('=3D', '='));
          done();
        });
      },
    });
    await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', () => resolve()));
    const { port } = smtp.server.address() as AddressInfo;
    const environment = {
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'Server <server@example.org>',
      PUBLIC_URL: 'https://cms.example.org',
    };
    [browser, server] = await Promise.all([openBrowser(), serveProject(SCHEMA, { environment })]);
    send = await fullAccess(server);
    for (const username of ['editor', 'reader']) await addAccount(send, username);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await new Promise<void>((resolve) => smtp.close(() => resolve()));
  });

  it('has name, password and language of the person, and ends sessions', async () => {
    const person = await sitDown(browser, server, await signIn(browser, server, 'editor'));
    const { page } = person;
    await person.open('');
    await page.getByRole('button', { name: 'editor' }).click();
    await page.getByRole('menuitem', { name: 'Account' }).click();
    await page.waitForURL(/account$/u);
    await page.getByText('Email: editor@example.org').waitFor();
    await person.expectAccessible();

    const change = async (current: string, password: string, again = password) => {
      await page.getByLabel('Current password').fill(current);
      await page.getByLabel('New password *', { exact: true }).fill(password);
      await page.getByLabel('New password, again').fill(again);
      await page.getByRole('button', { name: 'Change password' }).click();
    };
    await change(PASSWORD, 'quite another one', 'quite another');
    await page.getByText('The two new passwords differ.').waitFor();
    await change('wrong', 'quite another one');
    await page.getByText('The current password is wrong.').waitFor();
    await change(PASSWORD, 'quite another one');
    await page.getByText('Your password has been changed.').waitFor();
    // The own session goes on; requests with passwords are not among those that are shown.
    await page.getByRole('button', { name: 'Show requests' }).click();
    await page.getByRole('dialog', { name: 'Show requests' }).waitFor();
    expect(await page.getByText('quite another one').count()).toBe(0);
    await page.keyboard.press('Escape');
    await change('quite another one', PASSWORD);
    await page.getByText('Your password has been changed.').waitFor();

    await page.getByLabel('User name').fill('chief');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'chief' }).waitFor();
    await page.getByRole('combobox', { name: 'Language of this page' }).click();
    await page.getByRole('option', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Sitzungen' }).waitFor();
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Überall abmelden' }).click();
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    person.expectNoComplaints();
    await page.context().close();

    // A role that may not change users can't change its own name.
    const reader = await sitDown(browser, server, await signIn(browser, server, 'reader'));
    await reader.open('account');
    await reader.page.getByText('Email: reader@example.org').waitFor();
    expect(await reader.page.getByLabel('User name').count()).toBe(0);
    await reader.page.context().close();
  });

  it('gets a new password by mail, and signs in with it', async () => {
    const nobody = await browser.newContext({ locale: 'en-GB' });
    const page = await nobody.newPage();
    page.setDefaultTimeout(20_000);
    await page.goto(`${server.origin}/admin/`);
    await page.getByRole('button', { name: 'Forgot password?' }).click();
    await page.getByLabel('Email').fill('reader@example.org');
    await page.getByRole('button', { name: 'Send email' }).click();
    await page.getByText('If there is an account with this address, an email is on its way.').waitFor();
    await expect.poll(() => mails.length, { timeout: 10_000 }).toBe(1);
    const [, fragment = ''] =
      /https:\/\/cms\.example\.org\/admin\/(?<fragment>#\/reset\?code=\S+)/u.exec(mails[0] ?? '') ?? [];
    expect(fragment).not.toBe('');

    const open = async () => {
      await page.goto('about:blank');
      await page.goto(`${server.origin}/admin/${fragment}`);
      await page.getByLabel('New password *', { exact: true }).fill('a new password');
      await page.getByLabel('New password, again').fill('a new password');
      await page.getByRole('button', { name: 'Save password' }).click();
    };
    await open();
    await page.getByRole('button', { name: 'reader' }).waitFor();
    expect(page.url()).toBe(`${server.origin}/admin/`);
    // It is valid once.
    await open();
    await page.getByText('This link is no longer valid. Request another one.').waitFor();
    await page.getByRole('button', { name: 'Back to sign-in' }).click();
    await page.getByRole('button', { name: 'reader' }).waitFor();
    await nobody.close();
  });
});
