/** The routes of the tags of files, if the schema has them. */
import { TAG_LIMITS } from '../upload-tags.ts';
import { ok } from './answers.ts';
import { type AddedProperties, type JsonSchema, list, TEXT } from './json-schema.ts';
import { routeTable } from './route.ts';

const TAG: JsonSchema = { ...TEXT, minLength: 1, maxLength: TAG_LIMITS.length };

const TAGS: JsonSchema = { ...list(TAG), maxItems: TAG_LIMITS.tags };

/** What files, and changes of them, have besides. */
export const TAG_PROPERTIES: AddedProperties = {
  UploadedFile: { tags: { ...TAGS, description: 'Its tags, in their order.' } },
  FileChange: {
    tags: { ...TAGS, description: 'All its tags, in place of those that it has.' },
    addTags: { ...TAGS, description: 'Tags that it gets besides; not together with `tags`.' },
    removeTags: { ...TAGS, description: 'Tags that it loses; not together with `tags`.' },
  },
};

/** The parameters of routes of files, by the id of the route. */
export const TAG_PARAMETERS = { listFiles: ['fileTag'] } as const;

export const TAG_ROUTES = routeTable([
  {
    id: 'listTags',
    method: 'GET',
    path: '/api/upload/tags',
    tag: 'upload',
    summary: `List up to ${TAG_LIMITS.known} tags of files, the most frequent first; lists of files take up to ${TAG_LIMITS.ask} as \`?tag=press\``,
    permission: 'upload.find',
    query: ['search'],
    answers: ok(list(TAG)),
    probe: 200,
  },
]);
