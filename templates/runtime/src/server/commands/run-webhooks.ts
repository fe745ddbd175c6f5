/** `npm run server -- webhooks list|replay|send-test|disable|enable` of a generated server. */
import { parseArgs } from 'node:util';
import { UsageError } from '../../base/command-errors.ts';
import { TEST_EVENT } from '../../contract/events/event-names.ts';
import { DELIVERY_STATES, type DeliveryReport } from '../../contract/events/webhook-report.ts';
import type { Webhook } from '../../contract/events/webhook.ts';
import { replay } from '../../features/webhooks/outbox-rows.ts';
import { createPost } from '../../features/webhooks/post.ts';
import { addReceivers, disable, enable } from '../../features/webhooks/receiver-rows.ts';
import { receiversOf } from '../../features/webhooks/receivers.ts';
import { reportDeliveries, reportWebhooks, testReceiver } from '../../features/webhooks/report-webhooks.ts';
import type { ServerDefinition } from '../definition.ts';
import { loadCacheServices } from '../load-cache-tags.ts';
import { type Command, type CommandContext, runCommand } from './command.ts';
import { orNearest, unknownCommand } from './wrong-arguments.ts';

/** What `--help` prints. */
export const USAGE = `Usage: npm run server -- webhooks <command>

  list [NAME] [--state pending|told|given-up] [--last 20]
          shows the webhooks and, of the one that is named, its last events with their tries
  replay NAME [--id 7 …]
          tells events again: those with these ids, or all that were given up
  send-test NAME
          posts the event ${TEST_EVENT}, or purges a tag that nothing has, and shows how it is answered
  disable NAME
          stops telling it; events wait for four days
  enable NAME
          tells it again, also what waits

NAME is the variable of its URL in the schema, such as SITE_HOOK.
`;

const MOST_COUNTED = 100_000;
const MOST_LISTED = 1000;

function nameOf(webhooks: readonly Webhook[], name: string | undefined): string {
  const known = webhooks.map(({ url }) => url);
  if (name !== undefined && known.includes(name)) return name;
  const problem = name === undefined ? 'name a webhook' : `there is no webhook ${name}${orNearest(name, known)}`;
  throw new UsageError(`${problem}; the schema has ${known.join(', ')}`);
}

async function listWebhooks({ database, print }: CommandContext, webhooks: readonly Webhook[]): Promise<void> {
  for (const report of await reportWebhooks(database, webhooks, MOST_COUNTED)) {
    const { name, disabledAt, reason, failures, waiting, events, types } = report;
    const isTold = failures > 0 ? `failing (${failures})` : 'enabled';
    const state = disabledAt === null ? isTold : `disabled since ${disabledAt}`;
    const why = reason === null ? [] : [reason];
    print(
      [
        name,
        state,
        ...why,
        `${waiting} waiting`,
        events.join(' '),
        ...(types.length > 0 ? [`of ${types.join(' ')}`] : []),
      ].join('  '),
    );
  }
}

async function listEvents(
  { database, print }: CommandContext,
  receiver: string,
  how: { readonly state: DeliveryReport['state'] | undefined; readonly most: number },
): Promise<void> {
  const rows = await reportDeliveries(database, { receiver, ...how });
  if (rows.length === 0) print(`${receiver} has no such events.`);
  for (const { id, event, type, entryId, since, state, dueAt, tries } of rows) {
    const next = dueAt === null ? [] : [`due ${dueAt}`];
    print([id, event, `${type} ${entryId}`, since, state, ...next].join('  '));
    for (const { at, took, status, error } of tries) print(`    ${at}  ${status ?? error ?? ''}  ${took} ms`);
  }
}

function list(webhooks: readonly Webhook[], args: readonly string[]): Command {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { state: { type: 'string' }, last: { type: 'string', default: '20' } },
  });
  const [name] = positionals;
  const most = Number(values.last);
  if (!Number.isInteger(most) || most < 1 || most > MOST_LISTED) {
    throw new UsageError(`--last must be a number from 1 to ${MOST_LISTED}`);
  }
  const state = DELIVERY_STATES.find((one) => one === values.state);
  if (values.state !== undefined && state === undefined) {
    throw new UsageError(`--state must be one of ${DELIVERY_STATES.join(', ')}`);
  }
  const receiver = name === undefined ? undefined : nameOf(webhooks, name);
  return async (context) => {
    await (receiver === undefined ? listWebhooks(context, webhooks) : listEvents(context, receiver, { state, most }));
    return 0;
  };
}

function replayEvents(webhooks: readonly Webhook[], args: readonly string[]): Command {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { id: { type: 'string', multiple: true } },
  });
  const receiver = nameOf(webhooks, positionals[0]);
  const ids = values.id?.map((id) => (/^[1-9]\d{0,14}$/u.test(id) ? Number(id) : NaN));
  const isWrong = ids?.some((id) => Number.isNaN(id));
  if (isWrong) throw new UsageError('--id must be the number of an event, as `list` shows it');
  return async ({ database, print }) => {
    const count = await replay(database, receiver, ids);
    print(`${count} events are told again.`);
    return count > 0 || ids === undefined ? 0 : 1;
  };
}

function sendTest(webhooks: readonly Webhook[], args: readonly string[]): Command {
  const name = nameOf(webhooks, args[0]);
  return async ({ settings, print }) => {
    const chosen = webhooks.filter(({ url }) => url === name);
    const [receiver] = receiversOf(chosen, settings.webhooks, await loadCacheServices({ webhooks: chosen }));
    if (!receiver) return 1;
    const { post, close } = createPost({ allowsPrivate: settings.webhooks.allowsPrivate, most: 1 });
    try {
      const { status, error, took } = await testReceiver(receiver, post);
      print(
        status === null ? `${name} has not answered: ${error}` : `${name} has answered ${status} after ${took} ms.`,
      );
      return status !== null && status >= 200 && status < 300 ? 0 : 1;
    } finally {
      close();
    }
  };
}

function turn(webhooks: readonly Webhook[], command: 'disable' | 'enable', args: readonly string[]): Command {
  const name = nameOf(webhooks, args[0]);
  return async ({ database, print }) => {
    await addReceivers(database, [name]);
    if (command === 'disable') await disable(database, name, 'by the command line');
    else await enable(database, name);
    print(`${name} is ${command}d.`);
    return 0;
  };
}

function parse(webhooks: readonly Webhook[], [command, ...args]: readonly string[]): Command {
  if (command === 'list') return list(webhooks, args);
  if (command === 'replay') return replayEvents(webhooks, args);
  if (command === 'send-test') return sendTest(webhooks, args);
  if (command === 'disable' || command === 'enable') return turn(webhooks, command, args);
  throw unknownCommand(command, ['list', 'replay', 'send-test', 'disable', 'enable']);
}

/** Runs `npm run server -- webhooks …` with settings from the environment. Returns the exit code. */
export function runWebhooks(
  definition: ServerDefinition,
  webhooks: readonly Webhook[],
  args: readonly string[],
): Promise<number> {
  return runCommand(definition, () => parse(webhooks, args), USAGE);
}
