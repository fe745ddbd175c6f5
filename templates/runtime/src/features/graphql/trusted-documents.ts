/** Documents that requests name by their hash, in the way of Apollo Client or of Relay. */
import { createHash } from 'node:crypto';
import type { TrustedDocuments } from '../../contract/graphql/trusted-documents.ts';
import { isObject } from '../../content/relations/entry-ref.ts';
import { requestError } from './errors.ts';
import type { Parameters } from './read-request.ts';

/** `sha256:…`, as GraphQL over HTTP writes it, is the same as the hash alone. */
function bareHash(hash: string): string {
  return hash.replace(/^sha256:/u, '');
}

/** The hash by which a request names its document: Apollo's `extensions.persistedQuery`, or `documentId`. */
function hashIn({ documentId, extensions }: Parameters): string | undefined {
  if (documentId !== undefined) return bareHash(documentId);
  const { persistedQuery } = extensions;
  if (!isObject(persistedQuery)) return undefined;
  if (persistedQuery['version'] !== 1) throw requestError('Unsupported persisted query version');
  const { sha256Hash } = persistedQuery;
  return typeof sha256Hash === 'string' ? sha256Hash : undefined;
}

export interface DocumentTexts {
  /** The text of the document of a request. Throws RequestError. */
  of(parameters: Parameters): string;
}

/** `only`: whether other documents are refused. */
export function documentTexts(trusted: TrustedDocuments, only: boolean): DocumentTexts {
  const known = new Map(Object.entries(trusted));
  const texts = new Set(known.values());
  const require = (text: string): string => {
    if (only && !texts.has(text)) {
      throw requestError('This server runs trusted documents only', 'DOCUMENT_NOT_TRUSTED', 403);
    }
    return text;
  };
  return {
    of(parameters) {
      const { query } = parameters;
      const hash = hashIn(parameters);
      const found = hash === undefined ? undefined : known.get(hash);
      if (query === undefined || query === '') {
        if (hash === undefined) throw requestError('GraphQL operations must contain a non-empty `query`.');
        // Clients of Apollo then send the document with its hash.
        if (found === undefined) throw requestError('PersistedQueryNotFound', 'PERSISTED_QUERY_NOT_FOUND', 200);
        return found;
      }
      const isOther =
        hash !== undefined && found !== query && createHash('sha256').update(query).digest('hex') !== hash;
      if (isOther) throw requestError('provided sha does not match query');
      return require(query);
    },
  };
}
