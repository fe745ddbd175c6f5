import { expect, test } from 'vitest';
import { misspelledVariables } from './misspelled-variables.ts';

const KNOWN = ['PORT', 'HOST', 'DATABASE_URL', 'UPLOAD_MAX_SIZE', 'UPLOAD_MAX_FILES'];

test('finds names in .env that differ from a setting by a letter or two, and no others', () => {
  const text = ['DATABSE_URL=sqlite:x', 'UPLOAD_MAXSIZE=1', 'UPLOAD_MAX_FILES=2', '# DATABASE_URI=x'].join('\n');
  expect(misspelledVariables(text, KNOWN)).toEqual([
    'DATABSE_URL in .env is not a setting of this server; did you mean DATABASE_URL?',
    'UPLOAD_MAXSIZE in .env is not a setting of this server; did you mean UPLOAD_MAX_SIZE?',
  ]);
  expect(misspelledVariables('POST=1\nMY_DATABASE_URL=x\nSHOP_API_KEY=y\n', KNOWN)).toEqual([]);
});
