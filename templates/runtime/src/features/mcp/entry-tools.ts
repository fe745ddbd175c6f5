/** The MCP tools of a content type, one for each of its routes, and for publishing. */
import type { ContentType } from '../../contract/content-type.ts';
import { NotFoundError } from '../../contract/errors.ts';
import { permissionName } from '../../contract/policy/permission-name.ts';
import type { JsonSchema } from '../../contract/routes/json-schema.ts';
import type { EntryServices } from '../../entries/create-services.ts';
import type { PublicationAction } from '../../entries/service.ts';
import type { TypeTool } from './generic-tools.ts';
import type { Tool, ToolCaller } from '../../http/tool.ts';
import type { EntryAnswer, ListAnswer } from '../../query/answer.ts';
import { isEntryId } from '../../query/entry-id.ts';
import type { EntryRequest } from '../../query/entry-request.ts';
import { queryOfRequest } from '../../query/query-of.ts';
import type { AllowList } from '../../query/readable-attributes.ts';
import { dataOf, type DescribedServer, selfContained } from './data-input.ts';
import { draftsInput, listInput, shownInput, statusInput } from './query-input.ts';

type Args = Readonly<Record<string, unknown>>;
type Properties = Readonly<Record<string, JsonSchema>>;

/** The inputs from which the tools of all types are built. */
export interface ToolSources {
  readonly document: DescribedServer;
  readonly allowed: AllowList;
  readonly services: EntryServices;
}

/** The specific part of a tool; `entryTools` adds what all tools of a type share. */
interface Draft extends Pick<Tool, 'effect' | 'call' | 'description'> {
  readonly verb: string;
  /** Defaults to the singular name. */
  readonly noun?: string;
  readonly action: 'find' | 'findOne' | 'create' | 'update' | 'delete';
  readonly properties: Properties;
  readonly required?: readonly string[];
}

const ID: JsonSchema = { type: 'integer', minimum: 1 };

function idOf({ id }: Args): number {
  if (typeof id !== 'number' || !isEntryId(id)) throw new NotFoundError();
  return id;
}

function requestOf(args: Args, by: ToolCaller): EntryRequest {
  const { id: _id, data: _data, ...parameters } = args;
  return { ...by, query: queryOfRequest(parameters) };
}

const bodyOf = ({ body }: Pick<EntryAnswer | ListAnswer, 'body'>): string => String(body);

/** Tools that do something with the published version of an entry. */
function publication(
  type: ContentType,
  act: (args: Args, by: ToolCaller, action: PublicationAction) => Promise<string>,
): Draft[] {
  if (!type.draftAndPublish) return [];
  const tool = (action: PublicationAction, description: string): Draft => ({
    verb: action.replaceAll('-', '_'),
    action: 'update',
    effect: 'writes',
    description,
    properties: {},
    call: (args, by) => act(args, by, action),
  });
  return [
    tool('publish', 'Publishes a draft, which must be complete.'),
    tool('unpublish', 'Takes back what is published of an entry; its draft stays.'),
    tool('discard-draft', 'Replaces the draft of an entry by what is published.'),
  ];
}

function collectionTools(type: ContentType, { document, allowed, services }: ToolSources): Draft[] {
  const entries = services.collection(type.uid);
  const path = `/api/${type.pluralName}`;
  const shown = shownInput(type, allowed);
  const drafts = draftsInput(type);
  const written = statusInput(type);
  const withId = { properties: { id: ID, ...shown }, required: ['id'] };
  const act = async (args: Args, by: ToolCaller, action: PublicationAction): Promise<string> =>
    bodyOf(await entries.act(idOf(args), action, requestOf(args, by)));
  return [
    {
      verb: 'list',
      noun: type.pluralName,
      action: 'find',
      effect: 'reads',
      description: 'Lists entries, one page at a time.',
      properties: { ...listInput(type, allowed), ...shown, ...drafts },
      call: async (args, by) => bodyOf(await entries.find(requestOf(args, by))),
    },
    {
      verb: 'get',
      action: 'findOne',
      effect: 'reads',
      description: 'Gets one entry.',
      properties: { ...withId.properties, ...drafts },
      required: ['id'],
      call: async (args, by) => bodyOf(await entries.findOne(idOf(args), requestOf(args, by))),
    },
    {
      verb: 'create',
      action: 'create',
      effect: 'writes',
      description: type.draftAndPublish
        ? 'Creates an entry, which is published unless status is draft.'
        : 'Creates an entry.',
      properties: { data: dataOf(document, path, 'post'), ...shown, ...written },
      required: ['data'],
      call: async (args, by) => bodyOf(await entries.create(args['data'], requestOf(args, by))),
    },
    {
      verb: 'update',
      action: 'update',
      effect: 'writes',
      description: 'Updates an entry; attributes that are not in data keep their values.',
      properties: { ...withId.properties, data: dataOf(document, `${path}/{id}`, 'put'), ...written },
      required: ['id', 'data'],
      call: async (args, by) => bodyOf(await entries.update(idOf(args), args['data'], requestOf(args, by))),
    },
    ...publication(type, act).map((draft) => ({ ...draft, ...withId })),
    {
      verb: 'delete',
      action: 'delete',
      effect: 'deletes',
      description: 'Deletes an entry and returns it as it was.',
      ...withId,
      call: async (args, by) => bodyOf(await entries.delete(idOf(args), requestOf(args, by))),
    },
  ];
}

function singleTools(type: ContentType, { document, allowed, services }: ToolSources): Draft[] {
  const entry = services.single(type.uid);
  const path = `/api/${type.singularName}`;
  const shown = shownInput(type, allowed);
  const act = async (args: Args, by: ToolCaller, action: PublicationAction): Promise<string> =>
    bodyOf(await entry.act(action, requestOf(args, by)));
  return [
    {
      verb: 'get',
      action: 'find',
      effect: 'reads',
      description: 'Gets the entry.',
      properties: { ...shown, ...draftsInput(type) },
      call: async (args, by) => bodyOf(await entry.find(requestOf(args, by))),
    },
    {
      verb: 'write',
      action: 'update',
      effect: 'writes',
      description: 'Updates the entry, or creates it.',
      properties: { data: dataOf(document, path, 'put'), ...shown, ...statusInput(type) },
      required: ['data'],
      call: async (args, by) => bodyOf((await entry.save(args['data'], requestOf(args, by))).answer),
    },
    ...publication(type, act).map((draft) => ({ ...draft, properties: shown })),
    {
      verb: 'delete',
      action: 'delete',
      effect: 'deletes',
      description: 'Deletes the entry and returns it as it was.',
      properties: shown,
      call: async (args, by) => bodyOf(await entry.delete(requestOf(args, by))),
    },
  ];
}

function about({ description, displayName, singularName }: ContentType): string {
  const name = displayName ?? singularName;
  return description === undefined ? name : `${name}: ${description}`;
}

/** All tools of a content type. */
export function entryTools(type: ContentType, sources: ToolSources): TypeTool[] {
  const drafts = type.kind === 'singleType' ? singleTools(type, sources) : collectionTools(type, sources);
  return drafts.map(({ verb, noun = type.singularName, action, properties, required = [], description, ...draft }) => ({
    ...draft,
    type: type.uid,
    about: about(type),
    name: `${verb}_${noun.replaceAll('-', '_')}`,
    title: `${verb[0]?.toUpperCase() ?? ''}${verb.slice(1).replaceAll('_', ' ')} ${noun}`,
    description: `${description} ${about(type)}`,
    permission: permissionName(type.uid, action),
    input: selfContained(sources.document, properties, required),
  }));
}
