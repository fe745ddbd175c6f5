import { describe, expect, it } from 'vitest';
import type { Model } from '../model/model.ts';
import { ModelIndex } from '../model/model-context.tsx';
import type { ApiRequest } from '../rest/api-request.ts';
import { clientLineOf } from './client-line.ts';
import { curlOf } from './curl.ts';
import { v5RequestOf } from './v5-request.ts';

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
      attributes: {
        title: { type: 'string' },
        about: { type: 'relation', relation: 'morphToMany', multiple: true, targets: ['story', 'tag'] },
        tags: { type: 'relation', relation: 'manyWay', multiple: true, target: 'tag' },
        parts: { type: 'dynamiczone', components: ['part.card'] },
      },
    },
    {
      uid: 'front-page',
      name: 'api::front-page.front-page',
      kind: 'single',
      endpoint: '/api/front-page',
      singular: 'front-page',
      plural: 'front-pages',
      displayName: 'Front page',
      mainField: 'id',
      columns: [],
      draftAndPublish: true,
      localized: false,
      attributes: {},
    },
  ],
  components: [
    {
      uid: 'part.card',
      displayName: 'Card',
      attributes: { about: { type: 'relation', relation: 'morphToOne', multiple: false, targets: ['story', 'tag'] } },
    },
  ],
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

it('shows the precondition of a change, also where no version is known', () => {
  const index = new ModelIndex(MODEL);
  const change = { method: 'PUT', path: 'stories/7', body: { data: { title: 'x' } }, ifMatch: '"3-a"' } as const;
  expect(clientLineOf(change, index)).toBe(`await api.stories.update(7, { title: 'x' }, {}, { ifMatch: '"3-a"' });`);
  expect(curlOf(change, ORIGIN)).toContain(`-H 'If-Match: "3-a"'`);
  const deletion = { method: 'DELETE', path: 'stories/7' } as const;
  expect(clientLineOf(deletion, index)).toBe(`await api.stories.delete(7, {}, { ifMatch: '*' });`);
  expect(curlOf(deletion, ORIGIN)).toContain(`-H 'If-Match: *'`);
  const first = { ...change, path: 'front-page', ifMatch: undefined, isNew: true };
  expect(clientLineOf(first, index)).toBe(`await api.frontPage.save({ title: 'x' }, {}, { ifNoneMatch: '*' });`);
  expect(curlOf(first, ORIGIN)).toContain(`-H 'If-None-Match: *'`);
});

describe('in the v5 format', () => {
  const index = new ModelIndex(MODEL);
  const inV5 = (request: ApiRequest) =>
    v5RequestOf(request, index, ({ type, id }) => ({
      documentId: `${type.uid}-${id}`,
      locale: type.localized ? 'fr' : undefined,
    }));
  const preview = { publicationState: 'preview' };
  const put = { method: 'PUT', path: 'stories/7', query: { fields: ['id'], ...preview } } as const;
  const written = { method: 'PUT', path: 'stories/story-7', query: { fields: ['id'], locale: 'fr' } } as const;

  it('names an entry by document id and locale, and drafts by status', () => {
    expect(inV5({ path: 'stories', query: { ...preview, locale: 'all', sort: 'id' } })).toEqual({
      path: 'stories',
      query: { status: 'draft', locale: '*', sort: 'id' },
    });
    expect(inV5({ path: 'stories/7', query: preview })).toEqual({
      path: 'stories/story-7',
      query: { status: 'draft', locale: 'fr' },
    });
    expect(inV5({ method: 'DELETE', path: 'stories/7' })).toMatchObject({
      path: 'stories/story-7',
      query: { locale: 'fr' },
    });
  });

  it('writes a draft with its status, and publishes without one', () => {
    const title = { title: 'x' };
    const body = { data: title };
    const draft = { ...written, query: { ...written.query, status: 'draft' }, body };
    expect(inV5({ ...put, query: { ...put.query, status: 'draft' }, body, ifMatch: '"3-a"' })).toMatchObject({
      ...draft,
      ifMatch: '"3-a"',
    });
    expect(inV5({ ...put, body })).toEqual({ ...written, body });
    expect(inV5({ ...put, body: { data: { ...title, publishedAt: '2026-01-01' } } })).toMatchObject({
      ...written,
      body,
    });
    const posted = { ...title, locale: 'de', publishedAt: null };
    const made = { query: { locale: 'de', status: 'draft' }, body };
    expect(inV5({ method: 'POST', path: 'stories', body: { data: posted } })).toEqual({
      method: 'POST',
      path: 'stories',
      ...made,
    });
    expect(inV5({ method: 'POST', path: 'stories/7/localizations', body: posted })).toEqual({
      method: 'PUT',
      path: 'stories/story-7',
      isNew: true,
      ...made,
    });
  });

  it('unpublishes by an action, if nothing else is changed', () => {
    const body = { data: { publishedAt: null } };
    const action = { method: 'POST', query: { status: 'draft' }, ifMatch: '"3-a"' };
    expect(inV5({ ...put, ifMatch: '"3-a"', body })).toEqual({
      ...action,
      path: 'stories/story-7/actions/unpublish',
      query: { ...written.query, status: 'draft' },
    });
    expect(inV5({ ...put, path: 'front-page', ifMatch: '"3-a"', body })).toEqual({
      ...action,
      path: 'front-page/actions/unpublish',
      query: { fields: ['id'], status: 'draft' },
    });
    expect(inV5({ ...put, body: { data: { ...body.data, title: 'x' } } })).toBeUndefined();
  });

  it('discards drafts by document id', () => {
    const query = { publicationState: 'preview' };
    expect(inV5({ method: 'POST', path: 'stories/7/actions/discard-draft', query })).toMatchObject({
      path: 'stories/story-7/actions/discard-draft',
      query: { status: 'draft', locale: 'fr' },
    });
    expect(inV5({ method: 'POST', path: 'front-page/actions/discard-draft' })).toMatchObject({
      path: 'front-page/actions/discard-draft',
    });
  });

  it('creates the draft of a single type', () => {
    const body = { data: { publishedAt: null } };
    expect(inV5({ ...put, path: 'front-page', body, isNew: true })).toMatchObject({
      path: 'front-page',
      query: { status: 'draft' },
      body: { data: {} },
    });
  });

  it('names types in relations to several ones, at any depth, and leaves ids of others', () => {
    const tags = { connect: [{ id: 3, position: { after: 5 } }], disconnect: [{ id: 4 }] };
    const of = (type: string) => ({
      tags,
      about: { connect: [{ id: 3, [type]: 'tag', position: { after: { id: 1, [type]: 'story' } } }] },
      parts: [
        { id: 8, __component: 'part.card', about: { id: 2, [type]: 'tag' } },
        { __component: 'part.card', about: null },
      ],
    });
    expect(inV5({ ...put, body: { data: of('type') } })?.body).toEqual({ data: of('__type') });
  });

  it('leaves requests that are the same in both formats', () => {
    const body = { username: 'ada', role: 1 };
    for (const path of ['users/7', 'users-permissions/roles/1', 'upload/files/3/uses', 'admin/model']) {
      expect(inV5({ method: 'PUT', path, body })).toEqual({ method: 'PUT', path, body });
    }
    expect(inV5({ path: 'stories', query: { fields: ['documentId'] }, format: 'v5' })).toEqual({
      path: 'stories',
      query: { fields: ['documentId'] },
    });
  });
});
