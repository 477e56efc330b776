/** Where the documents answer what a page leaves open: a path below `/docs`, with the heading there. */
export const docLinks = {
  account: { text: 'About signing in', path: 'reference/management#sign-in' },
  apiKeys: { text: 'About API keys', path: 'reference/management#apikeys' },
  auditLog: { text: 'About the audit log', path: 'reference/management#audit-log' },
  budgets: { text: 'About budgets', path: 'limits#bound-all-paymasters-together' },
  connect: { text: 'Other clients', path: 'clients' },
  contracts: { text: 'About sponsored calls', path: 'start#3-say-what-you-pay-for' },
  countedLimits: { text: 'What counts', path: 'limits#what-counts' },
  emptyTank: { text: 'How to fill it', path: 'gas-tank#fill-it' },
  gasTank: { text: 'About gas tanks', path: 'gas-tank' },
  limits: { text: 'Which limit stops whom', path: 'limits#which-bound-stops-whom' },
  members: { text: 'What each role may do', path: 'reference/management#members' },
  namedPolicies: { text: 'About named policies', path: 'reference/policies#policies-that-requests-choose' },
  notifications: { text: 'About notifications', path: 'notifications' },
  operator: { text: 'About this page', path: 'dashboard#the-operators-page' },
  pause: { text: 'About pausing and retiring', path: 'reference/management#pause-and-retire' },
  refusals: { text: 'All refusals', path: 'refusals#reasons' },
  relayTank: { text: 'About relaying', path: 'relay#fill-the-tank' },
  scopes: { text: 'What each scope allows', path: 'reference/management#scopes' },
  statement: { text: 'When sums differ', path: 'operations#the-ledger-differs-from-the-chain' },
  tickets: { text: 'About tickets', path: 'tickets' },
  usage: { text: 'How usage is counted', path: 'reference/management#decisions-and-usage' },
  webhookOutage: { text: 'About outages', path: 'webhooks#outages' },
  webhooks: { text: 'About webhooks', path: 'webhooks' },
  withdrawal: { text: 'About withdrawals', path: 'gas-tank#withdraw-the-deposit' },
} as const satisfies Readonly<Record<string, { readonly text: string; readonly path: string }>>;

export type DocLinkName = keyof typeof docLinks;

/** Where the documents explain a refusal's reason. */
export function refusalPath(reason: string): string {
  return `refusals#${reason.toLowerCase()}`;
}
