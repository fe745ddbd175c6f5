/**
 * Health checks for load balancers and supervisors. They are handled before authentication, and are not part of the API: neither
 * openapi.json nor the permission matrix has them.
 */
import { routeTable } from './route.ts';

export const HEALTH_ROUTES = routeTable([
  {
    id: 'health',
    method: 'GET',
    path: '/_health',
    tag: 'health',
    summary: 'Check whether the process is alive',
    answers: [{ status: 204 }],
    probe: 204,
  },
  {
    id: 'ready',
    method: 'GET',
    path: '/_ready',
    tag: 'health',
    summary: 'Check whether the server is ready for requests',
    answers: [{ status: 204 }],
    probe: 204,
  },
]);
