/** The team's own buttons in the form of an entry. */
import { type FieldValues, useFormContext } from 'react-hook-form';
import type { LoadedEntry } from '../entry/load-entry.ts';
import type { ContentType } from '../model/model.ts';
import { copyOf } from './copy-of.ts';
import { OwnButton } from './own-button.tsx';
import { useOwnButtons } from './own-pages.ts';
import { usePanelTools } from './use-tools.ts';

interface Props {
  readonly type: ContentType;
  readonly entry: LoadedEntry;
  readonly canSave: boolean;
  readonly onReload: () => Promise<void>;
}

export default function EntryButtons({ type, entry, canSave, onReload }: Props) {
  const { getValues, setValue } = useFormContext<FieldValues>();
  const tools = usePanelTools();
  return useOwnButtons('entry', type.uid).map(({ label, run }, at) => (
    <OwnButton
      key={at}
      label={label}
      run={() =>
        run({
          ...tools,
          type: type.uid,
          id: entry.id,
          locale: entry.locale,
          get: (path) => copyOf(getValues(path)),
          setValue(path, value) {
            if (!canSave) throw new Error('The role may not change this entry');
            setValue(path, copyOf(value), { shouldDirty: true, shouldTouch: true, shouldValidate: true });
          },
          reload: onReload,
        })
      }
    />
  ));
}
