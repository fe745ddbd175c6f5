import { expect, it } from 'vitest';
import { nameOfUpload, rememberedUpload, rememberUpload } from './remembered-uploads.ts';

function storageOf(text?: string) {
  const values = new Map(text === undefined ? [] : [['content-gen.uploads', text]]);
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, to: string) => void values.set(key, to),
  };
}

const DAY = 24 * 3_600_000;

it('uploads are found by the file and its folder, for a day', () => {
  const storage = storageOf();
  const file = { name: 'a.mp4', size: 7, lastModified: 1 };
  const name = nameOfUpload(file, undefined);
  rememberUpload(name, 'upload/resumable/1', storage, 0);
  rememberUpload(nameOfUpload(file, 2), 'upload/resumable/2', storage, 0);
  expect(rememberedUpload(name, storage, DAY - 1)).toBe('upload/resumable/1');
  expect(rememberedUpload(nameOfUpload(file, 2), storage, 0)).toBe('upload/resumable/2');
  expect(rememberedUpload(nameOfUpload({ ...file, size: 8 }, undefined), storage, 0)).toBeUndefined();
  expect(rememberedUpload(name, storage, DAY)).toBeUndefined();
  rememberUpload(name, undefined, storage, 0);
  expect(rememberedUpload(name, storage, 0)).toBeUndefined();
});

it('what else is stored there is ignored, and the list is bounded', () => {
  for (const text of ['{', '{}', '[1, null, {"name":1}]']) {
    expect(rememberedUpload('x', storageOf(text))).toBeUndefined();
  }
  const storage = storageOf();
  for (let one = 0; one < 30; one += 1) rememberUpload(String(one), 'p', storage, 0);
  expect(JSON.parse(storage.getItem('content-gen.uploads') ?? '')).toHaveLength(20);
});
