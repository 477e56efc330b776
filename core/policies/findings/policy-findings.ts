import { counted } from '@tollfree/contract/counted';
import { utcTime } from '../../base/time/clock.ts';
import type { LimitScope, LimitWindow, Policy, PolicyLimit } from '../../domain/policy.ts';
import { amountText, countedText, type FindingTable, inWindow } from './finding-text.ts';

type Unit = PolicyLimit['unit'];

const askedBy = {
  sender: ' by the sender',
  subject: ' by the user',
  total: '',
  key: ' with the apiKey',
  ticket: ' with the ticket',
} as const;
const listText = { blockedSenders: 'not one of blockedSenders', allowedSenders: 'one of allowedSenders' } as const;
const tokensText = { enabled: 'tokens.enabled is false', allowed: 'one of tokens.allowed' } as const;

const wei = (amount: bigint | undefined) => (amount === undefined ? undefined : `${amount} wei`);
const usd = (amount: bigint | undefined) => (amount === undefined ? undefined : amountText('usdMicros', amount));

function joined(...texts: readonly (string | undefined)[]): string | undefined {
  const some = texts.filter((text) => text !== undefined);
  return some.length === 0 ? undefined : some.join(', ');
}

/** What the rules of a policy, its limits and the account's budgets find. Moments in Unix seconds. */
export const policyFindings = {
  'policy-calls': (calls: number | 'deployment', allowed: number | 'sponsorAllCalls' | 'allowAccountDeployment') => [
    calls === 'deployment' ? 'an account deployment without calls' : counted(calls, 'call'),
    typeof allowed === 'number' ? counted(allowed, 'registered contract') : `${allowed} is set`,
  ],
  'call-arguments': (ruled: number, calls: number) => `${ruled} of ${counted(calls, 'call')}, whose methods have rules`,
  'call-rules-broken': (target: string) => [`a call of ${target}`, 'rules that fit the registered contract'],
  'call-not-canonical': (method: string, target: string) => [
    `${method} of ${target}`,
    'arguments in canonical encoding',
  ],
  'call-comparisons': (method: string, target: string, max: number) => [
    `${method} of ${target}`,
    `${max} comparisons per operation`,
  ],
  'call-arguments-refused': (found: string, method: string, target: string, allowed: string) => [
    `${found} in ${method} of ${target}`,
    allowed,
  ],
  'limited-calls': (target: string) => [`a call of ${target}`, 'limits that fit the registered contract'],
  'policy-tokens': (token?: string, setting?: keyof typeof tokensText) => [
    `payment in ${token ?? 'tokens'}`,
    setting && tokensText[setting],
  ],
  'policy-ticket': (ticketUser: string | undefined, isRequired: boolean) => [
    ticketUser === undefined ? 'no ticket' : `a ticket of ${ticketUser}`,
    isRequired ? 'a ticket' : undefined,
  ],
  'policy-sender': (sender: string, list?: keyof typeof listText) => [`the sender ${sender}`, list && listText[list]],
  'policy-period': (now: number, from?: number, end?: number) => [
    utcTime(now),
    joined(from === undefined ? from : `from ${utcTime(from)}`, end === undefined ? end : `before ${utcTime(end)}`),
  ],
  'policy-pause': (now: number, hasPauses: boolean) => [utcTime(now), hasPauses ? 'outside the pauses' : undefined],
  'policy-gas-price': (price: bigint, max?: bigint) => [`maxFeePerGas of ${price} wei`, wei(max)],
  'policy-relay-gas-price': (price: bigint, max?: bigint) => [`up to ${price} wei per gas for the bundle`, wei(max)],
  'policy-relay': (payer: 'CONTRACT' | 'RELAY', relay: Policy['relay']) => [
    payer === 'RELAY' ? 'a relayed operation' : 'a paymaster contract',
    `relay ${relay}`,
  ],
  'policy-share': (percent: number) => ['mode SPONSORED', `userPaysPercent ${percent}`],
  'policy-accounts': (accounts: Policy['accounts'], account: string) => [account, `accounts is ${accounts}`],
  'policy-gas': (gas?: bigint, max?: number) =>
    gas === undefined
      ? 'gas limits that were not recorded'
      : [`${gas} gas`, max === undefined ? undefined : `${max} gas`],
  'policy-method-gas': (callGas: bigint | undefined, max: number, contract: string, method?: string) => [
    `${callGas === undefined ? 'a callGasLimit that was not recorded' : `a callGasLimit of ${callGas}`} with a call of ${method === undefined ? contract : `${method} of ${contract}`}`,
    `${max} gas`,
  ],
  'policy-cost': (worstCase: bigint, worth?: bigint, maxWei?: bigint, maxUsdMicros?: bigint) => [
    `at most ${joined(wei(worstCase), usd(worth))}`,
    joined(wei(maxWei), usd(maxUsdMicros)),
  ],
  limit: (
    per: LimitScope | 'key' | 'ticket',
    window: LimitWindow,
    unit: Unit,
    max: bigint,
    used: bigint,
    asked: bigint,
    contract?: string,
    method?: string,
  ) => [
    `${countedText({ unit, contract, method }, asked)} asked${askedBy[per]}`,
    `${countedText({ unit, contract, method }, max)} ${inWindow[window]}`,
    amountText(unit, used, contract),
  ],
  'limit-usd-set': 'a limit in USD was set during the request',
  'limit-of-contract-set': 'a limit of a contract was set during the request',
  'account-budget': (name: string, window: LimitWindow, max: bigint, used: bigint, asked?: bigint) => [
    `${asked === undefined ? 'the price of the coin is unknown, and the operation is' : `${usd(asked)} asked`} of the budget “${name}”`,
    `${usd(max)} ${inWindow[window]}`,
    usd(used),
  ],
} satisfies FindingTable;
