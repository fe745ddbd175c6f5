import { useTranslate } from 'react-admin';
import { codeOf } from '../../../runtime/src/contract/message-codes.ts';
import { FORBIDDEN } from '../app/problem-text.ts';
import { nameOfPath } from '../entry/error-paths.ts';
import type { ContentType } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { toldMessage, translateMessage } from '../rest/field-messages.ts';
import type { Refusal } from './schedules.ts';

/**
 * Returns a function for why something could not be done, in the language of the panel: a text for each value that was refused,
 * by its name in the form. Unlike answers to the panel, what is stored of a refusal has no codes.
 */
export function useRefusalTexts(): (
  type: ContentType | undefined,
  refusal: Pick<Refusal, 'message' | 'errors'>,
) => readonly string[] {
  const index = useModel();
  const translate = useTranslate();
  const textOf = (message: string): string => {
    if (message === FORBIDDEN) return translate('problem.status403');
    const coded = codeOf(message);
    return coded ? translateMessage(toldMessage({ message, ...coded }), translate) : message;
  };
  return (type, { message, errors = [] }) => {
    const reasons = errors.map((error) => {
      const name = nameOfPath([...error.path], type?.attributes ?? {}, {}, index);
      const text = textOf(error.message);
      return name === '' ? text : `${name}: ${text}`;
    });
    return reasons.length > 0 ? reasons : [textOf(message)];
  };
}
