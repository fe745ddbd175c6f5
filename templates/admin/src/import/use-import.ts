/** What becomes of a file in the dialog, from its choice to the report. */
import { useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useProblemText } from '../app/problem-text.ts';
import { may, useSession } from '../app/session.ts';
import { useHasDraft } from '../entry/entry-draft.ts';
import { useWriteRights } from '../entry/write-rights.ts';
import type { ContentType } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { draftsQuery } from '../rest/entry-query.ts';
import { errorsInBody, toldMessage, translateMessage } from '../rest/field-messages.ts';
import {
  type AllFound,
  buildRows,
  type BuiltRows,
  columnOf,
  type Refusal,
  wantedTexts,
  type Write,
} from './build-rows.ts';
import { guessedSettings, importable, type ImportSettings } from './import-settings.ts';
import { forgetImport, type ImportState, keepImport, keptImport } from './kept-import.ts';
import { lookUp } from './look-up.ts';
import { FileProblem, type Reading, readTable, type Table } from './read-file.ts';
import { checkRows, importRows } from './run-import.ts';
import type { RowRefusal, Target } from './send-rows.ts';

/** `paused`: it can go on. */
export type Step = 'file' | 'columns' | 'checking' | 'checked' | 'importing' | 'paused' | 'done';

/** Whether requests are being sent. */
export function isRunning({ step }: { readonly step: Step }): boolean {
  return step === 'checking' || step === 'importing';
}

/** Rows that were checked. */
export interface Checked {
  readonly writes: readonly Write[];
  readonly refusals: readonly Refusal[];
  readonly found: AllFound;
  readonly size: number;
}

interface Opened {
  readonly file: File;
  readonly reading: Reading;
  readonly table: Table;
  readonly settings: ImportSettings;
}

/** The texts of what the server refuses, by column. */
function useRefusalTexts(type: ContentType) {
  const translate = useTranslate();
  const problemText = useProblemText();
  return ({ table, settings }: Pick<Opened, 'table' | 'settings'>) =>
    ({ write: { line }, error }: RowRefusal): readonly Refusal[] => {
      const errors = errorsInBody(error.body);
      const told = errors.map((one) => ({
        line,
        column: columnOf(String(one.path?.[0] ?? ''), table, settings, type),
        text: translateMessage(toldMessage(one), translate),
      }));
      return told.length > 0 ? told : [{ line, column: '', text: problemText(error) }];
    };
}

/** Returns a function that finds the entries that a file names. */
function useLookUps(type: ContentType) {
  const session = useSession();
  const index = useModel();
  return async ({ table, settings }: Pick<Opened, 'table' | 'settings'>, signal: AbortSignal): Promise<AllFound> => {
    const found: Record<string, AllFound[string]> = {};
    for (const [at, texts] of Object.entries(wantedTexts(table, type, settings))) {
      const column = at === 'key' ? undefined : settings.columns[Number(at)];
      const attribute = column && type.attributes[column.name];
      const target = at === 'key' ? type : attribute?.type === 'relation' ? index.type(attribute.target) : undefined;
      const name = at === 'key' ? settings.updateBy : column?.by;
      if (!target || name === undefined) continue;
      const query = {
        ...draftsQuery(target, may(session, target.uid, 'preview')),
        ...(target.localized && settings.locale !== undefined && { locale: settings.locale }),
      };
      found[at] = await lookUp(target, name, texts, { query, signal });
    }
    return found;
  };
}

function useTarget(type: ContentType) {
  const hasDraft = useHasDraft(type);
  const { format } = useModel().model;
  return ({ isDraft }: ImportSettings, since: number): Target => ({
    type,
    updates: {
      query: type.draftAndPublish && isDraft && hasDraft ? '?status=draft' : '',
      data: type.draftAndPublish && !isDraft ? { publishedAt: new Date(since).toISOString() } : {},
    },
    isUnlisted: format === 'v5',
  });
}

/** The text of what ends a step. */
function useTextOf(): (error: unknown) => string {
  const translate = useTranslate();
  const problemText = useProblemText();
  return (error) => {
    if (error instanceof FileProblem) return translate(error.message, error.values);
    return error instanceof DOMException && error.name === 'AbortError' ? translate('csv.stopped') : problemText(error);
  };
}

export function useImport(type: ContentType, listLocale: string | undefined) {
  const translate = useTranslate();
  const textOf = useTextOf();
  const index = useModel();
  const { user, locales } = useSession();
  const { canPublish } = useWriteRights(type, undefined);
  const names = importable(type, canPublish ? 'create' : 'draft');
  const refusalTexts = useRefusalTexts(type);
  const find = useLookUps(type);
  const targetOf = useTarget(type);
  const stop = useRef(new AbortController());
  const [step, setStep] = useState<Step>('file');
  const [opened, setOpened] = useState<Opened>();
  const [checked, setChecked] = useState<Checked>();
  const [state, setState] = useState<ImportState>();
  const [kept, setKept] = useState(() => keptImport(user.id, type.uid));
  const [done, setDone] = useState(0);
  const [problem, setProblem] = useState<string>();

  const rowsOf = ({ table, settings }: Opened, found: AllFound): BuiltRows =>
    buildRows({ table, type, settings, index, found, translate });
  const store = (next: ImportState): void => {
    setState(next);
    keepImport(user.id, type.uid, next);
  };

  async function open(file: File, reading: Reading = kept?.reading ?? {}): Promise<void> {
    setProblem(undefined);
    try {
      const table = await readTable(file, reading);
      if (kept?.hash === table.hash) {
        const again = { file, reading, table, settings: kept.settings };
        setOpened(again);
        setChecked({ ...rowsOf(again, kept.found), found: kept.found, size: kept.size });
        setState(kept);
        setStep('paused');
        return;
      }
      const guess = { names, index, locale: listLocale ?? locales[0], isDraft: type.draftAndPublish };
      setOpened({ file, reading, table, settings: guessedSettings(table, type, guess) });
      setStep('columns');
    } catch (error) {
      setProblem(textOf(error));
    }
  }

  async function check(): Promise<void> {
    if (!opened) return;
    stop.current = new AbortController();
    const { signal } = stop.current;
    setProblem(undefined);
    setDone(0);
    setStep('checking');
    try {
      const found = await find(opened, signal);
      const { writes, refusals } = rowsOf(opened, found);
      const checking = { signal, textsOf: refusalTexts(opened), onProgress: setDone };
      const told = await checkRows(targetOf(opened.settings, Date.now()), writes, checking);
      const all = [...refusals, ...told.refusals].sort((one, other) => one.line - other.line);
      setChecked({ writes, refusals: all, found, size: told.size });
      setStep('checked');
    } catch (error) {
      setProblem(textOf(error));
      setStep('columns');
    }
  }

  async function run(begun: ImportState): Promise<void> {
    if (!opened || !checked) return;
    stop.current = new AbortController();
    const { signal } = stop.current;
    setProblem(undefined);
    setStep('importing');
    const skipped = new Set(begun.skipped);
    const writes = checked.writes.filter(({ line }) => !skipped.has(line));
    const running = { signal, textsOf: refusalTexts(opened), onState: store };
    try {
      await importRows(targetOf(begun.settings, begun.since), writes, begun, running);
      forgetImport(user.id, type.uid);
      setKept(undefined);
      setStep('done');
    } catch (error) {
      setProblem(textOf(error));
      setStep('paused');
    }
  }

  function start(times = 0): void {
    if (!opened || !checked) return;
    const { file, reading, table, settings } = opened;
    const { found, size, refusals } = checked;
    const skipped = [...new Set(refusals.map(({ line }) => line))];
    const counts = { next: 0, created: 0, updated: 0, replayed: 0, refused: [] };
    const made = { fileName: file.name, hash: table.hash, reading, settings, found, size, skipped };
    void run({ ...made, ...counts, since: Date.now(), run: times });
  }

  return {
    names,
    canPublish,
    step,
    opened,
    checked,
    state,
    kept,
    done,
    problem,
    open,
    check,
    start,
    resume: () => void (state && run(state)),
    stop: () => stop.current.abort(),
    back: () => setStep('columns'),
    again: (reading: Reading) => void (opened && open(opened.file, reading)),
    change: (settings: Partial<ImportSettings>) => {
      if (opened) setOpened({ ...opened, settings: { ...opened.settings, ...settings } });
    },
    forget: () => {
      forgetImport(user.id, type.uid);
      setKept(undefined);
      setOpened(undefined);
      setState(undefined);
      setStep('file');
    },
  };
}

export type Import = ReturnType<typeof useImport>;
