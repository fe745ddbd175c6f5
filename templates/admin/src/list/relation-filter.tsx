import { useInput } from 'react-admin';
import { useQuery } from '@tanstack/react-query';
import type { ContentType } from '../model/model.ts';
import { EntryPicker } from '../relations/entry-picker.tsx';
import { useReadEntry } from '../relations/entry-search.ts';

interface Props {
  readonly source: string;
  readonly label: string;
  readonly type: ContentType;
  readonly alwaysOn?: boolean;
}

/** Filters by a related entry, which is selected by its title. */
export default function RelationFilter({ source, label, type }: Props) {
  const { field } = useInput({ source });
  const readEntry = useReadEntry();
  const id = field.value as number | '' | null;
  const { data } = useQuery({
    queryKey: ['entry-title', type.uid, id],
    queryFn: () => readEntry(type, Number(id)),
    enabled: id !== '' && id !== null,
  });
  return (
    <EntryPicker
      type={type}
      label={label}
      size="small"
      value={id === '' || id === null ? null : (data ?? { id, title: `#${id}` })}
      onChange={(entry) => field.onChange(entry?.id ?? '')}
    />
  );
}
