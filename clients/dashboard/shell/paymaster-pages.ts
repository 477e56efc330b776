import type { IconName } from '../parts/icon-paths.ts';

type PageEntry = { readonly to: string; readonly text: string; readonly icon: IconName };

/** Account pages, which need no paymaster. */
const accountPages = {
  budgets: { to: '/budgets', text: 'Budgets', icon: 'budget' },
  auditLog: { to: '/audit-log', text: 'Audit log', icon: 'log' },
  paymasters: { to: '/paymasters', text: 'Paymasters', icon: 'list' },
  members: { to: '/members', text: 'Members', icon: 'members' },
  account: { to: '/account', text: 'Account', icon: 'account' },
  operator: { to: '/operator', text: 'Operator', icon: 'operator' },
} as const satisfies Readonly<Record<string, PageEntry>>;

/** The path of a paymaster's page. */
const of = <const Rest extends string>(rest: Rest) => `/paymasters/$paymasterId${rest}` as const;

/** The menu. A group with an empty title has no heading. */
export const pageGroups = [
  {
    title: '',
    pages: [
      { to: '/', text: 'Overview', icon: 'overview' },
      { to: of('/activity'), text: 'Activity', icon: 'activity' },
      { to: of('/usage'), text: 'Usage', icon: 'usage' },
    ],
  },
  {
    title: 'Rules',
    pages: [
      { to: of('/contracts'), text: 'Contracts', icon: 'contract' },
      { to: of('/policy'), text: 'Policy', icon: 'policy' },
      { to: of('/policies'), text: 'Named policies', icon: 'policies' },
      { to: of('/tickets'), text: 'Tickets', icon: 'ticket' },
      { to: of('/webhooks'), text: 'Webhooks', icon: 'webhook' },
    ],
  },
  {
    title: 'Money',
    pages: [
      { to: of('/gas-tank'), text: 'Gas tank', icon: 'tank' },
      { to: of('/statement'), text: 'Statement', icon: 'statement' },
      accountPages.budgets,
    ],
  },
  {
    title: 'Developers',
    pages: [
      { to: of(''), text: 'Connect', icon: 'connect' },
      { to: of('/playground'), text: 'Playground', icon: 'play' },
      { to: of('/api-keys'), text: 'API keys', icon: 'key' },
      { to: of('/notifications'), text: 'Notifications', icon: 'bell' },
      accountPages.auditLog,
    ],
  },
  {
    title: 'Settings',
    pages: [
      { to: of('/settings'), text: 'Settings', icon: 'settings' },
      accountPages.paymasters,
      accountPages.members,
      accountPages.account,
      accountPages.operator,
    ],
  },
] as const satisfies readonly { readonly title: string; readonly pages: readonly PageEntry[] }[];

/** The menu's viewer, and the selected paymaster. */
type Viewer = { readonly hasPaymaster: boolean; readonly isOperator: boolean };

/** Whether a page is in the menu. */
export function isShown(to: string, { hasPaymaster, isOperator }: Viewer): boolean {
  return to === accountPages.operator.to ? isOperator : hasPaymaster || !isOfPaymaster(to);
}

/** Whether a page is about one paymaster. */
export function isOfPaymaster(to: string): boolean {
  return to.includes('$paymasterId');
}
