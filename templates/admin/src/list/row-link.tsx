/** The link of a row to its entry, for the keyboard, for screen readers, and for other tabs. */
import MuiLink from '@mui/material/Link';
import type { MouseEvent, ReactNode } from 'react';
import type { RaRecord } from 'react-admin';
import { Link } from 'react-router';
import { type ContentType, resourceOf } from '../model/model.ts';
import { titleOf } from '../rest/rest-entry.ts';

interface Props {
  readonly type: ContentType;
  readonly record: RaRecord;
  /** Whether the link shows the title of the entry; otherwise it is named by it. */
  readonly isTitle: boolean;
  readonly children: ReactNode;
}

export function RowLink({ type, record, isTitle, children }: Props) {
  const title = titleOf(record as RaRecord & { id: number }, type.mainField);
  return (
    <MuiLink
      component={Link}
      to={`/${resourceOf(type)}/${record.id}`}
      aria-label={isTitle ? undefined : title}
      color="textPrimary"
      underline="hover"
      sx={{ fontWeight: 500 }}
      // The row would follow it as well.
      onClick={(event: MouseEvent) => event.stopPropagation()}
    >
      {isTitle ? <bdi>{title}</bdi> : children}
    </MuiLink>
  );
}

/** For the table: opens the entry in another tab if the browser would do so with a link, wherever the row is clicked. */
export function openElsewhere(event: MouseEvent): void {
  const { target, button, ctrlKey, metaKey, shiftKey } = event;
  const isElsewhere = button === 1 || (button === 0 && (ctrlKey || metaKey || shiftKey));
  if (!isElsewhere || !(target instanceof Element) || target.closest('a, button, input')) return;
  const href = target.closest('tbody tr')?.querySelector('a')?.href;
  if (href === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  open(href, '_blank', 'noopener');
}
