/** The query parameter `permitted`: of the entries that the caller finds, those that an action of theirs may change. */
import type { ContentType } from '../../contract/content-type.ts';
import { ForbiddenError } from '../../contract/errors.ts';
import { may } from '../../contract/policy/caller.ts';
import { permissionName } from '../../contract/policy/permission-name.ts';
import type { EntryQuery } from '../../query/entry-query.ts';
import type { EntryRequest } from '../../query/entry-request.ts';
import { invalidValue } from '../../query/invalid-parameter.ts';
import { textOf } from '../../query/query-value.ts';
import { rareParameter } from '../../query/rare-parameter.ts';
import type { HookedType } from '../context.ts';
import { narrowedTo } from './action-rules.ts';

const NAME = 'permitted';
const ACTIONS = ['update', 'draft', 'delete'] as const;

/** Throws BadRequestError for anything else. */
function actionIn(query: EntryQuery, { draftAndPublish }: ContentType) {
  const value = rareParameter(query, NAME);
  if (value === undefined || value === '') return undefined;
  const text = textOf(value, NAME);
  const known = ACTIONS.filter((action) => action !== 'draft' || draftAndPublish);
  const action = known.find((one) => one === text);
  if (!action) throw invalidValue(NAME, `must be one of ${known.join(', ')}`);
  return action;
}

/** The request, narrowed as its query says. Throws ForbiddenError for an action that the caller lacks. */
export async function narrowedToPermitted(context: HookedType, request: EntryRequest): Promise<EntryRequest> {
  const { type } = context;
  const action = actionIn(request.query, type);
  if (!action) return request;
  const { role } = request.caller;
  const permission = permissionName(type.uid, action);
  if (!may(request.caller, action, type.uid)) throw new ForbiddenError({ reason: `${role} lacks ${permission}` });
  return { ...request, query: await narrowedTo(context, request.query, request, action) };
}
