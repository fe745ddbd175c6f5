/** The entries of a release, what is done with each, and what refuses it. */
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import MenuItem from '@mui/material/MenuItem';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'react-admin';
import { Link as RouterLink } from 'react-router';
import { resourceOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { useRefusalTexts } from '../schedule/refusal-text.ts';
import { type ItemRefusal, type ReleaseAction, type ReleaseItem, useTitles } from './releases.ts';

const ACTIONS: readonly ReleaseAction[] = ['publish', 'unpublish'];

interface Props {
  readonly items: readonly ReleaseItem[];
  readonly refusals: readonly ItemRefusal[];
  /** Undefined: they can't be changed. */
  readonly onChange: ((items: readonly ReleaseItem[]) => void) | undefined;
}

interface RowProps extends Pick<Props, 'onChange'> {
  readonly items: Props['items'];
  readonly item: ReleaseItem;
  readonly title: string;
  readonly refusal: string | undefined;
}

function ItemRow({ items, item, title, refusal, onChange }: RowProps) {
  const translate = useTranslate();
  const type = useModel().type(item.type);
  const to = type && (type.kind === 'single' ? `/${resourceOf(type)}` : `/${resourceOf(type)}/${item.id}`);
  const replace = (next: readonly ReleaseItem[]): void => onChange?.(next);
  return (
    <Stack component="li" sx={{ gap: 1, py: 1 }}>
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
        <Stack sx={{ flex: 1, minWidth: 160 }}>
          {to === undefined ? (
            title
          ) : (
            <Link component={RouterLink} to={to}>
              {title}
            </Link>
          )}
          <Typography variant="body2" color="text.secondary">
            {[type?.displayName ?? item.type, item.locale].filter((text) => text !== undefined).join(' · ')}
          </Typography>
        </Stack>
        <TextField
          select
          size="small"
          label={translate('releases.action')}
          value={item.action}
          disabled={!onChange}
          onChange={({ target }) => {
            const action = ACTIONS.find((one) => one === target.value) ?? item.action;
            replace(items.map((one) => (one === item ? { ...one, action } : one)));
          }}
          sx={{ minWidth: 140 }}
        >
          {ACTIONS.map((action) => (
            <MenuItem key={action} value={action}>
              {translate(`entry.${action}`)}
            </MenuItem>
          ))}
        </TextField>
        {onChange && (
          <Button
            color="inherit"
            aria-label={translate('releases.removeItem', { title })}
            onClick={() => replace(items.filter((one) => one !== item))}
          >
            {translate('ra.action.remove')}
          </Button>
        )}
      </Stack>
      {refusal !== undefined && <Alert severity="error">{refusal}</Alert>}
    </Stack>
  );
}

export function ReleaseItems({ items, refusals, onChange }: Props) {
  const translate = useTranslate();
  const titleOf = useTitles(items);
  const index = useModel();
  const refusalTexts = useRefusalTexts();
  const whole = refusals.filter(({ item }) => item < 0);
  return (
    <Paper variant="outlined" sx={{ px: 2, py: 1 }}>
      {whole.map((refusal) => (
        <Alert key={refusal.message} severity="error">
          {refusalTexts(undefined, refusal).join(' · ')}
        </Alert>
      ))}
      {items.length === 0 && <Typography color="text.secondary">{translate('releases.empty')}</Typography>}
      <Stack component="ul" aria-label={translate('releases.entries')} sx={{ listStyle: 'none', p: 0, m: 0 }}>
        {items.map((item, at) => {
          const refusal = refusals.find((one) => one.item === at);
          return (
            <ItemRow
              key={`${item.type} ${item.id}`}
              items={items}
              item={item}
              title={titleOf(item)}
              refusal={refusal && refusalTexts(index.type(item.type), refusal).join(' · ')}
              onChange={onChange}
            />
          );
        })}
      </Stack>
    </Paper>
  );
}
