/** The handler of `/api/upload/tags`. Loaded by the first request to it. */
import { BadRequestError } from '../../../contract/errors.ts';
import type { TAG_ROUTES } from '../../../contract/routes/tags.ts';
import { TAG_LIMITS } from '../../../contract/upload-tags.ts';
import type { Handlers, IdsOf } from '../../../http/mount-routes.ts';
import { callerOf } from '../../../http/request.ts';
import type { UploadContext } from '../context.ts';

export function tagHandlers({ tags, database }: UploadContext): Handlers<IdsOf<typeof TAG_ROUTES>> {
  return {
    async listTags(ctx) {
      tags?.permit(callerOf(ctx));
      const word = ctx.query['_q'] ?? '';
      if (typeof word !== 'string' || word.length > TAG_LIMITS.length) {
        throw new BadRequestError(`_q must be a text of at most ${TAG_LIMITS.length} characters`);
      }
      ctx.body = (await tags?.known(database, word.trim())) ?? [];
    },
  };
}
