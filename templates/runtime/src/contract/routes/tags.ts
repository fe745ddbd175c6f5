/** The routes of the tags of files, if the schema has them. */
import { TAG_LIMITS } from '../upload-tags.ts';
import { ok } from './answers.ts';
import { type AddedProperties, type JsonSchema, list, TEXT } from './json-schema.ts';
import { routeTable } from './route.ts';

const TAG: JsonSchema = { ...TEXT, minLength: 1, maxLength: TAG_LIMITS.length };

/** What files have besides. */
export const TAG_PROPERTIES: AddedProperties = {
  UploadedFile: { tags: { ...list(TAG), maxItems: TAG_LIMITS.tags, description: 'Its tags, in their order.' } },
};

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
