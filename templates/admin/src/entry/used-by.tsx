/** The entries that refer to an entry, as far as the role may find them. Asked for by a click: a request for each type. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { HttpError, useTranslate } from 'react-admin';
import { Link } from 'react-router';
import { useMay } from '../app/session.ts';
import { type ContentType, pluralOf, resourceOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import type { EntryRef } from '../relations/entry-ref.ts';
import { draftsQuery } from '../rest/entry-query.ts';
import { inTurns } from '../rest/in-turns.ts';
import { ask } from '../rest/request.ts';
import { refFields, refOf, type RestEntry } from '../rest/rest-entry.ts';
import { filterOf, populateOf, type Reference, referencesTo, refersTo } from './references.ts';

/** How many entries of a type are shown. */
const MAX = 10;

interface Use {
  readonly type: ContentType;
  readonly entries: readonly EntryRef[];
  readonly hasMore: boolean;
}

function useUses(target: ContentType, id: number) {
  const index = useModel();
  const may = useMay();
  const { pages } = index;
  const references = referencesTo(
    target,
    pages.filter(({ uid }) => may(uid, 'find')),
    index,
  );
  const shared = (type: ContentType) => ({ fields: refFields(type), ...draftsQuery(type, may(type.uid, 'preview')) });

  async function usesInSingle(reference: Reference): Promise<Use> {
    const { type } = reference;
    const query = { ...shared(type), populate: populateOf(reference, id) };
    const answer = await ask<{ readonly data: RestEntry }>({ path: resourceOf(type), query, isUnlisted: true }).catch(
      // There is no entry yet.
      (error: unknown) => {
        if (error instanceof HttpError && error.status === 404) return undefined;
        throw error;
      },
    );
    const isUse = answer !== undefined && refersTo(answer.data, reference, id);
    return { type, entries: isUse ? [{ ...refOf(answer.data, type), title: type.displayName }] : [], hasMore: false };
  }
  async function usesIn(reference: Reference): Promise<Use> {
    const { type } = reference;
    if (type.kind === 'single') return await usesInSingle(reference);
    const answer = await ask<{ readonly data: readonly RestEntry[] } | readonly RestEntry[]>({
      path: resourceOf(type),
      query: {
        ...shared(type),
        filters: filterOf(reference, id),
        pagination: { start: 0, limit: MAX + 1, withCount: false },
        ...(type.localized && { locale: 'all' }),
      },
      isUnlisted: true,
    });
    const found = 'data' in answer ? answer.data : answer;
    const entries = found.slice(0, MAX).map((entry) => refOf(entry, type));
    return { type, entries, hasMore: found.length > MAX };
  }
  return useQuery({
    queryKey: ['used-by', target.uid, id],
    queryFn: async () => {
      const found = await inTurns(references, usesIn);
      return {
        uses: found.flatMap((use) => (use && use.entries.length > 0 ? [use] : [])),
        isPartial: found.includes(undefined),
      };
    },
    retry: false,
    gcTime: 0,
  });
}

function Uses({ type, id }: Props) {
  const translate = useTranslate();
  const { data } = useUses(type, id);
  if (!data) return <Typography variant="body2">{translate('palette.searching')}</Typography>;
  const { uses, isPartial } = data;
  return (
    <>
      {uses.length === 0 && !isPartial && <Typography variant="body2">{translate('usedBy.none')}</Typography>}
      {isPartial && <Typography variant="body2">{translate('usedBy.failed')}</Typography>}
      {uses.map(({ type: other, entries, hasMore }) => (
        <Box component="ul" key={other.uid} aria-label={pluralOf(other)} sx={{ m: 0, pl: 2.5 }}>
          {entries.map((entry) => (
            <li key={entry.id}>
              <MuiLink
                component={Link}
                to={other.kind === 'single' ? `/${resourceOf(other)}` : `/${resourceOf(other)}/${entry.id}`}
              >
                {entry.title}
              </MuiLink>
              <Typography component="span" variant="body2" color="text.secondary">
                {other.kind !== 'single' && ` ${other.displayName}`}
                {entry.isDraft === true && ` · ${translate('entry.draft')}`}
              </Typography>
            </li>
          ))}
          {hasMore && <li>{translate('usedBy.more')}</li>}
        </Box>
      ))}
    </>
  );
}

interface Props {
  readonly type: ContentType;
  readonly id: number;
}

export function UsedBy(props: Props) {
  const translate = useTranslate();
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Box sx={{ width: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
      <Button id={id} size="small" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {translate('usedBy.title')}
      </Button>
      {isOpen && (
        <Box role="region" aria-labelledby={id}>
          <Uses {...props} />
        </Box>
      )}
    </Box>
  );
}
