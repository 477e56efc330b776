import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { HomePage } from './pages/home/home-page.tsx';
import { NotFoundPage } from './pages/not-found-page.tsx';
import { PaymasterFrame } from './shell/paymaster-frame.tsx';
import { Root } from './shell/root.tsx';

const rootRoute = createRootRoute({ component: Root, notFoundComponent: NotFoundPage });
const paymasterRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/paymasters/$paymasterId',
  component: PaymasterFrame,
});

const routeTree = rootRoute.addChildren([
  createRoute({ getParentRoute: () => rootRoute, path: '/', component: HomePage }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/account',
    component: lazyRouteComponent(() => import('./pages/account/account-page.tsx'), 'AccountPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/members',
    component: lazyRouteComponent(() => import('./pages/members/members-page.tsx'), 'MembersPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/audit-log',
    component: lazyRouteComponent(() => import('./pages/audit-log/audit-log-page.tsx'), 'AuditLogPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/paymasters',
    component: lazyRouteComponent(() => import('./pages/paymasters/paymasters-page.tsx'), 'PaymastersPage'),
  }),
  paymasterRoute.addChildren([
    createRoute({
      getParentRoute: () => paymasterRoute,
      path: '/',
      component: lazyRouteComponent(() => import('./pages/paymasters/connect-page.tsx'), 'ConnectPage'),
    }),
    createRoute({
      getParentRoute: () => paymasterRoute,
      path: '/api-keys',
      component: lazyRouteComponent(() => import('./pages/api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
    }),
    createRoute({
      getParentRoute: () => paymasterRoute,
      path: '/contracts',
      component: lazyRouteComponent(() => import('./pages/contracts/contracts-page.tsx'), 'ContractsPage'),
    }),
    createRoute({
      getParentRoute: () => paymasterRoute,
      path: '/tickets',
      component: lazyRouteComponent(() => import('./pages/tickets/tickets-page.tsx'), 'TicketsPage'),
    }),
    createRoute({
      getParentRoute: () => paymasterRoute,
      path: '/webhooks',
      component: lazyRouteComponent(() => import('./pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
    }),
    createRoute({
      getParentRoute: () => paymasterRoute,
      path: '/gas-tank',
      component: lazyRouteComponent(() => import('./pages/gas-tank/gas-tank-page.tsx'), 'GasTankPage'),
    }),
    createRoute({
      getParentRoute: () => paymasterRoute,
      path: '/statement',
      component: lazyRouteComponent(() => import('./pages/statement/statement-page.tsx'), 'StatementPage'),
    }),
    createRoute({
      getParentRoute: () => paymasterRoute,
      path: '/activity',
      component: lazyRouteComponent(() => import('./pages/activity/activity-page.tsx'), 'ActivityPage'),
    }),
    createRoute({
      getParentRoute: () => paymasterRoute,
      path: '/activity/$decisionId',
      component: lazyRouteComponent(() => import('./pages/activity/decision-page.tsx'), 'DecisionPage'),
    }),
    createRoute({
      getParentRoute: () => paymasterRoute,
      path: '/usage',
      component: lazyRouteComponent(() => import('./pages/usage/usage-page.tsx'), 'UsagePage'),
    }),
    createRoute({
      getParentRoute: () => paymasterRoute,
      path: '/policy',
      component: lazyRouteComponent(() => import('./pages/policy/policy-page.tsx'), 'PolicyPage'),
    }),
    createRoute({
      getParentRoute: () => paymasterRoute,
      path: '/policies',
      component: lazyRouteComponent(
        () => import('./pages/named-policies/named-policies-page.tsx'),
        'NamedPoliciesPage',
      ),
    }),
    createRoute({
      getParentRoute: () => paymasterRoute,
      path: '/policies/$policyId',
      component: lazyRouteComponent(() => import('./pages/named-policies/named-policy-page.tsx'), 'NamedPolicyPage'),
    }),
    createRoute({
      getParentRoute: () => paymasterRoute,
      path: '/settings',
      component: lazyRouteComponent(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
    }),
  ]),
]);

/** The pages below `/dashboard`. No address holds more than an id. */
export const router = createRouter({ routeTree, basepath: '/dashboard', scrollRestoration: false });

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
