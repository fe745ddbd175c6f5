/** A field of the team's own for an attribute. If it is missing or fails, the standard field takes its place. */
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import FormHelperText from '@mui/material/FormHelperText';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { type FieldValues, useFormContext } from 'react-hook-form';
import type { FieldAttribute, FieldState, PanelField } from '../../../runtime/src/contract/panel-part.ts';
import { FieldFrame } from '../fields/field-frame.tsx';
import { fieldLabel } from '../fields/field-label.ts';
import type { FieldProps } from '../fields/field-props.ts';
import { useFormMode } from '../fields/form-mode.ts';
import { useField } from '../fields/use-field.ts';
import { labelOf, type ScalarAttribute } from '../model/model.ts';
import { isSame } from '../rest/same-value.ts';
import { copyOf } from './copy-of.ts';
import { OwnHost } from './own-host.tsx';
import { useOwnPart } from './own-part.ts';
import { usePanelState, usePanelTools } from './use-tools.ts';

type Props = FieldProps<ScalarAttribute>;

interface OwnProps extends Props {
  /** The standard field. */
  readonly children: ReactNode;
}

const unchanged = (value: unknown): unknown => value;

/** Reads other values of the form, and renders again when one that was read has changed. */
function useOtherValues() {
  const { getValues, subscribe } = useFormContext<FieldValues>();
  const read = useRef(new Map<string, unknown>());
  const [changes, setChanges] = useState(0);
  useEffect(() => {
    const hasChanged = (): boolean => [...read.current].some(([path, value]) => !isSame(getValues(path), value));
    return subscribe({
      formState: { values: true },
      callback: () => {
        if (hasChanged()) setChanges((count) => count + 1);
      },
    });
  }, [getValues, subscribe]);
  const get = useCallback(
    (path: string): unknown => {
      const value = copyOf(getValues(path));
      read.current.set(path, value);
      return value;
    },
    [getValues],
  );
  return { get, changes };
}

function described({ name, attribute }: Props): FieldAttribute {
  const { type, description, enumLabels, min, max, minLength, maxLength, regex, enum: values } = attribute;
  return {
    name,
    type,
    label: labelOf(name, attribute),
    isRequired: attribute.required === true,
    ...(description !== undefined && { description }),
    ...(values && { enum: values }),
    ...(enumLabels && { enumLabels }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...(regex !== undefined && { regex }),
  };
}

/** The function that changes the value, which the field may keep for as long as it likes. */
function useSetValue(source: string, isReadOnly: boolean) {
  const { setValue, getValues } = useFormContext<FieldValues>();
  const isCalled = useRef(false);
  const isOff = useRef(isReadOnly);
  useEffect(() => {
    isOff.current = isReadOnly;
    return () => void (isOff.current = true);
  }, [isReadOnly]);
  return {
    set(next: unknown): void {
      // It would be called again for what it has set, without an end.
      if (isCalled.current) throw new Error('A field can only set its value when the user has done something');
      const value = next === undefined || next === '' ? null : copyOf(next);
      if (isOff.current || isSame(getValues(source) ?? null, value)) return;
      setValue(source, value, { shouldDirty: true, shouldTouch: true, shouldValidate: true });
    },
    around(call: () => void): void {
      isCalled.current = true;
      try {
        call();
      } finally {
        isCalled.current = false;
      }
    },
  };
}

interface MountedProps extends Props {
  readonly show: PanelField;
  readonly onFailure: () => void;
}

function MountedField({ show, onFailure, ...props }: MountedProps) {
  const { source, name, attribute } = props;
  const { id, field, problem, isReadOnly } = useField(props, { format: unchanged, parse: unchanged });
  const { locale } = useFormMode();
  const { get, changes } = useOtherValues();
  const { set, around } = useSetValue(source, isReadOnly);
  const tools = usePanelTools();
  const panel = usePanelState();
  const value: unknown = field.value ?? null;
  const isInvalid = problem !== undefined;
  const state = useMemo(
    (): FieldState<unknown> => ({
      ...panel,
      value: copyOf(value),
      attribute: described({ source, name, attribute }),
      isReadOnly,
      isInvalid,
      locale,
      get,
    }),
    [panel, value, source, name, attribute, isReadOnly, isInvalid, locale, get, changes],
  );
  return (
    <FieldFrame id={id} label={fieldLabel(props)} attribute={attribute} problem={problem}>
      <OwnHost
        show={(host) => show({ ...tools, host, setValue: set })}
        state={state}
        around={around}
        onFailure={onFailure}
      />
    </FieldFrame>
  );
}

export default function OwnField({ children, ...props }: OwnProps) {
  const translate = useTranslate();
  const { panel, isBroken } = useOwnPart();
  const [shown, setShown] = useState<'own' | 'failed' | 'standard'>('own');
  const field = props.attribute.field ?? '';
  const { fields = {} } = panel;
  const show = Object.hasOwn(fields, field) ? fields[field] : undefined;
  if (typeof show !== 'function') {
    return (
      <>
        {children}
        <FormHelperText error>{translate(isBroken ? 'own.notLoaded' : 'own.missing', { field })}</FormHelperText>
      </>
    );
  }
  if (shown === 'standard') return children;
  if (shown === 'failed') {
    return (
      <Alert
        severity="error"
        action={
          <Button color="inherit" size="small" onClick={() => setShown('standard')}>
            {translate('own.standard')}
          </Button>
        }
      >
        {translate('own.failed', { name: fieldLabel(props) })}
      </Alert>
    );
  }
  return <MountedField {...props} show={show} onFailure={() => setShown('failed')} />;
}
