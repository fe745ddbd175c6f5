import { expect, it } from 'vitest';
import type { Attributes, Model } from '../model/model.ts';
import { ModelIndex } from '../model/model-context.tsx';
import type { LoadedEntry } from './load-entry.ts';
import { createOutcome, MAX_COMPARED, updateOutcome } from './outcome.ts';
import type { Attempt } from './save-entry.ts';

const attributes: Attributes = {
  title: { type: 'string' },
  text: { type: 'text' },
  mood: { type: 'enumeration', enum: ['calm', 'wild'], default: 'calm' },
  secret: { type: 'password' },
};
const comparison = {
  type: { attributes },
  index: new ModelIndex({ types: [], components: [] } as unknown as Model),
};

/** A save of these values, based on a version. */
function attempt(values: Record<string, unknown>, base?: string): Attempt {
  const all = { title: null, text: null, mood: 'calm', ...values };
  return { values: all, data: values, publication: 'as-it-is', ...(base !== undefined && { base: `W/"${base}.x"` }) };
}

function entry(values: Record<string, unknown>, version = '1', id = 1): LoadedEntry {
  const all = { title: null, text: null, mood: 'calm', ...values };
  return { id, values: all, etag: `"${version}"`, otherLocales: [] } as unknown as LoadedEntry;
}

const update = (attempts: readonly Attempt[], now: LoadedEntry | null) => updateOutcome(attempts, now, comparison);
const create = (attempts: readonly Attempt[], entries: readonly LoadedEntry[]) =>
  createOutcome(attempts, entries, comparison);

it('an update was stored if there is another version with its values', () => {
  const [first, second] = [attempt({ title: 'a' }, '1'), attempt({ title: 'b' }, '1')];
  expect(update([first, second], entry({ title: 'a' }, '2'))).toMatchObject({ kind: 'saved', attempt: first });
  expect(update([first, second], entry({ title: 'b' }, '2'))).toMatchObject({ kind: 'saved', attempt: second });
  const third = attempt({ title: 'b', text: 'long' }, '1');
  expect(update([second, third], entry({ title: 'b', text: 'long' }, '2'))).toMatchObject({ attempt: third });
  expect(update([first], entry({ title: 'a' }, '1'))).toEqual({ kind: 'not-saved' });
  expect(update([first], entry({ title: 'theirs' }, '2'))).toEqual({ kind: 'changed' });
  expect(update([first], null)).toEqual({ kind: 'not-saved' });
});

it('an update of a value that nobody can read was stored only if nothing else has changed', () => {
  const one = { ...attempt({ secret: 'x' }, '1'), values: { title: 'a', text: null, mood: 'calm', secret: 'x' } };
  expect(update([one], entry({ title: 'a' }, '2'))).toMatchObject({ kind: 'saved' });
  expect(update([one], entry({ title: 'theirs' }, '2'))).toEqual({ kind: 'changed' });
});

it('an update that publishes was stored if the entry is published at that time', () => {
  const publishedAt = '2024-05-01T08:00:00.000Z';
  const one = attempt({ publishedAt }, '1');
  const at = (time: string) => ({ ...entry({}, '2'), publishedAt: time });
  expect(update([one], at(publishedAt))).toMatchObject({ kind: 'saved' });
  expect(update([one], at('2024-05-01T08:00:01.000Z'))).toEqual({ kind: 'changed' });
});

it('an entry was created if exactly one new entry has the values', () => {
  const one = attempt({ title: 'a', text: 'long' });
  const own = entry({ title: 'a', text: 'long' }, '1', 5);
  const other = entry({ title: 'x', text: 'y' }, '1', 6);
  expect(create([one], [other, own])).toEqual({ kind: 'saved', attempt: one, saved: { id: 5 } });
  expect(create([one], [own, { ...own, id: 7 }])).toEqual({ kind: 'unclear' });
  expect(create([one], [])).toEqual({ kind: 'not-saved' });
  expect(create([one], [other])).toEqual({ kind: 'not-saved' });
});

it('a new entry that a hook may have changed, or that has only defaults, proves nothing', () => {
  const one = attempt({ title: 'a', text: 'long' });
  expect(create([one], [entry({ title: 'A', text: 'long' })])).toEqual({ kind: 'unclear' });
  expect(create([attempt({ title: 'a' })], [entry({ title: 'b' })])).toEqual({ kind: 'unclear' });
  expect(create([attempt({ title: 'a', mood: 'wild' })], [entry({ title: 'b' })])).toEqual({ kind: 'unclear' });
  expect(create([attempt({ mood: 'calm' })], [entry({})])).toEqual({ kind: 'unclear' });
  const others = Array.from({ length: MAX_COMPARED }, (_, at) => entry({ title: `${at}`, text: 'y' }, '1', at));
  expect(create([one], others)).toEqual({ kind: 'unclear' });
});
