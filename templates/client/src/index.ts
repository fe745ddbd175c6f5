/** The part of a client that is the same in all projects. */
export { ApiError, isApiError, type ErrorDetails, type ErrorName, type Issue } from './api-error.ts';
export type { Account, Auth, Session } from './auth.ts';
export type { Batch, BatchOperation, BatchRefusal, BatchResult } from './batch.ts';
export { connect } from './connect.ts';
export type {
  Document,
  DocumentClientOptions,
  DocumentCollection,
  DocumentCollectionWithDrafts,
  DocumentInput,
  DocumentLink,
  DocumentQuery,
  DocumentSingle,
  DocumentSingleWithDrafts,
  Status,
} from './documents.ts';
export { events } from './events.ts';
export type { EventOptions, Events, ResetEvent, ToldEntry } from './events.ts';
export type { CollectionHistory, SingleHistory } from './history.ts';
export type {
  CollectionSchedules,
  CollectionTrash,
  Deletion,
  Schedule,
  ScheduleTimes,
  SingleSchedules,
  SingleTrash,
} from './over-time.ts';
export type { OnProgress } from './progress.ts';
export type { ChangeOptions, RequestOptions, Token } from './send.ts';
export { serializeQuery } from './serialize-query.ts';
export type {
  ClientOptions,
  Collection,
  CollectionWithDrafts,
  Result,
  Single,
  SingleWithDrafts,
  TaggedEntry,
} from './types.ts';
export type { FileInfo, Upload, UploadedFile, UploadOptions, UploadWithTrash } from './upload.ts';
export type * from '../../runtime/src/contract/entry.ts';
export type { EntryList, OneEntry } from '../../runtime/src/entries/typed/answers.ts';
export type { Filters, Sort } from '../../runtime/src/entries/typed/filter-types.ts';
export type { EntryQuery, ListQuery } from '../../runtime/src/entries/typed/query-types.ts';
export type { Answer, Fields, Format, Populate } from '../../runtime/src/entries/typed/selection-types.ts';
export type * from '../../runtime/src/contract/history/history-answers.ts';
