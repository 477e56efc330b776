import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { readActivitySearch } from './pages/activity/activity-search.ts';
import { readAuditLogSearch } from './pages/audit-log/audit-log-search.ts';
import { readStatementSearch } from './pages/statement/statement-search.ts';
import { readUsageSearch } from './pages/usage/usage-search.ts';
import { Loading } from './parts/loaded.tsx';
import { ErrorPage, NotFoundPage } from './shell/error-page.tsx';
import { PaymasterFrame } from './shell/paymaster-frame.tsx';
import { Root } from './shell/root.tsx';

const rootRoute = createRootRoute({ component: Root, notFoundComponent: NotFoundPage });
const paymasterRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/paymasters/$paymasterId',
  component: PaymasterFrame,
});

/** The playground's initial request. */
function readDecision({ decision }: Readonly<Record<string, unknown>>): { readonly decision?: string } {
  return typeof decision === 'string' && /^[\da-f-]{36}$/.test(decision) ? { decision } : {};
}

const routeTree = rootRoute.addChildren([
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/',
    component: lazyRouteComponent(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/account',
    component: lazyRouteComponent(() => import('./pages/account/account-page.tsx'), 'AccountPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/budgets',
    component: lazyRouteComponent(() => import('./pages/budgets/budgets-page.tsx'), 'BudgetsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/members',
    component: lazyRouteComponent(() => import('./pages/members/members-page.tsx'), 'MembersPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/audit-log',
    validateSearch: readAuditLogSearch,
    component: lazyRouteComponent(() => import('./pages/audit-log/audit-log-page.tsx'), 'AuditLogPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/operator',
    component: lazyRouteComponent(() => import('./pages/operator/operator-page.tsx'), 'OperatorPage'),
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
      path: '/playground',
      validateSearch: readDecision,
      component: lazyRouteComponent(() => import('./pages/playground/playground-page.tsx'), 'PlaygroundPage'),
    }),
    createRoute({
      getParentRoute: () => paymasterRoute,
      path: '/notifications',
      component: lazyRouteComponent(() => import('./pages/notifications/notifications-page.tsx'), 'NotificationsPage'),
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
      validateSearch: readStatementSearch,
      component: lazyRouteComponent(() => import('./pages/statement/statement-page.tsx'), 'StatementPage'),
    }),
    createRoute({
      getParentRoute: () => paymasterRoute,
      path: '/activity/',
      validateSearch: readActivitySearch,
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
      validateSearch: readUsageSearch,
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

/**
 * The pages below `/dashboard`. URLs only contain ids and filters. A page is preloaded when the pointer approaches its link.
 */
export const router = createRouter({
  routeTree,
  basepath: '/dashboard',
  scrollRestoration: false,
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  defaultErrorComponent: ErrorPage,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
