/** All types by group, each with a link for a new entry. */
import Paper from '@mui/material/Paper';
import type { Theme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'react-admin';
import { usePlainLinks } from '../app/plain-links.ts';
import { TypeIcon } from '../app/type-icon.tsx';
import { type TypeGroup, useTypeGroups } from '../app/type-groups.ts';
import { type ContentType, pluralOf, resourceOf } from '../model/model.ts';
import { useMayCreate } from './new-entries.tsx';

const contentStyles = {
  minWidth: 0,
  '& ul': { listStyle: 'none', p: 0, m: 0, mb: 1 },
  '& li': { display: 'flex', alignItems: 'stretch' },
  '& a': ({ palette, typography }: Theme) => ({
    ...typography.body2,
    padding: '6px 16px',
    color: palette.text.primary,
    textDecoration: 'none',
    '&:first-of-type': { flex: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis' },
    '& + a': { color: palette.primary.main, fontSize: 20, lineHeight: '24px' },
    '&:hover': { backgroundColor: palette.action.hover },
    '&:focus-visible': { outline: `2px solid ${palette.primary.main}`, outlineOffset: -2 },
  }),
  '& small': ({ palette, typography }: Theme) => ({
    ...typography.caption,
    display: 'block',
    color: palette.text.secondary,
  }),
} as const;

interface GroupProps {
  readonly group: TypeGroup;
  readonly hrefOf: (path: string) => string;
  readonly mayCreate: (type: ContentType) => boolean;
}

/** Plain links: a schema may have hundreds of types. */
function ContentGroup({ group: { name, types }, hrefOf, mayCreate }: GroupProps) {
  const translate = useTranslate();
  return (
    <>
      <Typography component="h3" variant="overline" color="text.secondary" sx={{ px: 2, textTransform: 'none' }}>
        {name}
      </Typography>
      <ul aria-label={name}>
        {types.map((type) => (
          <li key={type.uid}>
            <a href={hrefOf(`/${resourceOf(type)}`)}>
              <TypeIcon icon={type.icon} />
              {pluralOf(type)}
              {type.description !== undefined && <small>{type.description}</small>}
            </a>
            {mayCreate(type) && (
              <a
                href={hrefOf(`/${resourceOf(type)}/create`)}
                aria-label={translate('home.newOf', { name: type.displayName })}
              >
                +
              </a>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

export function ContentPanel() {
  const translate = useTranslate();
  const groups = useTypeGroups();
  const mayCreate = useMayCreate();
  const { hrefOf, onClick } = usePlainLinks();
  return (
    <Paper component="section" variant="outlined" aria-labelledby="home-content" onClick={onClick} sx={contentStyles}>
      <Typography id="home-content" component="h2" variant="h6" sx={{ px: 2, py: 1.5 }}>
        {translate('home.content')}
      </Typography>
      {groups.map((group) => (
        <ContentGroup key={group.id} group={group} hrefOf={hrefOf} mayCreate={mayCreate} />
      ))}
    </Paper>
  );
}
