/** The documentation of a server: `/openapi.json`, `/docs`, and, in development, the home page `/`. */
import type { Feature } from '../../http/feature.ts';
import { serveDocs } from './serve-docs.ts';

/** Served by middleware, not API routes: no permissions apply, and all pages are enabled or disabled together. */
export const docs: Feature<{ readonly production: boolean }> = {
  name: 'docs',
  routes: [],
  async start({ definition, settings, describe }) {
    const { name, contentTypes, roles, admin } = definition;
    const described = { name, contentTypes, open: new Set(roles['public']), hasAdmin: admin !== undefined };
    return {
      mounts: [],
      middleware: { assets: serveDocs(described, { describe, hasHome: !settings.production }) },
    };
  },
};
