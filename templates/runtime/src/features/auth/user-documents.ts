/** Bodies about users in servers with document ids: users have the same form in both formats, so either id may name an entry. */
import { documentData } from '../../entries/documents/document-data.ts';
import type { CallContext } from '../../query/entry-request.ts';
import { customUserAttributes } from './bodies.ts';
import type { AuthContext } from './context.ts';

/**
 * The body with the ids of rows in place of document ids, in the attributes that the schema adds. Throws HttpError 400 for a
 * document that does not exist or that the caller may not name.
 */
export async function withRowIds(
  { database, types, userType, hooked: { of } }: AuthContext,
  body: unknown,
  call: CallContext,
): Promise<unknown> {
  if (!userType.documentIds) return body;
  const type = { ...userType, attributes: customUserAttributes(userType) };
  const scope = { call, locale: types.locales[0] ?? '', keepsUnknown: true };
  return documentData({ database, types, type, of }, body, scope);
}
