/** The receivers of a server: its webhooks with the values of their variables. */
import type { Webhook } from '../../contract/events/webhook.ts';
import { keysOf } from './sign.ts';
import type { WebhookSettings } from './webhook-settings.ts';

/** A webhook with the values of its variables. */
export interface Receiver {
  /** The variable with its URL. */
  readonly name: string;
  readonly url: URL;
  /** The keys to sign with, the new one first. */
  readonly keys: readonly Buffer[];
}

function problemOfUrl(text: string | undefined): string | undefined {
  if (!text) return 'is not set: the URL of a webhook in the schema';
  const isWeb = /^https?:\/\//iu.test(text) && URL.canParse(text);
  if (!isWeb) return 'must be the URL of a webhook: https://…';
  const { username, password } = new URL(text);
  return username || password ? 'must not contain a user or a password: receivers verify the signature' : undefined;
}

function problemOfSecret(text: string | undefined): string | undefined {
  if (!text) return 'is not set: the secret of a webhook in the schema, such as whsec_$(openssl rand -base64 32)';
  return keysOf(text) === undefined
    ? 'must be whsec_ and at least 24 bytes in base64: whsec_$(openssl rand -base64 32); two of them, separated by a space, while one replaces the other'
    : undefined;
}

/** Throws an error that names every variable that is missing or wrong. */
export function receiversOf(webhooks: readonly Webhook[], { valueOf }: WebhookSettings): readonly Receiver[] {
  const problems = webhooks.flatMap(({ url, secret }) => {
    const found = [[url, problemOfUrl(valueOf(url))] as const, [secret, problemOfSecret(valueOf(secret))] as const];
    return found.flatMap(([name, problem]) => (problem === undefined ? [] : [`  ${name} ${problem}`]));
  });
  if (problems.length > 0) throw new Error(['The settings of webhooks are invalid:', ...new Set(problems)].join('\n'));
  return webhooks.map(({ url, secret }) => ({
    name: url,
    url: new URL(valueOf(url) ?? ''),
    keys: keysOf(valueOf(secret) ?? '') ?? [],
  }));
}
