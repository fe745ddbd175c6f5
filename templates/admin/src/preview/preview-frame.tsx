/** The preview of an entry beside its form, in the width of a device. Loaded on demand. */
import CloseIcon from '@mui/icons-material/Close';
import DesktopIcon from '@mui/icons-material/DesktopWindows';
import PhoneIcon from '@mui/icons-material/Smartphone';
import RefreshIcon from '@mui/icons-material/Refresh';
import TabletIcon from '@mui/icons-material/TabletMac';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import type { Theme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useStore, useTranslate } from 'react-admin';
import { Link } from 'react-router';
import type { EntryPreview } from '../entry/preview-link.tsx';
import type { LoadedEntry } from '../entry/load-entry.ts';
import { useLocaleName } from '../list/content-locale.tsx';
import { type ContentType, resourceOf } from '../model/model.ts';
import { useEntryDrawerComponent } from '../relations/entry-drawers.ts';
import { useSize } from './use-size.ts';
import { useSite } from './use-site.ts';

/** In CSS pixels. */
const DEVICES = { phone: 390, tablet: 820, desktop: 1280 } as const;

type Device = keyof typeof DEVICES;

const ICONS: Readonly<Record<Device, ReactNode>> = {
  phone: <PhoneIcon fontSize="small" />,
  tablet: <TabletIcon fontSize="small" />,
  desktop: <DesktopIcon fontSize="small" />,
};

/** How long the site may take to answer once it is loaded, in milliseconds. */
const PATIENCE = 5000;

/**
 * What the site may do: everything that it does in a tab, except for leading the panel elsewhere. Its origin stays its own, since it is
 * recognised by it.
 */
const SANDBOX = 'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals';

interface Props {
  readonly type: ContentType;
  readonly entry: LoadedEntry;
  readonly preview: EntryPreview;
  readonly locale: string | undefined;
}

interface ToolsProps {
  readonly device: Device;
  readonly onDevice: (device: Device) => void;
  readonly locale: string | undefined;
  readonly onReload: () => void;
  readonly onClose: () => void;
}

function Tools({ device, onDevice, locale, onReload, onClose }: ToolsProps) {
  const translate = useTranslate();
  const localeName = useLocaleName();
  return (
    <Stack
      direction="row"
      sx={{ alignItems: 'center', gap: 1, px: 1, py: 0.5, borderBottom: 1, borderColor: 'divider' }}
    >
      <ToggleButtonGroup
        exclusive
        size="small"
        value={device}
        aria-label={translate('preview.device')}
        onChange={(_event, chosen: Device | null) => chosen && onDevice(chosen)}
      >
        {(Object.keys(DEVICES) as Device[]).map((name) => (
          <ToggleButton key={name} value={name} aria-label={translate(`preview.${name}`)} sx={{ py: 0.5 }}>
            <Tooltip title={translate(`preview.${name}`)}>
              <Box component="span" sx={{ display: 'flex' }}>
                {ICONS[name]}
              </Box>
            </Tooltip>
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <Typography variant="body2" color="text.secondary" noWrap sx={{ flex: 1 }}>
        {locale === undefined ? '' : localeName(locale)}
      </Typography>
      <Tooltip title={translate('preview.reload')}>
        <IconButton size="small" aria-label={translate('preview.reload')} onClick={onReload}>
          <RefreshIcon fontSize="small" />
        </IconButton>
      </Tooltip>
      <Tooltip title={translate('preview.close')}>
        <IconButton size="small" aria-label={translate('preview.close')} onClick={onClose}>
          <CloseIcon fontSize="small" />
        </IconButton>
      </Tooltip>
    </Stack>
  );
}

interface Elsewhere {
  readonly type: ContentType;
  readonly id: number;
}

/** The form of another entry whose text was clicked: in a drawer, or by a link to its page. */
function OtherEntry({ type, id, onChanged, onClose }: Elsewhere & Record<'onChanged' | 'onClose', () => void>) {
  const translate = useTranslate();
  const Drawer = useEntryDrawerComponent();
  if (Drawer && type.kind === 'collection') {
    return (
      <Suspense>
        <Drawer type={type} id={id} onCreated={onChanged} onChanged={onChanged} onClose={onClose} />
      </Suspense>
    );
  }
  const path = `/${resourceOf(type)}${type.kind === 'collection' ? `/${id}` : ''}`;
  return (
    <Alert
      severity="info"
      onClose={onClose}
      action={
        <Button component={Link} to={path} color="inherit" size="small">
          {translate('preview.openOther')}
        </Button>
      }
    >
      {translate('preview.elsewhere', { name: type.displayName })}
    </Alert>
  );
}

/** The site in the width of a device, made smaller where there is less room. */
function Site({
  url,
  title,
  width,
  frame,
  onLoad,
}: {
  readonly url: string;
  readonly title: string;
  readonly width: number;
  readonly frame: React.RefObject<HTMLIFrameElement | null>;
  readonly onLoad: () => void;
}) {
  const [room, size] = useSize();
  const scale = size.width === 0 ? 1 : Math.min(1, size.width / width);
  return (
    <Box ref={room} dir="ltr" sx={{ flex: 1, minHeight: 0, overflow: 'hidden', bgcolor: 'action.hover' }}>
      <Box
        component="iframe"
        ref={frame}
        src={url}
        title={title}
        sandbox={SANDBOX}
        referrerPolicy="strict-origin"
        onLoad={onLoad}
        style={{
          width,
          height: size.height / scale,
          transform: `scale(${scale})`,
          marginLeft: Math.max(0, (size.width - width) / 2),
        }}
        sx={{ display: 'block', border: 0, bgcolor: 'common.white', transformOrigin: '0 0' }}
      />
    </Box>
  );
}

export default function PreviewFrame({ type, entry, preview, locale }: Props) {
  const { url, documentId, toggle } = preview;
  const translate = useTranslate();
  const isNarrow = useMediaQuery((theme: Theme) => theme.breakpoints.down('sm'));
  const [device, setDevice] = useStore<Device>('preview.device', isNarrow ? 'phone' : 'desktop');
  const [loads, setLoads] = useState(0);
  const [isLate, setIsLate] = useState(false);
  const [loaded, setLoaded] = useState(0);
  const [elsewhere, setElsewhere] = useState<Elsewhere>();
  const frame = useRef<HTMLIFrameElement>(null);
  const { origin } = new URL(url);
  const isConnected = useSite(frame, origin, {
    type,
    entry,
    documentId,
    onElsewhere: (other, id) => setElsewhere({ type: other, id }),
  });
  useEffect(() => {
    if (loaded === 0) return undefined;
    const timer = setTimeout(() => setIsLate(true), PATIENCE);
    return () => clearTimeout(timer);
  }, [loaded]);
  const reload = (): void => setLoads(loads + 1);
  return (
    <Paper
      variant="outlined"
      component="section"
      aria-label={translate('entry.preview')}
      sx={{ height: 1, minWidth: 0, display: 'flex', flexDirection: 'column', overflow: 'hidden' }}
    >
      <Tools device={device} onDevice={setDevice} locale={locale} onReload={reload} onClose={toggle} />
      {isLate && !isConnected && (
        <Alert severity="info">{translate('preview.silent', { origin, panel: globalThis.location.origin })}</Alert>
      )}
      {elsewhere && <OtherEntry {...elsewhere} onChanged={reload} onClose={() => setElsewhere(undefined)} />}
      <Site
        key={`${loads} ${url}`}
        url={url}
        title={translate('entry.preview')}
        width={DEVICES[device]}
        frame={frame}
        onLoad={() => setLoaded(loaded + 1)}
      />
    </Paper>
  );
}
