/** The documentation of a server: `/openapi.json`, `/docs`, and in development `/`. */
import type { Feature } from '../../http/feature.ts';
import { serveDocs } from './serve-docs.ts';

/** Pages are no routes of the API: nobody needs a permission, and they are there as a whole or not at all. */
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
