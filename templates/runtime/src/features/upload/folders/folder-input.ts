/** What a request says of a folder. */
import * as z from 'zod';
import { ValidationError } from '../../../contract/errors.ts';
import { FOLDER_LIMITS } from '../../../contract/upload-folders.ts';

/** Undefined properties stay as they are. */
export interface FolderInput {
  readonly name?: string | undefined;
  /** Null: at the top. */
  readonly parent?: number | null | undefined;
}

/** Control characters, bidirectional overrides, and lone surrogates. */
const INVISIBLE = /[\u0000-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069\uD800-\uDFFF]/u;
const NAME = `name must be a text of 1 to ${FOLDER_LIMITS.name} visible characters`;
const PARENT = 'parent must be the id of a folder, or null';

const name = z
  .string(NAME)
  .transform((text) => text.trim())
  .refine((text) => text !== '' && [...text].length <= FOLDER_LIMITS.name && !INVISIBLE.test(text), NAME);
const parent = z.int(PARENT).positive(PARENT).nullable();

const change = z.strictObject({ name: name.optional(), parent: parent.optional() });
const creation = change.extend({ name });

/** Validates the body of a request. Throws ValidationError. */
export function folderInput(body: object, isNew: boolean): FolderInput {
  const result = (isNew ? creation : change).safeParse(body);
  if (result.success) return result.data;
  const issues = result.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [key], message: `${key} is not a property of folders` }))
      : [{ path: issue.path.map(String), message: issue.message }],
  );
  throw new ValidationError(issues);
}
