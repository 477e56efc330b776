import { counted } from '@tollfree/contract/counted';
import type { SponsorshipMode } from '../../domain/sponsorship.ts';
import { wholePercent } from '../../domain/user-share.ts';
import type { FindingTable } from './finding-text.ts';

/** The user's share, if it is not everything. */
function shareText(userPercent: number): string {
  return userPercent === wholePercent ? '' : `, of which the user pays ${userPercent} %`;
}

/** What the service's own steps find, in the order of `stepIds`. Amounts in wei. */
export const stepFindings = {
  paymaster: 'the apiKey, its chain and its paymaster contract',
  'paymaster-contract': 'the paymaster contract',
  'api-key': (name: string) => `the apiKey "${name}"`,
  'api-key-origins': (origin: string | undefined, origins: string) => [
    `a request ${origin === undefined ? 'without an Origin' : `from the origin ${origin}`}`,
    origins,
  ],
  'api-key-networks': (address: string, networks: string) => [`a request from ${address}`, networks],
  'api-key-methods': (method: string, methods: string) => [method, methods],
  'api-key-rate': (limit: string) => ['how often the apiKey sends requests', limit],
  'paymaster-state': 'whether the paymaster is active',
  operation: (entryPointVersion: string) => `a user operation of EntryPoint ${entryPointVersion}`,
  'bare-operation': 'an operation without fees and without a paymaster',
  authorization: 'the authorization of the sender',
  policy: (policyId: string, name: string | undefined) =>
    `policy ${policyId}${name === undefined ? ', which does not belong to this paymaster' : ` (${name})`}`,
  'changing-settings': (times: number) => `the paymaster's settings, read ${counted(times, 'time')}`,
  mode: (mode: SponsorshipMode | 'RELAY') => `mode ${mode}`,
  lifetime: 'expiryDuration',
  'fee-token': 'tokenInfo.feeTokenAddress',
  'token-grain': 'whether the token has enough decimals for the charge',
  decode: (bytes: number) => `${counted(bytes, 'byte')} of callData`,
  'unread-calls': (bytes: number) =>
    `${counted(bytes, 'byte')} of callData, which could not be read; no rule of this paymaster needs the calls`,
  'unread-ticket': 'the ticket',
  ticket: (user: string, keyName: string, expiresAt: number, authorizedParty?: string, label?: string) =>
    `a ticket of ${user} by key ${JSON.stringify(keyName)} until ${new Date(expiresAt * 1_000).toISOString()}` +
    (authorizedParty === undefined ? '' : `, azp ${JSON.stringify(authorizedParty)}`) +
    (label === undefined ? '' : `, label ${JSON.stringify(label)}`),
  'operator-gas-price': (price: bigint) => `maxFeePerGas ${price} wei`,
  'funding-wallet': 'the wallet whose gas tank pays',
  chain: (chainId: number) => `the state of chain ${chainId}`,
  'chain-gas-price': (price: bigint, tip: bigint, baseFee?: bigint, suggestedTip?: bigint, paidTip?: bigint) =>
    `maxFeePerGas ${price} wei and maxPriorityFeePerGas ${tip} wei ` +
    `with a base fee of ${baseFee ?? '?'} wei and a suggested tip of ${suggestedTip ?? '?'} wei` +
    (paidTip === undefined ? '' : `; the latest blocks paid ${paidTip} wei`),
  'relay-price': (baseFee?: bigint) => `the price that executors pay, with a base fee of ${baseFee ?? '?'} wei`,
  signer: 'the signer of the paymaster contract',
  'token-price': (symbol: string, userPercent: number) => `the price of ${symbol}${shareText(userPercent)}`,
  'token-prices': (count: number, userPercent: number) =>
    `${count === 1 ? 'the price of the token' : `the prices of ${counted(count, 'token')}`}${shareText(userPercent)}`,
  webhook: (webhookId: string, getsOperation: boolean, remark = '', isSkippedFor?: string) =>
    `webhook ${webhookId}${getsOperation ? ', with the operation' : ''}${remark}` +
    (isSkippedFor === undefined ? '' : `; sponsored without it: ${isSkippedFor}`),
  'gas-limits': (isEstimated: boolean) =>
    isEstimated ? 'gas limits estimated by the service' : 'the limits that were sent',
  'given-limits': 'the limits that were sent, compared with the service’s estimate',
  account: 'the code that runs for the sender',
  'operation-gas': 'the gas limits of the operation',
  'bundler-gas': 'whether bundlers accept the gas limits',
  'contract-state': 'the contract’s own state',
  quote: 'the earlier quote for the operation',
  promise: 'the terms of the earlier stub answer',
  permit: 'the permit',
  'token-payment': (symbol: string, isInAdvance: boolean) =>
    `a simulated payment in ${symbol}${isInAdvance ? ', collected before the call' : ''}`,
  'operator-cost': (worstCase: bigint) => `worst case ${worstCase} wei`,
  'coin-price': 'the coin’s price in USD',
  funds: (worstCase: bigint) => `worst case ${worstCase} wei with the limits known so far`,
  'own-paymaster': (checked: string | undefined, message: string) =>
    `${checked ?? 'the paymaster of this service'}: ${message} The vendor’s paymaster is asked instead.`,
  'vendor-unasked': 'the vendor’s paymaster (not asked; assumed to agree)',
  'vendor-refused': (why: string) => `the vendor’s paymaster: ${why}`,
  'vendor-stub': (paymaster: string) => `stub by the vendor, with the paymaster contract ${paymaster}`,
  'vendor-answer': (paymaster: string, worstCase: bigint) => [
    `answered by the vendor, with the paymaster contract ${paymaster}`,
    `${worstCase} wei at worst`,
  ],
  bundler: 'the bundler’s own check of the operation',
} satisfies FindingTable;
