/** Webhooks: who is told which events. */
import {
  CACHE_EVENTS,
  ENTRY_EVENTS,
  type EventName,
  MEDIA_EVENTS,
  RELEASE_EVENTS,
} from '#contract/events/event-names.ts';
import type { Webhook } from '#contract/events/webhook.ts';
import { reportError } from '../diagnostics/report.ts';
import { suggestion } from '../diagnostics/suggest.ts';
import { named } from '../diagnostics/visible-text.ts';
import type { Located } from '../schema/definition.ts';
import type { WebhookDefinition } from '../schema/webhook-options.ts';
import type { ModelContext } from './model-context.ts';
import { resolvePurges } from './resolve-purges.ts';
import { variableOf } from './resolve-variable.ts';

const WEBHOOK = { url: ['a webhook', '$SITE_HOOK'], secret: ['a webhook', '$SITE_SECRET'] } as const;

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
  const further = (schema.cacheTags?.value ?? false) === false ? [] : CACHE_EVENTS;
  return written === undefined ? all : [...all, ...further].filter((name) => chosen.has(name));
}

function resolveWebhook(
  context: ModelContext,
  { value, location }: Located<WebhookDefinition>,
): Located<Webhook> | undefined {
  const [url, secret] = (['url', 'secret'] as const).map((key) => {
    const [owner, example] = WEBHOOK[key];
    return variableOf(context, { owner, key, example }, value[key], location);
  });
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
  const written = (context.schema.webhooks?.value ?? []).map((one) => resolveWebhook(context, one));
  for (const webhook of [...written, ...resolvePurges(context)]) {
    if (!webhook) continue;
    const first = found.find(({ value }) => value.url === webhook.value.url);
    if (!first) {
      found.push(webhook);
      continue;
    }
    reportError(context.report, {
      code: 'project/webhooks',
      message: `two receivers have the URL of $${webhook.value.url}, by which they are told apart`,
      location: webhook.location,
      related: [{ message: 'the first one is here', location: first.location }],
      hint: 'use another variable, or name the events of both in one',
    });
  }
  return found.length === 0 ? undefined : found.map(({ value }) => value);
}
