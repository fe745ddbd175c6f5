/** The routes `/api/_webhooks`. */
import { EVENT_NAMES } from '../events/event-names.ts';
import { DELIVERY_STATES } from '../events/webhook-report.ts';
import { ok } from './answers.ts';
import { type JsonSchema, list, object, schemaRef, TEXT, TIME, TIME_OR_NULL } from './json-schema.ts';
import { routeTable } from './route.ts';

const INTEGER: JsonSchema = { type: 'integer' };
const TEXT_OR_NULL: JsonSchema = { type: ['string', 'null'] };
const RECEIVER: JsonSchema = { ...TEXT, description: 'The variable with the URL of the webhook: `SITE_HOOK`.' };

/** Schemas by name. */
export const WEBHOOK_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Webhook: object({
    name: RECEIVER,
    events: list({ type: 'string', enum: EVENT_NAMES }),
    types: list(TEXT),
    disabledAt: { ...TIME_OR_NULL, description: 'Null: it is told.' },
    reason: TEXT_OR_NULL,
    failures: { ...INTEGER, description: 'Failures in a row.' },
    waiting: { ...INTEGER, description: 'Events that wait; counted up to 10,000.' },
  }),
  WebhookDelivery: object({
    id: INTEGER,
    event: TEXT,
    type: TEXT,
    entryId: INTEGER,
    since: TIME,
    state: { type: 'string', enum: DELIVERY_STATES },
    dueAt: TIME_OR_NULL,
    tries: list(object({ at: TIME, took: INTEGER, status: INTEGER, error: TEXT }, ['at', 'took'])),
  }),
  WebhookRequest: object({ receiver: RECEIVER }),
  WebhookReplayRequest: object(
    { receiver: RECEIVER, ids: { ...list(INTEGER), description: 'By default all that were given up.' } },
    ['receiver'],
  ),
};

const DATA = (data: JsonSchema): JsonSchema => object({ data, meta: object({}) });
const REQUEST = { json: schemaRef('WebhookRequest') };
const PATH = '/api/_webhooks';

export const WEBHOOK_ROUTES = routeTable([
  {
    id: 'findWebhooks',
    method: 'GET',
    path: PATH,
    tag: 'webhooks',
    summary: 'List the webhooks, with how they are told',
    permission: 'webhooks.find',
    answers: ok(DATA(list(schemaRef('Webhook')))),
    probe: 200,
  },
  {
    id: 'findDeliveries',
    method: 'GET',
    path: `${PATH}/deliveries`,
    tag: 'webhooks',
    summary:
      'List the last 100 events for a webhook, `?receiver=SITE_HOOK`, or those of them that are `&state=given-up`',
    permission: 'webhooks.find',
    answers: ok(DATA(list(schemaRef('WebhookDelivery')))),
    probe: 400,
  },
  {
    id: 'replayDeliveries',
    method: 'POST',
    path: `${PATH}/replay`,
    tag: 'webhooks',
    summary: 'Tell events again',
    permission: 'webhooks.update',
    body: { json: schemaRef('WebhookReplayRequest') },
    answers: ok(DATA(object({ count: INTEGER }))),
    probe: 400,
  },
  {
    id: 'testWebhook',
    method: 'POST',
    path: `${PATH}/test`,
    tag: 'webhooks',
    summary: 'Post a test event to a webhook, and answer how it is answered',
    permission: 'webhooks.update',
    body: REQUEST,
    answers: ok(DATA(object({ status: { type: ['integer', 'null'] }, error: TEXT_OR_NULL, took: INTEGER }))),
    probe: 400,
  },
  {
    id: 'disableWebhook',
    method: 'POST',
    path: `${PATH}/disable`,
    tag: 'webhooks',
    summary: 'Stop telling a webhook; its events wait for four days',
    permission: 'webhooks.update',
    body: REQUEST,
    answers: [{ status: 204 }],
    probe: 400,
  },
  {
    id: 'enableWebhook',
    method: 'POST',
    path: `${PATH}/enable`,
    tag: 'webhooks',
    summary: 'Tell a webhook again, also what waits',
    permission: 'webhooks.update',
    body: REQUEST,
    answers: [{ status: 204 }],
    probe: 400,
  },
]);
