/** One release: its name and time, its entries, and how it is checked, published and reverted. */
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { Confirm, HttpError, Title, useNotify, useTranslate } from 'react-admin';
import { useNavigate, useParams } from 'react-router';
import { useProblemText } from '../app/problem-text.ts';
import { useMay } from '../app/session.ts';
import { useBusy } from '../app/use-busy.ts';
import { EntryProblem } from '../entry/entry-problem.tsx';
import { formatMoment, parseMoment } from '../fields/conversions.ts';
import { TIME_ZONE } from '../schedule/time-text.ts';
import { ReleaseItems } from './release-items.tsx';
import { ReleaseStateChip } from './release-state.tsx';
import { isOpen, type ItemRefusal, type Release, useChangeReleases, useRelease } from './releases.ts';

/** What the server names as refused. */
function refusalsIn(error: unknown): readonly ItemRefusal[] | undefined {
  const { details } = ((error instanceof HttpError && error.body) ?? {}) as {
    readonly details?: { readonly refusals?: readonly ItemRefusal[] };
  };
  return details?.refusals;
}

const CONFIRMED = ['publish', 'revert', 'remove'] as const;

type Confirmed = (typeof CONFIRMED)[number];

function Settings({ release, onSave }: { readonly release: Release; readonly onSave: (input: object) => void }) {
  const translate = useTranslate();
  const may = useMay();
  const atText = formatMoment(release.at).slice(0, 16);
  const [name, setName] = useState(release.name);
  const [at, setAt] = useState(atText);
  useEffect(() => {
    setName(release.name);
    setAt(atText);
  }, [release.name, atText]);
  const canEdit = isOpen(release) && may('releases', 'update');
  const isChanged = name !== release.name || at !== atText;
  const input = { ...(name !== release.name && { name }), ...(at !== atText && { at: parseMoment(at) }) };
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'flex-start' }}>
      <TextField
        size="small"
        label={translate('releases.name')}
        value={name}
        disabled={!canEdit}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        size="small"
        type="datetime-local"
        label={translate('releases.at')}
        helperText={TIME_ZONE}
        value={at}
        disabled={!canEdit || !may('releases', 'publish')}
        onChange={(event) => setAt(event.target.value)}
        slotProps={{ inputLabel: { shrink: true } }}
      />
      {canEdit && (
        <Button variant="outlined" disabled={!isChanged} onClick={() => onSave(input)}>
          {translate('ra.action.save')}
        </Button>
      )}
    </Stack>
  );
}

function ReleaseView({ release }: { readonly release: Release }) {
  const translate = useTranslate();
  const notify = useNotify();
  const navigate = useNavigate();
  const problemText = useProblemText();
  const may = useMay();
  const { check, publish, remove, revert, update } = useChangeReleases();
  const { isBusy, run } = useBusy();
  const [found, setFound] = useState<readonly ItemRefusal[]>();
  const [asking, setAsking] = useState<Confirmed>();
  const { id, version, items, hidden } = release;
  const canEdit = isOpen(release) && may('releases', 'update');

  async function perform(work: () => Promise<unknown>, done?: string): Promise<void> {
    try {
      setFound(undefined);
      await work();
      if (done !== undefined) notify(done, { type: 'success' });
    } catch (error) {
      const refusals = refusalsIn(error);
      setFound(refusals);
      notify(refusals ? translate('releases.nothing') : problemText(error), { type: 'error' });
    }
    setAsking(undefined);
  }
  const save = (input: object): void =>
    void run(() => perform(() => update(id, { ...input, version }), 'releases.saved'));
  const confirmed: Readonly<Record<Confirmed, () => Promise<void>>> = {
    publish: () => perform(() => publish(id), 'releases.publishDone'),
    revert: () => perform(() => revert(id), 'releases.revertDone'),
    remove: () =>
      perform(async () => {
        await remove(id);
        void navigate('/releases');
      }),
  };
  return (
    <Stack sx={{ gap: 2, my: 2 }}>
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
        <ReleaseStateChip release={release} />
        {isOpen(release) && (
          <Button disabled={isBusy} onClick={() => void run(() => perform(async () => setFound(await check(id))))}>
            {translate('releases.check')}
          </Button>
        )}
        {isOpen(release) && may('releases', 'publish') && (
          <Button variant="contained" disabled={isBusy || items.length === 0} onClick={() => setAsking('publish')}>
            {translate('entry.publish')}
          </Button>
        )}
        {release.state === 'published' && may('releases', 'publish') && (
          <Button variant="outlined" disabled={isBusy} onClick={() => setAsking('revert')}>
            {translate('releases.revert')}
          </Button>
        )}
        {may('releases', 'delete') && (
          <Button color="error" disabled={isBusy} onClick={() => setAsking('remove')}>
            {translate('ra.action.delete')}
          </Button>
        )}
      </Stack>
      <Settings release={release} onSave={save} />
      {found?.length === 0 && <Alert severity="success">{translate('releases.checked')}</Alert>}
      {isOpen(release) && <Typography color="text.secondary">{translate('releases.howToAdd')}</Typography>}
      <ReleaseItems
        items={items}
        refusals={found ?? release.refusals}
        onChange={canEdit ? (next) => save({ items: next }) : undefined}
      />
      {hidden > 0 && <Typography>{translate('releases.hidden', { smart_count: hidden })}</Typography>}
      {asking && (
        <Confirm
          isOpen
          loading={isBusy}
          title={translate(`releases.${asking}Title`, { name: release.name })}
          content={translate(`releases.${asking}Explained`)}
          confirm={translate(
            asking === 'publish' ? 'entry.publish' : asking === 'revert' ? 'releases.revert' : 'ra.action.delete',
          )}
          onConfirm={() => void run(confirmed[asking])}
          onClose={() => setAsking(undefined)}
        />
      )}
    </Stack>
  );
}

export default function ReleasePage() {
  const id = Number(useParams()['id']);
  const { data: release, error, refetch } = useRelease(id);
  if (!release) return <EntryProblem error={error} onRetry={refetch} />;
  return (
    <>
      <Title title={release.name} />
      <ReleaseView key={release.id} release={release} />
    </>
  );
}
