/** How files are found by their tags, and how tags are added and removed. Loaded only if the schema has tags. */
import type { ContentType } from '../../../contract/content-type.ts';
import { BadRequestError, ForbiddenError, ValidationError } from '../../../contract/errors.ts';
import type { Caller } from '../../../contract/policy/caller.ts';
import { boundedTag, TAG_LIMITS, TAG_TEXT_ATTRIBUTE, TAGS_ATTRIBUTE } from '../../../contract/upload-tags.ts';
import type { Executor } from '../../../database/executor.ts';
import { sql } from '../../../database/sql.ts';
import type { HookedType } from '../../../entries/context.ts';
import { rulesHide } from '../../../entries/rules/action-rules.ts';
import type { EntryQuery } from '../../../query/entry-query.ts';
import { narrowed } from '../../../query/narrowing.ts';

interface Files {
  readonly fileType: ContentType;
  /** That type, with the project's hooks. */
  readonly hooked: HookedType;
}

/** What is to become of the tags of a file. */
export interface TagChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

export interface TagAccess {
  /** Throws ForbiddenError for callers that see some files only: tags would tell of others. */
  permit(caller: Caller): void;
  /** The query for files that have all tags which the parameters of a request name. Throws BadRequestError. */
  narrow(query: EntryQuery, parameters: Readonly<Record<string, unknown>>): EntryQuery;
  /** The tags of a file after a change. The file is locked until the transaction ends. Throws ValidationError for too many. */
  changed(tx: Executor, id: number, change: TagChange): Promise<readonly string[]>;
  /** The tags of the last files, the most frequent first. */
  known(executor: Executor, word: string): Promise<readonly string[]>;
}

/** The tags in a column, whose value drivers may have parsed. */
function tagsIn(value: unknown): readonly string[] {
  const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : value;
  return Array.isArray(parsed) ? parsed.map(String) : [];
}

/** `tag=press`, `tag[0]=press` */
const PARAMETER = /^tag(?:\[\d{0,2}\])?$/u;

function wantedTags(parameters: Readonly<Record<string, unknown>>): readonly string[] {
  const sent = Object.entries(parameters).flatMap(([name, value]) => (PARAMETER.test(name) ? value : []));
  const tags = sent.map((tag) => (typeof tag === 'string' ? tag.trim() : ''));
  if (tags.length > TAG_LIMITS.ask) throw new BadRequestError(`tag can be given at most ${TAG_LIMITS.ask} times`);
  if (tags.every((tag) => tag !== '' && [...tag].length <= TAG_LIMITS.length)) return tags;
  throw new BadRequestError(`tag must have 1 to ${TAG_LIMITS.length} characters`);
}

export function tagAccess({ hooked, fileType }: Files): TagAccess {
  const { table, uid } = fileType;
  return {
    permit(caller) {
      if (!rulesHide(hooked, caller)) return;
      const message = 'The list of tags is for those who may find all files';
      throw new ForbiddenError({ message, reason: `a rule says which files ${caller.role} may find` });
    },
    narrow(query, parameters) {
      const tags = wantedTags(parameters);
      if (tags.length === 0) return query;
      const conditions = tags.map((tag) => ({ [TAG_TEXT_ATTRIBUTE]: { $contains: boundedTag(tag) } }));
      return narrowed(query, { [uid]: { $and: conditions } });
    },
    async changed(tx, id, { add, remove }) {
      const { id: quote, rowLock } = tx.dialect;
      const row = await tx.get(
        sql`SELECT ${quote(TAGS_ATTRIBUTE)} AS tags FROM ${quote(table)} WHERE id = ${id}${rowLock}`,
      );
      const tags = [...new Set([...tagsIn(row?.['tags']), ...add])].filter((tag) => !remove.includes(tag));
      if (tags.length <= TAG_LIMITS.tags) return tags;
      throw new ValidationError([{ path: ['files'], message: `a file can have at most ${TAG_LIMITS.tags} tags` }]);
    },
    async known(executor, word) {
      const { id: quote } = executor.dialect;
      const text = quote('tag_text');
      const rows = await executor.all(
        sql`SELECT ${quote(TAGS_ATTRIBUTE)} AS tags FROM ${quote(table)} WHERE ${text} IS NOT NULL ORDER BY id DESC LIMIT ${TAG_LIMITS.read}`,
      );
      const counts = new Map<string, number>();
      for (const row of rows) for (const tag of tagsIn(row['tags'])) counts.set(tag, (counts.get(tag) ?? 0) + 1);
      const folded = word.toLowerCase();
      return [...counts]
        .filter(([tag]) => tag.toLowerCase().includes(folded))
        .toSorted(([a, more], [b, less]) => less - more || (a < b ? -1 : 1))
        .slice(0, TAG_LIMITS.known)
        .map(([tag]) => tag);
    },
  };
}
