/** Shared by the services of all types. */
import type { ToldUpdates } from '../write/told-updates.ts';
import type { ContentType, ContentTypes } from '../contract/content-type.ts';
import type { Database } from '../database/database.ts';
import type { Caller, WriteAction } from '../contract/policy/caller.ts';
import type { EntryAnswer, ListAnswer } from '../query/answer.ts';
import type { EntryRequest } from '../query/entry-request.ts';
import type { CheckedQuery } from '../query/checked-query.ts';
import type { Reader } from '../query/reader.ts';
import type { EntryValidators, ValidatorsOf } from '../content/validators/entry.ts';
import type { NotWritable } from '../content/validators/field.ts';
import type { Trust } from '../content/relations/check-targets.ts';
import type { Values } from '../contract/item-attributes.ts';
import type { RuleValues } from './rules/rule-values.ts';
import type { TypeHooks } from './hooks.ts';
import type { CollectionService } from './service.ts';

/** Runs work after a write's commit: at once or, if the write is part of a larger transaction, after that. */
export type AfterCommit = (work: () => Promise<void>) => Promise<void>;

/** Where entries are read and written: a database, or a transaction. */
export interface EntryPlace {
  readonly database: Database;
  readonly reader: Reader;
  readonly afterCommit: AfterCommit;
  /** Whether `database` is a transaction: nothing can then be run outside of it. */
  readonly isTransaction: boolean;
}

/** Creates the service of a built-in type for the project's own code, at a place. */
export type ProvideService = (place: EntryPlace & { hooked(type: ContentType): HookedType }) => CollectionService;

/** All types of a server, and the project's hooks by uid. */
export interface HookedTypes extends EntryPlace {
  readonly types: ContentTypes;
  /** Absent: nothing is validated, as for the server's own writes. */
  readonly validatorsOf?: ValidatorsOf;
  readonly hooks: Readonly<Record<string, TypeHooks | undefined>>;
  /** Undefined if the schema has no rules. */
  readonly ruleValues?: RuleValues | undefined;
  /** Undefined if the server has no releases. */
  readonly inRelease?: InRelease | undefined;
  /** The uids of the types whose updates are told to others; undefined if none are. */
  readonly tellsUpdates?: ToldUpdates | undefined;
}

/** A type with the hooks of its writes. */
export interface HookedType extends EntryPlace {
  readonly types: ContentTypes;
  readonly type: ContentType;
  readonly hooks: TypeHooks | undefined;
  /** The values of variables in rules; undefined if the schema has none. */
  readonly ruleValues?: RuleValues | undefined;
  /** See `HookedTypes`. */
  readonly inRelease?: InRelease | undefined;
  /** See `HookedTypes`. */
  readonly tellsUpdates?: ToldUpdates | undefined;
  /** The server as a caller, with all rights. */
  readonly server: Caller;
  /** Another type. */
  readonly of: (type: ContentType) => HookedType;
  /** Whether the hooks or the rights of other entries may concern a write: those of any type, or users that own relations. */
  readonly concernsOthers: boolean;
  /** Creates the validators on first use; undefined for the built-in types. */
  readonly validators?: () => EntryValidators;
}

/** A type with entry services. */
export type TypeContext = HookedType & Required<Pick<HookedType, 'validators'>>;

/** A write request: the data after the hooks, the caller, and the query for the answer. */
export interface WriteRequest extends Omit<EntryRequest, 'query'> {
  readonly data: unknown;
  readonly checked: CheckedQuery;
  /** How to treat attributes that no body may set; undefined: depends on whether `caller` is the server. */
  readonly notWritable?: NotWritable | undefined;
  /** What a hook or a rule has added; undefined if none has. */
  readonly trusts?: Trust | undefined;
  /** Values that a rule sets though no request may: to be written with the data. */
  readonly added?: Values | undefined;
  /** The action whose rule the entry must satisfy. */
  readonly action?: WriteAction | undefined;
}

/**
 * Validated values by attribute: canonical scalars and relation changes; `publishedAt` if the type has drafts; for new entries of
 * localized types also `locale` and, for a further locale of an existing entry, `documentId`.
 */
export type EntryInput = Readonly<Record<string, unknown>>;

/** The locale of a row, and the entry it belongs to. */
export interface Localization {
  readonly documentId: string;
  readonly locale: string;
  /** Whether another locale of the entry is published. */
  readonly othersPublished: boolean;
}

/** An existing entry. */
export interface StoredEntry {
  readonly id: number;
  /** Undefined if it was not looked up. */
  readonly version: number | undefined;
  /** Always true if the type has no drafts. */
  readonly published: boolean;
  /** Whether its draft differs from what is published: changed since, and not published. */
  readonly modified?: boolean;
  /** The version of what is published, if there is a published version beside the draft. */
  readonly publishedVersion?: number | undefined;
  /** Undefined if the type is not localized. */
  readonly localization: Localization | undefined;
}

/** A read in a context, of a request. */
type ReadIn<T> = (context: HookedType, request: EntryRequest) => Promise<T>;

/**
 * Reads where a release is published, as far as the caller may see its drafts; nothing of it stays. All throw ForbiddenError, NotFoundError, and
 * BadRequestError if the release can't be published.
 */
interface ReadsInRelease {
  list(by: ReadIn<ListAnswer>): Promise<ListAnswer>;
  count(by: ReadIn<number>): Promise<number>;
  entry(by: ReadIn<EntryAnswer>): Promise<EntryAnswer>;
}

/** Undefined if the query names no release. Throws BadRequestError. */
export type InRelease = (context: HookedType, request: EntryRequest) => ReadsInRelease | undefined;
