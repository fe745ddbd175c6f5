/** The public surface of the runtime: what generated code and the team's own code import. */
export { Router } from './common-js.ts';
export type { Middleware, Context } from 'koa';
export type { Mail, Mailer } from './auth/mail/mailer.ts';
export { runData, runFiles, runMigrations, runPermissions, runTokens } from './commands.ts';
export type * from './content-type.ts';
export type * from './entries/entry.ts';
export type { CollectionService, EntryRequest, SingleService } from './entries/service.ts';
export {
  BadRequestError,
  ForbiddenError,
  HttpError,
  NotFoundError,
  UnauthorizedError,
  ValidationError,
} from './errors.ts';
export type { CollectionHooks, Extensions, OwnServices, SingleHooks } from './extensions.ts';
export { answerOf } from './http/answer.ts';
export { readObject, readData } from './http/body.ts';
export { callerOf, requestOf } from './http/request.ts';
export type { RouteServices } from './http/route-services.ts';
export { createServer, type AnyExtensions, type ContentServer, type ServerDefinition } from './http/server.ts';
export { readSettings, SettingsError, type Settings } from './http/settings.ts';
export { startServer } from './http/start.ts';
export { may, type Action, type Caller } from './policy/caller.ts';
export { runtimeApi } from './runtime-api.ts';
export type { AnyEntries } from './typed/create-entries.ts';
export type { By, CollectionEntries, EntryList, OneEntry, Populated, SingleEntries } from './typed/entries.ts';
export type { EntryQuery, Filters, ListQuery, Sort } from './typed/query-types.ts';
export * as v from './validators/index.ts';
