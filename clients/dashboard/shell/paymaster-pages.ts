/** The pages of a paymaster, in the order in which they are needed. */
export const paymasterPages = [
  { to: '/paymasters/$paymasterId', text: 'Connect', exact: true },
  { to: '/paymasters/$paymasterId/api-keys', text: 'apiKeys', exact: false },
  { to: '/paymasters/$paymasterId/contracts', text: 'Contracts', exact: false },
  { to: '/paymasters/$paymasterId/gas-tank', text: 'Gas tank', exact: false },
  { to: '/paymasters/$paymasterId/activity', text: 'Activity', exact: false },
  { to: '/paymasters/$paymasterId/usage', text: 'Usage', exact: false },
  { to: '/paymasters/$paymasterId/statement', text: 'Statement', exact: false },
  { to: '/paymasters/$paymasterId/policy', text: 'Policy', exact: false },
  { to: '/paymasters/$paymasterId/policies', text: 'Named policies', exact: false },
  { to: '/paymasters/$paymasterId/tickets', text: 'Tickets', exact: false },
  { to: '/paymasters/$paymasterId/webhooks', text: 'Webhooks', exact: false },
  { to: '/paymasters/$paymasterId/settings', text: 'Settings', exact: false },
] as const;
