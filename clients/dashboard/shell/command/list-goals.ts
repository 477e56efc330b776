import type { NamedPolicyItem } from '@tollfree/contract/named-policy';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import type { SmartContractItem } from '@tollfree/contract/smart-contract';
import type { IconName } from '../../parts/icon-paths.ts';
import { chainLabel } from '../../parts/text/chain-name.ts';
import { counted } from '../../parts/text/counted.ts';
import { isOfPaymaster, isShown, pageGroups } from '../paymaster-pages.ts';

/** The groups of results, in their order. */
export const goalGroups = ['Found', 'Do', 'Pages', 'Contracts', 'Policies', 'Paymasters', 'Documentation'] as const;

/** A navigation target. */
export type Goal = {
  readonly key: string;
  readonly group: (typeof goalGroups)[number];
  readonly text: string;
  readonly note: string;
  readonly icon: IconName;
  /** Other words that people use for it. */
  readonly words?: string;
  readonly target: Target;
};

type Target =
  | {
      readonly to: string;
      readonly params?: Readonly<Record<string, string>>;
      readonly search?: Readonly<Record<string, string>>;
    }
  /** A page of the documentation. */
  | { readonly href: string };

type Action = {
  readonly text: string;
  readonly note: string;
  readonly icon: IconName;
  readonly words: string;
  readonly to: string;
};

const of = (rest: string) => `/paymasters/$paymasterId${rest}`;

/** What people come to do, and the page on which they do it. */
const actions: readonly Action[] = [
  {
    text: 'Pause',
    note: 'Refuses everything until you resume it',
    icon: 'settings',
    words: 'stop emergency halt disable kill switch off resume',
    to: of('/settings'),
  },
  {
    text: 'Fill the gas tank',
    note: 'Deposit from the funding wallet',
    icon: 'tank',
    words: 'top up deposit fund money balance refill pay in',
    to: of('/gas-tank'),
  },
  {
    text: 'Withdraw from the gas tank',
    note: 'To the funding wallet',
    icon: 'tank',
    words: 'payout pay out cash out take back refund money',
    to: of('/gas-tank'),
  },
  {
    text: 'Limit what all spend together',
    note: 'Policy',
    icon: 'policy',
    words: 'total cap daily maximum spending bound stranger',
    to: of('/policy'),
  },
  {
    text: 'Limit each sender',
    note: 'Policy',
    icon: 'policy',
    words: 'user quota cap per wallet rate',
    to: of('/policy'),
  },
  {
    text: 'Block a sender',
    note: 'Policy',
    icon: 'policy',
    words: 'ban deny blacklist blocklist allowlist user abuse',
    to: of('/policy'),
  },
  {
    text: 'Sponsor a contract or method',
    note: 'Contracts',
    icon: 'contract',
    words: 'whitelist allow register add abi pay for',
    to: of('/contracts'),
  },
  {
    text: 'Invite a member',
    note: 'Owner, manager or viewer',
    icon: 'members',
    words: 'team colleague user add access role person',
    to: '/members',
  },
  {
    text: 'New API key',
    note: 'For one web page or server',
    icon: 'key',
    words: 'create token secret origin rotate replace leaked',
    to: of('/api-keys'),
  },
  {
    text: 'New authToken',
    note: 'For servers and the command line',
    icon: 'account',
    words: 'create token secret cli ci revoke',
    to: '/account',
  },
  {
    text: 'New paymaster',
    note: 'For another application or chain',
    icon: 'plus',
    words: 'create add app dapp chain',
    to: '/paymasters',
  },
  {
    text: 'Send notifications to a chat',
    note: 'Notifications',
    icon: 'bell',
    words: 'slack discord telegram pagerduty alert email warn low balance',
    to: of('/notifications'),
  },
  {
    text: 'Ask my server before each operation',
    note: 'Webhooks',
    icon: 'webhook',
    words: 'webhook callback approve decide hook',
    to: of('/webhooks'),
  },
  {
    text: 'See why something was refused',
    note: 'Activity',
    icon: 'activity',
    words: 'error failed rejected denied debug explain reason',
    to: of('/activity'),
  },
  {
    text: 'Copy the RPC URL and a program',
    note: 'Connect',
    icon: 'connect',
    words: 'endpoint code snippet sdk viem permissionless wagmi integrate start example',
    to: of(''),
  },
];

/** Words that people use for pages. */
const pageWords: Readonly<Record<string, string>> = {
  '/': 'home dashboard start summary',
  '/budgets': 'limit account cap monthly',
  '/audit-log': 'history changes who log',
  '/account': 'sign out session token profile wallet',
  '/operator': 'nodes chains health admin',
  [of('/activity')]: 'operations transactions requests history log',
  [of('/usage')]: 'analytics cost spending statistics csv report chart',
  [of('/contracts')]: 'whitelist abi methods',
  [of('/policy')]: 'rules limits',
  [of('/policies')]: 'campaign rules',
  [of('/tickets')]: 'jwt login signed users voucher',
  [of('/gas-tank')]: 'balance deposit funding wallet money',
  [of('/statement')]: 'invoice bill accounting bookkeeping month export csv',
  [of('/playground')]: 'try test simulate dry run',
  [of('/settings')]: 'rename retire delete pause',
};

/** What the goals lead to. */
export type Known = {
  readonly current: PaymasterItem | undefined;
  readonly paymasters: readonly PaymasterItem[];
  readonly contracts: readonly SmartContractItem[];
  readonly policies: readonly NamedPolicyItem[];
  /** Pages of the documentation. */
  readonly docs: readonly { readonly title: string; readonly href: string; readonly about: string }[];
  readonly isOperator: boolean;
};

/** Most results of one group while something is sought. */
const mostOfGroup = 6;

/**
 * Where a text may lead: actions, pages, contracts, policies, paymasters and the documentation, those that match best first. An
 * empty text gives actions and pages.
 */
export function listGoals(text: string, known: Known): readonly Goal[] {
  const sought = text.toLowerCase();
  if (sought === '') return [...actionGoals(known), ...pageGoals(known)];
  const all = [
    ...actionGoals(known),
    ...pageGoals(known),
    ...contractGoals(known),
    ...policyGoals(known),
    ...paymasterGoals(known),
    ...docGoals(known),
  ];
  const ranked = all
    .map((goal) => ({ goal, rank: rankOf(goal, sought) }))
    .filter(({ rank }) => rank > 0)
    .sort((one, other) => other.rank - one.rank);
  const groups = goalGroups.flatMap((group) => ranked.filter(({ goal }) => goal.group === group).slice(0, mostOfGroup));
  // The group with the best match comes first.
  const best = ranked[0]?.goal.group;
  const inOrder = [
    ...groups.filter(({ goal }) => goal.group === best),
    ...groups.filter(({ goal }) => goal.group !== best),
  ];
  return [...inOrder.map(({ goal }) => goal), searchDocs(text)];
}

/** How well a goal matches: the start of its name, the start of a word of it, a word that people use for it, or inside a word. */
function rankOf({ text, words = '' }: Goal, sought: string): number {
  const name = text.toLowerCase();
  if (name.startsWith(sought)) return 4;
  if (name.split(/[^\p{L}\d]+/u).some((word) => word.startsWith(sought))) return 3;
  if (` ${words}`.includes(` ${sought}`)) return 2;
  const parts = sought.split(/\s+/);
  if (parts.length > 1 && parts.every((part) => ` ${name} ${words}`.includes(` ${part}`))) return 2;
  return name.includes(sought) ? 1 : 0;
}

function actionGoals({ current }: Known): readonly Goal[] {
  return actions
    .filter(({ to }) => current !== undefined || !isOfPaymaster(to))
    .map(({ text, note, icon, words, to }) => ({
      key: `do ${text}`,
      group: 'Do',
      text: text === 'Pause' ? `Pause ${current?.name ?? ''}` : text,
      note,
      icon,
      words,
      target: { to, params: { paymasterId: current?.paymasterId ?? '' } },
    }));
}

function pageGoals({ current, isOperator }: Known): readonly Goal[] {
  return pageGroups.flatMap(({ title, pages }): readonly Goal[] =>
    pages
      .filter(({ to }) => isShown(to, { hasPaymaster: current !== undefined, isOperator }))
      .map(({ to, text, icon }) => ({
        key: to,
        group: 'Pages',
        text,
        note: isOfPaymaster(to) ? (current?.name ?? '') : title,
        icon,
        words: pageWords[to] ?? '',
        target: { to, params: { paymasterId: current?.paymasterId ?? '' } },
      })),
  );
}

function contractGoals({ contracts, current }: Known): readonly Goal[] {
  return contracts.map(({ address, name, whitelistedMethods }) => ({
    key: `contract ${address}`,
    group: 'Contracts',
    text: name,
    note: `${counted(whitelistedMethods.length, 'method')} sponsored`,
    icon: 'contract',
    words: whitelistedMethods.join(' ').toLowerCase(),
    target: { to: of('/contracts'), params: { paymasterId: current?.paymasterId ?? '' } },
  }));
}

function policyGoals({ policies, current }: Known): readonly Goal[] {
  return policies.map(({ policyId, name, enabled }) => ({
    key: policyId,
    group: 'Policies',
    text: name,
    note: enabled ? 'Open' : 'Closed',
    icon: 'policies',
    words: policyId,
    target: { to: of('/policies/$policyId'), params: { paymasterId: current?.paymasterId ?? '', policyId } },
  }));
}

function paymasterGoals({ paymasters }: Known): readonly Goal[] {
  return paymasters.map(({ paymasterId, name, chainId }) => ({
    key: paymasterId,
    group: 'Paymasters',
    text: name,
    note: chainLabel(chainId),
    icon: 'list',
    words: paymasterId,
    target: { to: of('/activity'), params: { paymasterId } },
  }));
}

function docGoals({ docs }: Known): readonly Goal[] {
  return docs.map(({ title, href, about }) => ({
    key: href,
    group: 'Documentation',
    text: title,
    note: '',
    icon: 'book',
    words: about.toLowerCase(),
    target: { href },
  }));
}

/** The search of the documentation, for whatever is not here. */
function searchDocs(text: string): Goal {
  return {
    key: 'search the documentation',
    group: 'Documentation',
    text: `Search the documentation for “${text}”`,
    note: '',
    icon: 'search',
    target: { href: `/docs/search?q=${encodeURIComponent(text)}` },
  };
}
