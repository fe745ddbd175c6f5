import { expect, it } from 'vitest';
import { acceptOf, isAllowed } from './allowed-files.ts';

it('knows the kinds of files, and leaves types that the browser does not know to the server', () => {
  expect([[], ['images', 'audios'], ['images', 'files']].map(acceptOf)).toEqual([
    undefined,
    'image/*,audio/*',
    undefined,
  ]);
  const types = ['image/svg+xml', 'audio/ogg', 'application/pdf', ''];
  expect(types.filter((type) => isAllowed({ type }, ['images']))).toEqual(['image/svg+xml', '']);
  expect(types.filter((type) => isAllowed({ type }, ['files']))).toEqual(['application/pdf', '']);
  expect(types.filter((type) => isAllowed({ type }, []))).toEqual(types);
});
