/** Uploads files one after the other and tracks their progress. Files that are added meanwhile wait for their turn. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNotify } from 'react-admin';
import { useUnloadGuard } from '../app/leave-guard.ts';
import { useProblemText } from '../app/problem-text.ts';
import { useModel } from '../model/model-context.tsx';
import type { MediaFile } from './media-file.ts';
import { MEDIA_KEY } from './media-search.ts';
import { uploadFile } from './upload-file.ts';

/** An upload that is waiting, running or has failed. */
export interface Upload {
  readonly id: number;
  readonly file: File;
  /** The folder that it is put into; undefined: none. */
  readonly folder?: number | undefined;
  /** Between 0 and 1. */
  readonly sent: number;
  /** Whether it goes on when the connection is back. */
  readonly isWaiting?: boolean;
  readonly problem?: string;
}

export interface Uploads {
  readonly uploads: readonly Upload[];
  /** Resolves to the stored files; errors are reported in `uploads`. */
  readonly send: (files: readonly File[], folder?: number) => Promise<readonly MediaFile[]>;
  /** Removes an upload that has failed from the list. */
  readonly dismiss: (upload: Upload) => void;
}

/** Returns a function that shows an error as a notification if the list of uploads is off screen; it returns whether the list is shown. */
function useReport(): (upload: Upload, problem: string) => boolean {
  const notify = useNotify();
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return ({ file }, problem) => {
    if (!isShown.current) notify(`${file.name}: ${problem}`, { type: 'error' });
    return isShown.current;
  };
}

export function useUploads(): Uploads {
  const client = useQueryClient();
  const textOf = useProblemText();
  const report = useReport();
  const isResumable = useModel().model.upload?.resumable === true;
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const latestId = useRef(0);
  const latestBatch = useRef<Promise<unknown>>(Promise.resolve());
  useUnloadGuard(uploads.some(({ problem }) => problem === undefined));

  const change = (upload: Upload, changes: Partial<Upload>): void =>
    setUploads((all) => all.map((one) => (one.id === upload.id ? { ...one, ...changes } : one)));
  const dismiss = ({ id }: Upload): void => setUploads((all) => all.filter((one) => one.id !== id));

  async function store(batch: readonly Upload[]): Promise<readonly MediaFile[]> {
    const stored: MediaFile[] = [];
    for (const upload of batch) {
      try {
        const { file, folder } = upload;
        const onWaiting = isResumable ? (isWaiting: boolean) => change(upload, { isWaiting }) : undefined;
        stored.push(await uploadFile(file, (sent) => change(upload, { sent }), { folder, onWaiting }));
        dismiss(upload);
      } catch (error) {
        const problem = textOf(error);
        if (report(upload, problem)) change(upload, { problem });
      }
    }
    await client.invalidateQueries({ queryKey: [MEDIA_KEY] });
    return stored;
  }

  function send(files: readonly File[], folder?: number): Promise<readonly MediaFile[]> {
    const added = files.map((file) => {
      latestId.current += 1;
      return { id: latestId.current, file, folder, sent: 0 };
    });
    setUploads((all) => [...all, ...added]);
    const batch = latestBatch.current.then(() => store(added));
    latestBatch.current = batch;
    return batch;
  }
  return { uploads, send, dismiss };
}
