import { endOfTime } from '../../evm/entry-point/entry-point-abi.ts';
import { amountText, type FindingTable } from './finding-text.ts';

const usd = (amount: bigint) => amountText('usdMicros', amount);

const openOf = {
  sender: 'this sender, requested by this client',
  client: 'this client address',
  withoutExpiry: 'all signatures without expiry',
  relayed: 'the relay',
  lastingLong: 'all long-lasting signatures',
} as const;
const vendorBudgets = {
  day: 'all requests in a day',
  month: 'all requests in a month',
  client: 'this client address in a day',
} as const;

/** Until when a signature can land (Unix seconds), for people. */
export function untilText(validUntil: number): string {
  return validUntil === endOfTime ? 'until it is released' : `until ${new Date(validUntil * 1_000).toISOString()}`;
}

/** What deciding a hold finds. Amounts in wei. */
export const holdFindings = {
  'gas-tank': (amount: bigint, available: bigint, joined = 0n) => [
    `worst case ${amount} wei${joined === 0n ? '' : `, of which ${joined} wei are already held for the same nonce`}`,
    `${available} wei available`,
  ],
  'granted-before': 'the same request was granted before; its signature is returned again and its hold stands',
  'queue-of-holds': 'the queue of holds',
  'pending-relay': 'a relayed operation with this sender and nonce that may still land',
  'pending-signature': (validUntil: number) =>
    `a paymaster signature for this sender and nonce, which can land ${untilText(validUntil)}`,
  'policy-ended': (policyId: string) => `policy ${policyId}`,
  'forgotten-ticket': 'a ticket that ended long ago and whose usage is no longer stored',
  'authorized-twice': 'other open operations of this sender, which only one authorization delegates',
  'operator-holds': (of: keyof typeof openOf, open: bigint, count?: number, maxCount?: number, max?: bigint) => [
    `open operations of ${openOf[of]}: ${count === undefined ? '' : `${count}, which hold `}${open} wei`,
    [maxCount ?? [], max === undefined ? [] : `${max} wei`].flat().join(', and '),
  ],
  'operator-unpaid': (ofSender: bigint, total: bigint, senderMost: bigint, most: bigint) => [
    `unpaid or not paid yet: ${ofSender} wei of this sender, ${total} wei in total`,
    `${senderMost} wei and ${most} wei`,
  ],
  'open-payments': (count: number, open: bigint, most: bigint, balance: bigint) => [
    `${most} base units of the token, and ${open} of ${count} other open operations of this sender, requested by this client`,
    `${balance} base units, which the sender has`,
  ],
  'vendor-answered-before': 'the same request was answered before',
  'vendor-asked': 'other questions about this nonce',
  'vendor-budget': (of: keyof typeof vendorBudgets, added: bigint, max: bigint, used: bigint) => [
    `${usd(added)} at worst, of ${vendorBudgets[of]}`,
    usd(max),
    usd(used),
  ],
} satisfies FindingTable;
