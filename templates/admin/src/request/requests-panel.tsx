/** The page's recent requests, to copy as curl commands or calls of the typed client. Loaded on demand. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { useDocumentKeys } from '../entry/document-id.ts';
import { useModel } from '../model/model-context.tsx';
import type { ApiRequest } from '../rest/api-request.ts';
import { clientLineOf } from './client-line.ts';
import { curlOf } from './curl.ts';
import { useRequestLog } from './request-log.ts';
import { type EntryName, entryNamedBy, v5RequestOf } from './v5-request.ts';

function RequestLine({ text }: { readonly text: string }) {
  const translate = useTranslate();
  const notify = useNotify();
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      notify('requests.copied');
    } catch {
      // Permission denied, or no secure context: then there is no clipboard.
      notify('requests.notCopied', { type: 'warning' });
    }
  }
  return (
    <Stack component="li" direction="row" sx={{ gap: 1, alignItems: 'flex-start', listStyle: 'none' }}>
      <Box
        component="pre"
        tabIndex={0}
        sx={{ m: 0, p: 1.5, flex: 1, overflow: 'auto', borderRadius: 1, bgcolor: 'action.hover', fontSize: 12 }}
      >
        {text}
      </Box>
      <Button size="small" onClick={() => void copy()}>
        {translate('requests.copy')}
      </Button>
    </Stack>
  );
}

const LANGUAGES = ['curl', 'client'] as const;
type Language = (typeof LANGUAGES)[number];

/** Returns a function that gives the request with which another client has the same effect; undefined if there is none. */
function useForeignRequest(requests: readonly ApiRequest[]): (request: ApiRequest) => ApiRequest | undefined {
  const index = useModel();
  const isV5 = index.model.format === 'v5';
  const names = new Map<string, EntryName>();
  for (const request of isV5 ? requests : []) {
    const name = entryNamedBy(request, index);
    if (name) names.set(`${name.type.uid} ${name.id}`, name);
  }
  const documentOf = useDocumentKeys([...names.values()]);
  return (request) => (isV5 ? v5RequestOf(request, index, documentOf) : request);
}

export default function RequestsPanel() {
  const translate = useTranslate();
  const requests = useRequestLog();
  const index = useModel();
  const foreign = useForeignRequest(requests);
  const [language, setLanguage] = useState<Language>('curl');
  function textOf(sent: ApiRequest): string {
    const request = foreign(sent);
    const isClient = language === 'client';
    if (!request) return `${isClient ? '//' : '#'} ${translate('requests.noUnpublish', { path: sent.path })}`;
    // Requests without a client method are shown as curl commands.
    return (isClient ? clientLineOf(request, index) : undefined) ?? curlOf(request, location.origin);
  }
  return (
    <Box sx={{ p: 3, width: { xs: '100vw', md: 720 }, boxSizing: 'border-box' }}>
      <Typography variant="h6" component="h2" id="requests-title">
        {translate('requests.title')}
      </Typography>
      <Typography color="text.secondary" sx={{ mb: 2 }}>
        {translate('requests.explained')} {index.model.format === 'v5' && translate('requests.explainedV5')}
      </Typography>
      <ToggleButtonGroup
        exclusive
        size="small"
        value={language}
        aria-labelledby="requests-title"
        onChange={(_, chosen: Language | null) => chosen && setLanguage(chosen)}
        sx={{ mb: 2 }}
      >
        {LANGUAGES.map((name) => (
          <ToggleButton key={name} value={name}>
            {translate(`requests.${name}`)}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <Stack component="ol" sx={{ gap: 1, p: 0, m: 0 }}>
        {requests.map((request, index) => (
          <RequestLine key={requests.length - index} text={textOf(request)} />
        ))}
      </Stack>
    </Box>
  );
}
