/** Webhooks: who is told which events. */
import {
  CACHE_EVENTS,
  ENTRY_EVENTS,
  type EventName,
  MEDIA_EVENTS,
  RELEASE_EVENTS,
} from '#contract/events/event-names.ts';
import type { Webhook } from '#contract/events/webhook.ts';
import type { SourceLocation } from '../diagnostics/diagnostic.ts';
import { reportError } from '../diagnostics/report.ts';
import { suggestion } from '../diagnostics/suggest.ts';
import { named, quoted } from '../diagnostics/visible-text.ts';
import type { Located } from '../schema/definition.ts';
import type { WebhookDefinition } from '../schema/webhook-options.ts';
import type { ModelContext } from './model-context.ts';

const VARIABLE = /^\$([A-Z][A-Z0-9_]{0,99})$/u;

/** The name of the variable; undefined if it is absent or invalid, which is reported. */
function variableOf(
  { report }: ModelContext,
  key: 'url' | 'secret',
  written: Located<string> | undefined,
  location: SourceLocation,
): string | undefined {
  const example = key === 'url' ? '$SITE_HOOK' : '$SITE_SECRET';
  const hint = `write \`${key}: ${example}\`, and set ${example.slice(1)} where the server runs`;
  if (written === undefined) {
    const message = `a webhook has no \`${key}\``;
    return reportError(report, { code: 'schema/missing-option', message, location, hint });
  }
  const name = VARIABLE.exec(written.value)?.[1];
  if (name !== undefined) return name;
  const message = `\`${key}\` of a webhook must name an environment variable, not ${quoted(written.value)}`;
  return reportError(report, { code: 'project/webhooks', message, location: written.location, hint });
}

function typesOf({ schema, types, report }: ModelContext, written: readonly Located<string>[] | undefined): string[] {
  const known = schema.contentTypes.map(({ uid }) => uid);
  if (written === undefined) return [...known].sort();
  for (const { value, location } of written) {
    if (types.has(value)) continue;
    const message = `a webhook tells of the content type ${named(value)}, which does not exist`;
    reportError(report, { code: 'project/webhooks', message, location, hint: suggestion(value, known) });
  }
  return [...new Set(written.map(({ value }) => value))].sort();
}

/** In the order in which all events are listed. */
function eventsOf({ schema }: ModelContext, written: readonly Located<EventName>[] | undefined): readonly EventName[] {
  const chosen = new Set<EventName>(written?.map(({ value }) => value));
  const all: readonly EventName[] = [
    ...ENTRY_EVENTS,
    ...MEDIA_EVENTS,
    ...(schema.schedules?.value === true ? RELEASE_EVENTS : []),
  ];
  const further = schema.cacheTags?.value === true ? CACHE_EVENTS : [];
  return written === undefined ? all : [...all, ...further].filter((name) => chosen.has(name));
}

function resolveWebhook(
  context: ModelContext,
  { value, location }: Located<WebhookDefinition>,
): Located<Webhook> | undefined {
  const url = variableOf(context, 'url', value.url, location);
  const secret = variableOf(context, 'secret', value.secret, location);
  const types = typesOf(context, value.types);
  const events = eventsOf(context, value.events);
  const tellsOf = (names: readonly EventName[]) => names.some((name) => events.includes(name));
  if (
    !tellsOf(MEDIA_EVENTS) &&
    !tellsOf([...RELEASE_EVENTS, ...CACHE_EVENTS]) &&
    (!tellsOf(ENTRY_EVENTS) || types.length === 0)
  ) {
    const message = 'a webhook would never be told anything';
    return reportError(context.report, { code: 'project/webhooks', message, location, hint: 'name events and types' });
  }
  return url === undefined || secret === undefined ? undefined : { value: { url, secret, events, types }, location };
}

/** Undefined if there are none. */
export function resolveWebhooks(context: ModelContext): readonly Webhook[] | undefined {
  const found: Located<Webhook>[] = [];
  for (const written of context.schema.webhooks?.value ?? []) {
    const webhook = resolveWebhook(context, written);
    if (!webhook) continue;
    const first = found.find(({ value }) => value.url === webhook.value.url);
    if (!first) {
      found.push(webhook);
      continue;
    }
    reportError(context.report, {
      code: 'project/webhooks',
      message: `two webhooks have the URL of $${webhook.value.url}, by which receivers are told apart`,
      location: webhook.location,
      related: [{ message: 'the first one is here', location: first.location }],
      hint: 'use another variable, or name the events of both in one',
    });
  }
  return found.length === 0 ? undefined : found.map(({ value }) => value);
}
