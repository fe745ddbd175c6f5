/** Views of a list that its user has saved: filters, order, columns and locale under a name. They are kept in the browser. */
import BookmarkIcon from '@mui/icons-material/BookmarkBorder';
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import IconButton from '@mui/material/IconButton';
import ListItemText from '@mui/material/ListItemText';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { type FormEvent, useState } from 'react';
import { useListContext, useStore, useStoreContext, useTranslate } from 'react-admin';
import { useNavigate, useSearchParams } from 'react-router';
import { type ContentType, resourceOf } from '../model/model.ts';
import { textOf } from '../model/text-of.ts';
import { viewIn } from '../rest/list-views.ts';
import { columnsKey, useColumns } from './columns.ts';
import { parsedFilter } from './use-list-view.ts';

interface View {
  readonly name: string;
  /** The query of the list's address. */
  readonly search: string;
  readonly columns: readonly string[];
}

/** How many views of a type are kept. */
const MAX = 30;

/** The query of the address that shows the list as it is. */
function useSearch(): string {
  const { filterValues, displayedFilters, sort, perPage } = useListContext();
  const [parameters] = useSearchParams();
  const locale = parameters.get('locale');
  return new URLSearchParams({
    filter: JSON.stringify(filterValues),
    displayedFilters: JSON.stringify(displayedFilters),
    sort: sort.field,
    order: sort.order,
    perPage: String(perPage),
    page: '1',
    ...(locale !== null && { locale }),
  }).toString();
}

interface NameDialogProps {
  readonly onSave: (name: string) => void;
  readonly onClose: () => void;
}

function NameDialog({ onSave, onClose }: NameDialogProps) {
  const translate = useTranslate();
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const name = textOf(new FormData(event.currentTarget).get('name')).trim();
    if (name !== '') onSave(name);
  }
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby="view-title">
      <form onSubmit={submit}>
        <DialogTitle id="view-title">{translate('views.save')}</DialogTitle>
        <DialogContent sx={{ '&&': { pt: 1 } }}>
          <TextField
            name="name"
            label={translate('views.name')}
            fullWidth
            autoFocus
            required
            slotProps={{ htmlInput: { maxLength: 80 } }}
          />
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
          <Button type="submit" variant="contained">
            {translate('ra.action.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface ViewItemProps {
  readonly view: View;
  readonly onOpen: () => void;
  readonly onRemove: () => void;
}

function ViewRow({ view: { name }, onOpen, onRemove }: ViewItemProps) {
  const translate = useTranslate();
  return (
    <Stack component="li" direction="row" role="none" sx={{ alignItems: 'center', pr: 1 }}>
      <MenuItem component="div" dense onClick={onOpen} sx={{ flex: 1, minWidth: 0 }}>
        <ListItemText primary={name} slotProps={{ primary: { noWrap: true } }} />
      </MenuItem>
      <IconButton role="menuitem" size="small" aria-label={translate('views.remove', { name })} onClick={onRemove}>
        <DeleteIcon fontSize="small" />
      </IconButton>
    </Stack>
  );
}

export function ViewsButton({ type }: { readonly type: ContentType }) {
  const translate = useTranslate();
  const navigate = useNavigate();
  const search = useSearch();
  const [columns] = useColumns(type);
  const store = useStoreContext();
  const [views, setViews] = useStore<readonly View[]>(`views.${type.uid}`, []);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isNaming, setIsNaming] = useState(false);

  function save(name: string): void {
    // The same name replaces a view.
    setViews([...views.filter((view) => view.name !== name), { name, search, columns }].slice(-MAX));
    setIsNaming(false);
  }
  function open(view: View): void {
    const filter = new URLSearchParams(view.search).get('filter');
    const within = viewIn(type, parsedFilter(filter));
    store.setItem(columnsKey(type, within), view.columns);
    void navigate(`/${resourceOf(type)}?${view.search}`);
    setAnchor(null);
  }
  return (
    <>
      <Button
        size="small"
        startIcon={<BookmarkIcon />}
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {translate('views.title')}
      </Button>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        {views.map((view) => (
          <ViewRow
            key={view.name}
            view={view}
            onOpen={() => open(view)}
            onRemove={() => setViews(views.filter((other) => other !== view))}
          />
        ))}
        <MenuItem
          dense
          divider={false}
          onClick={() => {
            setAnchor(null);
            setIsNaming(true);
          }}
        >
          {translate('views.save')}
        </MenuItem>
      </Menu>
      {isNaming && <NameDialog onSave={save} onClose={() => setIsNaming(false)} />}
    </>
  );
}
