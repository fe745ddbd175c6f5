/** Shows how the draft of an entry differs from what is published. */
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'react-admin';
import { type ContentType, labelOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { DifferenceValue } from './difference-value.tsx';
import { type Difference, differencesOf, type ElementChange, MAX_COMPARED } from './differences.ts';
import { useVersions, type Versions } from './entry-draft.ts';
import type { EntryTarget } from './entry-target.ts';
import { EntryProblem } from './entry-problem.tsx';
import type { LoadedEntry } from './load-entry.ts';

const COLORS = { added: 'success.main', removed: 'error.main', moved: 'info.main', changed: 'warning.main' } as const;

function ElementLine({ change }: { readonly change: ElementChange }) {
  const translate = useTranslate();
  const { kind, title, from, to, differences } = change;
  return (
    <Box component="li" sx={{ borderLeft: 3, borderColor: COLORS[kind], pl: 1, my: 0.5, minWidth: 0 }}>
      <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
        {translate(`draft.${kind}`, { title, from, to })}
      </Typography>
      {differences && <Differences differences={differences} />}
    </Box>
  );
}

function ChangeShown({ attribute, change }: Difference) {
  const translate = useTranslate();
  switch (change.kind) {
    case 'value':
      return <DifferenceValue attribute={attribute} before={change.before} after={change.after} />;
    case 'within':
      return <Differences differences={change.differences} />;
    case 'list':
      return (
        <>
          <Box component="ul" sx={{ listStyle: 'none', p: 0, m: 0 }}>
            {change.changes.map((one) => (
              <ElementLine key={`${one.kind} ${one.key}`} change={one} />
            ))}
          </Box>
          {change.isCut && (
            <Typography variant="caption" color="text.secondary">
              {translate('draft.cut', { max: MAX_COMPARED })}
            </Typography>
          )}
        </>
      );
  }
}

function Differences({ differences }: { readonly differences: readonly Difference[] }) {
  return (
    <Stack component="dl" sx={{ gap: 1.5, m: 0, mt: 0.5 }}>
      {differences.map((one) => (
        <Box key={one.name} sx={{ minWidth: 0 }}>
          <Typography component="dt" variant="subtitle2">
            {labelOf(one.name, one.attribute)}
          </Typography>
          <Box component="dd" sx={{ m: 0, minWidth: 0 }}>
            <ChangeShown {...one} />
          </Box>
        </Box>
      ))}
    </Stack>
  );
}

interface ListProps {
  readonly type: ContentType;
  readonly versions: Versions;
  /** The key of the text for equal versions. */
  readonly equal?: string;
}

export function DifferenceList({ type, versions, equal = 'draft.equal' }: ListProps) {
  const translate = useTranslate();
  const differences = differencesOf(type.attributes, versions.published, versions.draft, useModel());
  if (differences.length === 0) return <Alert severity="info">{translate(equal)}</Alert>;
  return <Differences differences={differences} />;
}

interface Props {
  readonly target: EntryTarget;
  readonly entry: LoadedEntry;
  /** Whether the form has changes that are not saved, and so in no version. */
  readonly isDirty: boolean;
}

export function DifferencesPanel({ target, entry, isDirty }: Props) {
  const translate = useTranslate();
  const { data, error, refetch } = useVersions(target, entry);
  const title = translate('draft.differences');
  return (
    <Paper
      variant="outlined"
      component="section"
      aria-label={title}
      sx={{ p: { xs: 1.5, md: 3 }, minWidth: 0, alignSelf: 'start', order: { xs: -1, lg: 0 } }}
    >
      <Typography variant="h6" component="h2" sx={{ mb: 1 }}>
        {title}
      </Typography>
      {isDirty && (
        <Alert severity="info" sx={{ mb: 2 }}>
          {translate('draft.unsavedLeftOut')}
        </Alert>
      )}
      {data ? <DifferenceList type={target.type} versions={data} /> : <EntryProblem error={error} onRetry={refetch} />}
    </Paper>
  );
}
