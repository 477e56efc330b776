import type { Plugin } from 'vite';
import { managementRouter } from '../../contract/router.ts';

/** The module that the dashboard imports; `clients/dashboard/api/virtual-routes.d.ts` has its type. */
const name = 'virtual:routes';

/**
 * Gives the dashboard the method and path of every management operation, `GET /api/…`, without the schemas: the service
 * validates requests, and the schemas would be a third of the script.
 */
export function listRoutes(): Plugin {
  return {
    name: 'list-routes',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) =>
      id === `\0${name}` ? `export const routes = ${JSON.stringify(routesOf(managementRouter))};` : undefined,
  };
}

type Tree = { readonly [name: string]: string | Tree };

function routesOf(router: object): Tree {
  return Object.fromEntries(
    Object.entries(router).map(([key, each]: [string, { method?: unknown; path?: unknown }]) => {
      const { method, path } = each;
      return [key, typeof method === 'string' && typeof path === 'string' ? `${method} ${path}` : routesOf(each)];
    }),
  );
}
