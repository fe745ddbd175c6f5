/** The API tokens of the server: `/api/users-permissions/tokens`. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ask } from '../rest/request.ts';

export const TOKEN_KINDS = ['read-only', 'full-access', 'custom'] as const;

interface TokenInput {
  readonly name: string;
  readonly kind: (typeof TOKEN_KINDS)[number];
  /** The permissions of a custom token, such as `article.find`. */
  readonly permissions: readonly string[];
  /** In ISO 8601. Null: never. */
  readonly expiresAt: string | null;
}

export interface ApiToken extends TokenInput {
  readonly id: number;
}

const PATH = 'users-permissions/tokens';

export function useTokens() {
  return useQuery({ queryKey: ['tokens'], queryFn: () => ask<ApiToken[]>({ path: PATH }), retry: false });
}

/** The functions throw HttpError with the server's message, and LostResponseError. In each case, the list is read again. */
export function useChangeTokens() {
  const client = useQueryClient();
  const changed = async <T>(change: Promise<T>): Promise<T> => {
    try {
      return await change;
    } finally {
      await client.invalidateQueries({ queryKey: ['tokens'] });
    }
  };
  return {
    /** Returns the token's secret, which can't be read again. */
    async create(body: TokenInput): Promise<string> {
      return (await changed(ask<{ readonly token: string }>({ method: 'POST', path: PATH, body }))).token;
    },
    async revoke(id: number): Promise<void> {
      await changed(ask({ method: 'DELETE', path: `${PATH}/${id}` }));
    },
  };
}
