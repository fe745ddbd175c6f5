/** The public surface of the runtime: what generated code and the project's own code import. */
export { Router } from './base/common-js.ts';
export type { Middleware, Context } from 'koa';
export type { Mail, Mailer } from './base/mailer.ts';
export { runProjectCommand } from './server/commands.ts';
export type * from './contract/content-type.ts';
export type * from './contract/entry.ts';
export type * from './contract/history/history-answers.ts';
export type { CollectionService, SingleService } from './entries/service.ts';
export type { EntryAnswer, ListAnswer } from './query/answer.ts';
export type { EntryRequest } from './query/entry-request.ts';
export { parseQuery } from './query/parse-query-string.ts';
export { queryOf } from './query/query-of.ts';
export {
  BadRequestError,
  ForbiddenError,
  HttpError,
  NotFoundError,
  PreconditionFailedError,
  UnauthorizedError,
  ValidationError,
} from './contract/errors.ts';
export type { CollectionHooks, HookEvent, SingleHooks } from './entries/hook-types.ts';
export type { UserEntries, UserHooks } from './features/auth/hook-types.ts';
export type { FileEntries, FileHooks, FileSource } from './features/upload/hook-types.ts';
export type { ExtensionContext, TransactionContext } from './entries/extension-context.ts';
export type { EnqueueOptions, HasJobs, Jobs, OwnJob } from './entries/own-jobs.ts';
export { declareJobs, type JobDeclarations, type JobRun } from './features/jobs/job-declaration.ts';
export { loadZod } from './base/lazy-packages.ts';
export type { Extensions, OwnServices } from './server/extensions.ts';
export type { Endpoint, EndpointRequest, EndpointTools } from './server/endpoints.ts';
export type {
  ActionRequest,
  CollectionActions,
  Policy,
  PolicyRequest,
  RouteAction,
  SingleActions,
} from './server/actions/action-types.ts';
export type { CommandCall, CommandTools, OwnCommand } from './server/own-commands.ts';
export type { OwnRole, OwnRoles, RoleData } from './entries/own-roles.ts';
export type { OwnSessions } from './entries/own-sessions.ts';
export { answerOf } from './http/answer.ts';
export { readObject, readData } from './http/body.ts';
export { idOf, versionOf } from './http/entry-id.ts';
export { callerOf, changeOf, requestOf } from './http/request.ts';
export { reply } from './http/reply.ts';
export type { RouteServices } from './entries/route-services.ts';
export type { AnyExtensions, ServerDefinition } from './server/definition.ts';
export { typedEntries, untypedExtensions } from './server/project-types.ts';
export { createServer, type ContentServer } from './server/server.ts';
export { readSettings, SettingsError, type Settings } from './server/settings.ts';
export { startServer } from './server/start.ts';
export { may, type Action, type Caller } from './contract/policy/caller.ts';
export { runtimeApi } from './contract/runtime-api.ts';
export type { AnyEntries } from './entries/typed/any-entries.ts';
export type { EntryList, OneEntry, VersionedEntry } from './entries/typed/answers.ts';
export type {
  CollectionEntries,
  CollectionEntriesWithDrafts,
  CollectionEntryHistory,
  Populated,
  SingleEntries,
  SingleEntriesWithDrafts,
  SingleEntryHistory,
} from './entries/typed/entries.ts';
export type { Filters, Sort } from './entries/typed/filter-types.ts';
export type { EntryQuery, ListQuery } from './entries/typed/query-types.ts';
export type { Answer, Fields, Populate } from './entries/typed/selection-types.ts';
export { relatedAfter } from './content/relations/related-after.ts';
export { sql } from './database/sql.ts';
