/** Settings of webhooks: whether they may reach the machine's own networks, and the values of the variables that the schema names. */
import { flag, type ValuesOf, withDefault } from '../../base/environment.ts';

export interface WebhookSettings {
  /** Whether receivers may have private addresses. */
  readonly allowsPrivate: boolean;
  /** The value of an environment variable. */
  readonly valueOf: (name: string) => string | undefined;
}

/** The environment variables of these settings, besides those that the schema names. */
export const webhookVariables = {
  WEBHOOKS_ALLOW_PRIVATE: withDefault(flag, false),
};

/** The settings as given by the variables. */
export function webhookSettings(
  data: ValuesOf<typeof webhookVariables>,
  environment: NodeJS.ProcessEnv,
): WebhookSettings {
  return { allowsPrivate: data.WEBHOOKS_ALLOW_PRIVATE, valueOf: (name) => environment[name]?.trim() };
}
