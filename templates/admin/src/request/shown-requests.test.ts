import { expect, it } from 'vitest';
import type { Model } from '../model/model.ts';
import { ModelIndex } from '../model/model-context.tsx';
import { clientLineOf } from './client-line.ts';
import { curlOf } from './curl.ts';

const ORIGIN = 'https://example.org';

const MODEL: Model = {
  name: 'test',
  types: [
    {
      uid: 'story',
      name: 'api::story.story',
      kind: 'collection',
      endpoint: '/api/stories',
      singular: 'story',
      plural: 'stories',
      displayName: 'Story',
      mainField: 'title',
      columns: [],
      draftAndPublish: true,
      localized: true,
      attributes: { title: { type: 'string' } },
    },
  ],
  components: [],
  format: 'v4',
  documentIds: false,
};

it('encodes the URL of a curl command', () => {
  const query = { filters: { title: { $containsi: 'über 50% of "it\'s"' } } };
  expect(curlOf({ path: 'stories', query }, ORIGIN)).toContain(
    `'${ORIGIN}/api/stories?filters[title][$containsi]=%C3%BCber%2050%25%20of%20%22it'\\''s%22'`,
  );
});

it('sends the fields of a form as they are, and files by name', () => {
  const body = new FormData();
  body.append('fileInfo', `{"caption":"it's"}`);
  const texts = curlOf({ method: 'POST', path: 'upload', query: { id: 3 }, body }, ORIGIN);
  expect(texts).toContain(`--form-string 'fileInfo={"caption":"it'\\''s"}'`);
  expect(texts).not.toContain('FILE');
  body.append('files', new File(['x'], 'x.txt'));
  expect(curlOf({ method: 'POST', path: 'upload', body }, ORIGIN)).toContain('-F files=@FILE');
});

it('names the version that a call of the client changes', () => {
  const change = { method: 'PUT', path: 'stories/7', body: { data: { title: 'x' } }, ifMatch: '"3-a"' } as const;
  const index = new ModelIndex(MODEL);
  expect(clientLineOf(change, index)).toBe(`await api.stories.update(7, { title: 'x' }, {}, { ifMatch: '"3-a"' });`);
});
