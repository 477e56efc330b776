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

/** What is done on whatever page one is. */
export type Act =
  | 'pause'
  | 'resume'
  | 'pauseAll'
  | 'deposit'
  | 'withdraw'
  | 'invite'
  | 'apiKey'
  | 'authToken'
  | 'paymaster'
  | 'webhook';

type Target =
  | { readonly act: Act }
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
  /** The page on which it is done. */
  readonly to: string;
  /** Absent if it needs its page. */
  readonly act?: Act;
};

const of = (rest: string) => `/paymasters/$paymasterId${rest}`;

/** What people come to do. Pausing depends on what is running. */
const actions: readonly Action[] = [
  {
    text: 'Fill the gas tank',
    note: 'Deposit from the funding wallet',
    icon: 'tank',
    words: 'top up deposit fund money balance refill pay in recharge load charge credit eth add',
    to: of('/gas-tank'),
    act: 'deposit',
  },
  {
    text: 'Withdraw from the gas tank',
    note: 'To the funding wallet',
    icon: 'tank',
    words: 'payout pay out cash out take back refund money payback recover drain get out transfer return',
    to: of('/gas-tank'),
    act: 'withdraw',
  },
  {
    text: 'Limit what all spend together',
    note: 'Policy',
    icon: 'policy',
    words: 'total cap daily maximum spending bound stranger ceiling budget day',
    to: of('/policy'),
  },
  {
    text: 'Limit each sender',
    note: 'Policy',
    icon: 'policy',
    words: 'user quota cap per wallet rate account throttle person',
    to: of('/policy'),
  },
  {
    text: 'Block a sender',
    note: 'Policy',
    icon: 'policy',
    words: 'ban deny blacklist blocklist allowlist user abuse spam attacker fraud',
    to: of('/policy'),
  },
  {
    text: 'Sponsor a contract or method',
    note: 'Contracts',
    icon: 'contract',
    words: 'whitelist allow register add abi pay for nft token permit new function',
    to: of('/contracts'),
  },
  {
    text: 'Invite a member',
    note: 'Owner, manager or viewer',
    icon: 'members',
    words: 'team colleague user add access role person employee share teammate developer',
    to: '/members',
    act: 'invite',
  },
  {
    text: 'New API key',
    note: 'For one web page or server',
    icon: 'key',
    words: 'create token secret origin rotate replace leaked credentials password',
    to: of('/api-keys'),
    act: 'apiKey',
  },
  {
    text: 'New authToken',
    note: 'For servers and the command line',
    icon: 'account',
    words: 'create token secret cli ci revoke credentials api bearer',
    to: '/account',
    act: 'authToken',
  },
  {
    text: 'New paymaster',
    note: 'For another application or chain',
    icon: 'plus',
    words: 'create add app dapp chain project network',
    to: '/paymasters',
    act: 'paymaster',
  },
  {
    text: 'Send notifications to a chat',
    note: 'Notifications',
    icon: 'bell',
    words: 'slack discord telegram pagerduty alert email warn low balance message inform notify alarm',
    to: of('/notifications'),
  },
  {
    text: 'Ask my server before each operation',
    note: 'Webhooks',
    icon: 'webhook',
    words: 'webhook callback approve decide hook backend custom own rule url add',
    to: of('/webhooks'),
    act: 'webhook',
  },
  {
    text: 'See why something was refused',
    note: 'Activity',
    icon: 'activity',
    words: 'error failed rejected denied debug explain reason problem not sponsored reverted',
    to: of('/activity'),
  },
  {
    text: 'Copy the RPC URL and a program',
    note: 'Connect',
    icon: 'connect',
    words:
      'endpoint code snippet sdk viem permissionless wagmi integrate start example install quickstart connect bundler',
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
  /** Whether the user may change settings: others are led to the pages, which say why not. */
  readonly mayManage: boolean;
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

/**
 * How well a goal matches: the start of its name, the start of a word of it, a word that people use for it, inside a word, or a
 * word with one typo.
 */
function rankOf({ text, group, words = '' }: Goal, sought: string): number {
  const name = text.toLowerCase();
  if (name.startsWith(sought)) return 4;
  const own = wordsOf(name);
  if (own.some((word) => word.startsWith(sought))) return 3;
  if (` ${words}`.includes(` ${sought}`)) return 2;
  const all = [...own, ...wordsOf(words)];
  const parts = wordsOf(sought);
  if (parts.length > 1 && parts.every((part) => all.some((word) => word.startsWith(part)))) return 2;
  if (name.includes(sought)) return 1;
  // What a page of the documentation is about has too many words for typos.
  const near = group === 'Documentation' ? own : all;
  const isMeant = parts.length > 0 && parts.every((part) => near.some((word) => isStartWithTypo(word, part)));
  return isMeant ? 0.5 : 0;
}

function wordsOf(text: string): readonly string[] {
  return text.split(/[^\p{L}\d]+/u).filter((word) => word !== '');
}

/** Shorter words differ by one letter from too many others. */
const shortestWithTypo = 4;

/** Whether a text is the start of a word, with at most one letter wrong, missing, added or swapped with the next. */
function isStartWithTypo(word: string, part: string): boolean {
  if (word.startsWith(part)) return true;
  if (part.length < shortestWithTypo) return false;
  let same = 0;
  while (part[same] === word[same]) same += 1;
  const rest = part.slice(same);
  const left = word.slice(same);
  const isSwapped = rest[0] === left[1] && rest[1] === left[0] && left.slice(2).startsWith(rest.slice(2));
  return (
    left.slice(1).startsWith(rest.slice(1)) ||
    left.slice(1).startsWith(rest) ||
    left.startsWith(rest.slice(1)) ||
    isSwapped
  );
}

/** Pauses or resumes the current paymaster, or all of them. */
function pauseActions({ current, paymasters }: Known): readonly Action[] {
  const running = paymasters.filter(({ pausedAt, retiredAt }) => pausedAt === undefined && retiredAt === undefined);
  const pauseAll: Action = {
    text: `Pause all ${counted(running.length, 'paymaster')}`,
    note: 'Asks first',
    icon: 'pause',
    words: 'stop emergency halt disable kill switch off everything freeze shut down block',
    to: '/paymasters',
    act: 'pauseAll',
  };
  const all = running.length < 2 ? [] : [pauseAll];
  if (current === undefined || current.retiredAt !== undefined) return all;
  const one: Action =
    current.pausedAt === undefined
      ? {
          text: `Pause ${current.name}`,
          note: 'Refuses everything until you resume it',
          icon: 'pause',
          words: 'stop emergency halt disable kill switch off freeze shut down block',
          to: of('/settings'),
          act: 'pause',
        }
      : {
          text: `Resume ${current.name}`,
          note: 'Paused now',
          icon: 'play',
          words: 'unpause start again enable activate on continue restart pause',
          to: of('/settings'),
          act: 'resume',
        };
  return [one, ...all];
}

function actionGoals(known: Known): readonly Goal[] {
  const { current, mayManage } = known;
  return [...pauseActions(known), ...actions]
    .filter(({ to }) => current !== undefined || !isOfPaymaster(to))
    .map(({ text, note, icon, words, to, act }) => ({
      key: `do ${text}`,
      group: 'Do',
      text,
      note,
      icon,
      words,
      target: act === undefined || !mayManage ? { to, params: { paymasterId: current?.paymasterId ?? '' } } : { act },
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
