/** Menu entries for pages other than content types, limited to those the role may see. */
import { useLocale, useTranslate } from 'react-admin';
import { useModel } from '../model/model-context.tsx';
import { OWN_PAGES, useOwnPages } from '../own/own-pages.ts';
import { textIn } from '../own/own-part.ts';
import { useHasReleases } from '../releases/releases.ts';
import { useMay } from './session.ts';

export interface ExtraPage {
  readonly to: string;
  readonly label: string;
}

export function useExtraPages(): readonly ExtraPage[] {
  const translate = useTranslate();
  const may = useMay();
  const { model } = useModel();
  const hasReleases = useHasReleases();
  const language = useLocale();
  const own = useOwnPages().map(({ path, title }) => ({ to: `${OWN_PAGES}/${path}`, label: textIn(title, language) }));
  return [
    ...own,
    ...(model.upload && may('upload', 'find') ? [{ to: '/media', label: translate('media.title') }] : []),
    ...(hasReleases ? [{ to: '/releases', label: translate('releases.title') }] : []),
    ...(model.users ? [{ to: '/users', label: translate('people.users') }] : []),
    ...(may('roles', 'find') ? [{ to: '/roles', label: translate('people.roles') }] : []),
    ...(may('tokens', 'find') ? [{ to: '/tokens', label: translate('people.tokens') }] : []),
    ...(model.audit && may('audit', 'find') ? [{ to: '/audit', label: translate('audit.title') }] : []),
    ...(model.webhooks && may('webhooks', 'find') ? [{ to: '/webhooks', label: translate('webhooks.title') }] : []),
    ...(model.jobs && may('jobs', 'find') ? [{ to: '/jobs', label: translate('jobs.title') }] : []),
    { to: '/model', label: translate('menu.model') },
  ];
}
