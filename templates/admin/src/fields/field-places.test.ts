import { describe, expect, it } from 'vitest';
import { fieldPlaces } from './field-places.ts';

describe('the places of fields', () => {
  it("are rows in the schema's order without a layout", () => {
    expect(fieldPlaces(['a', 'b'], undefined)).toEqual({ rows: [['a'], ['b']], tabs: [], sidebar: [] });
  });

  it('have each field once, those that are left out at the end, and no empty rows or tabs', () => {
    const layout = {
      rows: [['title', 'slug'], ['hidden']],
      tabs: [
        { tab: 'SEO', rows: [['seo'], ['hidden']] },
        { tab: 'Secret', rows: [['hidden']] },
      ],
      sidebar: ['status', 'hidden'],
    };
    expect(fieldPlaces(['status', 'body', 'seo', 'slug', 'title', 'late'], layout)).toEqual({
      rows: [['title', 'slug'], ['body'], ['late']],
      tabs: [{ name: 'SEO', rows: [['seo']] }],
      sidebar: ['status'],
    });
  });
});
