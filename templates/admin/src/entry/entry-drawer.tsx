/** A drawer above a form, with the form of an entry that it refers to. Loaded on demand. */
import CloseIcon from '@mui/icons-material/Close';
import OpenInNewIcon from '@mui/icons-material/OpenInNew';
import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { useId, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useHref } from 'react-router';
import { useSession } from '../app/session.ts';
import { type ContentType, isScalar, resourceOf } from '../model/model.ts';
import { attributeType } from '../../../runtime/src/contract/attribute-types/scalar-type.ts';
import { DrawerFrameProvider, type DrawerProps, type DrawnForm } from '../relations/entry-drawers.ts';
import type { EntryRef } from '../relations/entry-ref.ts';
import { useReadEntry } from '../relations/entry-search.ts';
import type { FormValues } from '../rest/form-values.ts';
import { titleOf } from '../rest/rest-entry.ts';
import { EntryProblem } from './entry-problem.tsx';
import { EntryScreen } from './entry-screen.tsx';
import type { EntryTarget } from './entry-target.ts';
import { isHanded } from './handed-changes.ts';
import { placeOf } from './kept-changes.ts';
import { type LoadedEntry, useEntry } from './load-entry.ts';

function refTo({ draftAndPublish, mainField }: ContentType, { id, values, publishedAt }: LoadedEntry): EntryRef {
  return { id, title: titleOf({ id, ...values }, mainField), isDraft: draftAndPublish && publishedAt === null };
}

/** A title that was typed into a search. */
function initialOf({ mainField, attributes }: ContentType, title: string | undefined): FormValues {
  const attribute = attributes[mainField];
  const isText = attribute && isScalar(attribute) && attributeType(attribute.type).operators === 'text';
  return isText && title !== undefined && title !== '' ? { [mainField]: title } : {};
}

interface ExistingProps {
  readonly target: EntryTarget;
  readonly onSaved: (entry: LoadedEntry, isAll: boolean) => void;
}

function ExistingEntry({ target, onSaved }: ExistingProps) {
  const { data, error, refetch } = useEntry(target);
  if (!data) return <EntryProblem error={error} onRetry={refetch} />;
  return (
    <EntryScreen
      target={target}
      entry={data}
      onSaved={onSaved}
      onReload={async () => (await refetch({ throwOnError: true })).data ?? undefined}
    />
  );
}

function DrawnEntry({ type, id, title, locale, onCreated, onChanged, onClose }: DrawerProps) {
  const { user } = useSession();
  const readEntry = useReadEntry();
  /** The id of an entry that was created here, if something was typed while it was being saved. */
  const [created, setCreated] = useState<number>();
  const shown = id ?? created;

  async function connect(newId: number): Promise<void> {
    const entry = await readEntry(type, newId).catch(() => undefined);
    onCreated(entry ?? { id: newId, title: title ?? `#${newId}` });
    if (isHanded(placeOf({ type, id: newId }, user.id))) setCreated(newId);
    else onClose();
  }
  function saved(entry: LoadedEntry, isAll: boolean): void {
    onChanged(refTo(type, entry));
    if (isAll) onClose();
  }
  if (shown !== undefined) return <ExistingEntry key={shown} target={{ type, id: shown }} onSaved={saved} />;
  return (
    <EntryScreen
      target={{ type, locale: type.localized ? locale : undefined }}
      entry={undefined}
      initial={initialOf(type, title)}
      onCreated={(newId) => void connect(newId)}
    />
  );
}

interface BarProps {
  readonly titleId: string;
  readonly title: string;
  readonly href: string | undefined;
  readonly onClose: () => void;
}

/** As high as the bar of the page: the toolbar of the form sticks below it. */
const barStyles = {
  position: 'sticky',
  top: 0,
  zIndex: 3,
  height: 48,
  display: 'flex',
  alignItems: 'center',
  gap: 1,
  pl: 2,
  pr: 1,
  bgcolor: 'background.paper',
} as const;

function Bar({ titleId, title, href, onClose }: BarProps) {
  const translate = useTranslate();
  return (
    <Box sx={barStyles}>
      <Typography id={titleId} component="h2" variant="h6" noWrap sx={{ flex: 1 }}>
        {title}
      </Typography>
      {href !== undefined && (
        <Tooltip title={translate('drawer.inTab')}>
          <IconButton component="a" href={href} target="_blank" rel="noopener" aria-label={translate('drawer.inTab')}>
            <OpenInNewIcon />
          </IconButton>
        </Tooltip>
      )}
      <IconButton aria-label={translate('ra.action.close')} onClick={onClose}>
        <CloseIcon />
      </IconButton>
    </Box>
  );
}

export default function EntryDrawer(props: DrawerProps) {
  const { type, id, onClose } = props;
  const translate = useTranslate();
  const titleId = useId();
  const form = useRef<DrawnForm>(null);
  const href = useHref(`/${resourceOf(type)}/${id}`);

  function close(): void {
    if (form.current?.isBusyNow() === true) return;
    if (form.current?.isDirtyNow() !== true || confirm(translate('ra.message.unsaved_changes'))) onClose();
  }
  return (
    <Drawer
      anchor="right"
      open
      onClose={close}
      // React events bubble through the portal to the form below.
      onSubmit={(event) => event.stopPropagation()}
      slotProps={{
        paper: {
          elevation: 0,
          role: 'dialog',
          'aria-modal': true,
          'aria-labelledby': titleId,
          sx: { width: 900, maxWidth: { xs: '100vw', md: '92vw' }, bgcolor: 'background.default' },
        },
      }}
    >
      <Bar
        titleId={titleId}
        title={id === undefined ? translate('palette.createOf', { name: type.displayName }) : type.displayName}
        href={id === undefined ? undefined : href}
        onClose={close}
      />
      <Box sx={{ px: { xs: 1, md: 2 }, pb: 4 }}>
        <DrawerFrameProvider value={form}>
          <DrawnEntry {...props} />
        </DrawerFrameProvider>
      </Box>
    </Drawer>
  );
}
