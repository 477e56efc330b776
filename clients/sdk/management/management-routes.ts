import { managementRouter } from '@tollfree/contract/router';
import { type ApiFetcherArgs, type InitClientReturn, initClient } from '@ts-rest/core';
import type { createManagementFetcher, GetBody } from './management-fetcher.ts';

type Fetcher = ReturnType<typeof createManagementFetcher>;
type RouteArgs = {
  baseUrl: string;
  baseHeaders: { authtoken: string };
  api: (call: ApiFetcherArgs & GetBody) => ReturnType<Fetcher>;
};

/** The contract's routes, bound to a service and an account. */
export type ManagementRoutes = InitClientReturn<typeof managementRouter, RouteArgs>;

export function bindRoutes(parts: { baseUrl: string; authToken: string; fetcher: Fetcher }): ManagementRoutes {
  return initClient<typeof managementRouter, RouteArgs>(managementRouter, {
    baseUrl: parts.baseUrl,
    baseHeaders: { authtoken: parts.authToken },
    api: (call: ApiFetcherArgs & GetBody) => parts.fetcher(call),
  });
}

/** The routes of a connection: what `connectManagement` put there. */
export function routesOf({ routes }: { readonly routes: unknown }): ManagementRoutes {
  return routes as ManagementRoutes;
}
