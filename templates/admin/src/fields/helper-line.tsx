import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { useTranslate, ValidationError } from 'react-admin';
import type { ScalarRules } from '../../../runtime/src/contract/attribute-types/attribute-type.ts';
import { lengthOf } from '../../../runtime/src/contract/values/cast-text.ts';
import type { Attribute } from '../model/model.ts';

interface Props {
  readonly attribute: Attribute;
  readonly problem: string | undefined;
  readonly value?: unknown;
  /** How many words a long text has. */
  readonly words?: ReactNode;
}

function rulesIn(attribute: Attribute): ScalarRules {
  return attribute.type === 'relation' || attribute.type === 'media' ? {} : attribute;
}

/** The schema's description and constraints as text. */
function useHints(attribute: Attribute): string[] {
  const translate = useTranslate();
  const { description, writable, refusedIn, localized } = attribute;
  const { unique, min, max, minLength } = rulesIn(attribute);
  const hasItems = attribute.type === 'component' || attribute.type === 'dynamiczone';
  const kind = hasItems ? 'Items' : '';
  return [
    description,
    writable === false ? translate(refusedIn ? 'hint.refused' : 'hint.readOnly') : undefined,
    attribute.private === true ? translate('hint.private') : undefined,
    unique === true ? translate('hint.unique') : undefined,
    minLength === undefined ? undefined : translate('hint.minLength', { min: minLength }),
    min === undefined ? undefined : translate(`hint.min${kind}`, { min }),
    max === undefined ? undefined : translate(`hint.max${kind}`, { max }),
    localized === false ? translate('hint.shared') : undefined,
  ].filter((hint) => hint !== undefined);
}

/** The helper text of a field: its error or its hints, and the character count. */
export function HelperLine({ attribute, problem, value, words }: Props) {
  const hints = useHints(attribute);
  const { maxLength } = rulesIn(attribute);
  const count = maxLength !== undefined && typeof value === 'string' ? `${lengthOf(value)} / ${maxLength}` : undefined;
  return (
    <Box component="span" sx={{ display: 'flex', gap: 2, justifyContent: 'space-between' }}>
      <span>{problem === undefined ? hints.join(' · ') : <ValidationError error={problem} />}</span>
      {(count ?? words) !== undefined && (
        <Box component="span" sx={{ display: 'flex', gap: 1, whiteSpace: 'nowrap' }}>
          <span>{words}</span>
          {count !== undefined && <span>{count}</span>}
        </Box>
      )}
    </Box>
  );
}
