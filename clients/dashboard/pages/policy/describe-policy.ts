import type { PolicyItem } from '@tollfree/contract/policy';
import { formatGwei } from 'viem';
import { coinText } from '../../parts/text/usd-text.ts';
import { valueNames, withinWindow } from './field-names.ts';

/** A contract's name; its address if it has none. */
type NameOf = (address: string) => string;

/** A policy in sentences. */
export function describePolicy(policy: PolicyItem, nameOf: NameOf = (address) => address): readonly string[] {
  return [
    ...describeCalls(policy),
    ...describeSenders(policy),
    ...describeCosts(policy, nameOf),
    ...describeTimes(policy),
    ...describeRules(policy, nameOf),
  ];
}

function describeCalls(policy: PolicyItem): readonly string[] {
  return [
    policy.sponsorAllCalls
      ? 'Calls to any contract are sponsored, registered or not.'
      : 'Only calls to registered methods are sponsored.',
    ...(policy.allowAccountDeployment ? ['Operations that only deploy an account are sponsored.'] : []),
    ...(policy.allowRevertingOperations ? ['Operations whose own call fails are sponsored too.'] : []),
    policy.accounts === 'KNOWN'
      ? 'The account’s code must be known.'
      : 'Any account is accepted, whatever its code does.',
  ];
}

function describeSenders({ allowedSenders, blockedSenders, tokens, requireTicket }: PolicyItem): readonly string[] {
  return [
    ...(requireTicket ? ['Every request needs a ticket.'] : []),
    ...(allowedSenders === undefined ? [] : [`${senders(allowedSenders.length)} may be sponsored, and no other.`]),
    ...(blockedSenders.length === 0 ? [] : [`${senders(blockedSenders.length)} will never be sponsored.`]),
    ...(tokens?.enabled === false ? ['Users may not pay in tokens.'] : []),
    ...((tokens?.allowed.length ?? 0) === 0 ? [] : [`Users may pay in ${tokens?.allowed.length} named tokens.`]),
  ];
}

function senders(count: number): string {
  if (count === 0) return 'No sender';
  return count === 1 ? 'One named sender' : `${count} named senders`;
}

const limitedBy = {
  SENDER: 'Each sender',
  SUBJECT: 'Each user of a ticket',
  TOTAL: 'All together',
} as const satisfies Record<PolicyItem['limits'][number]['per'], string>;

function describeCosts(policy: PolicyItem, nameOf: NameOf) {
  const { maxCostPerOperation: most, maxFeePerGas, maxGasPerOperation, limits, thenPayInToken } = policy;
  const { maxPreVerificationGas, userPaysPercent } = policy;
  return [
    ...(most?.wei === undefined ? [] : [`One operation may cost at most ${coinText(most.wei)} of the native coin.`]),
    ...(most?.usd === undefined ? [] : [`One operation may cost at most ${most.usd} USD.`]),
    ...(maxFeePerGas === undefined
      ? []
      : [`Nothing is signed at a gas price above ${formatGwei(BigInt(maxFeePerGas))} gwei.`]),
    ...(maxGasPerOperation === undefined ? [] : [`One operation may use at most ${maxGasPerOperation} gas.`]),
    ...(maxPreVerificationGas === undefined ? [] : [`Its preVerificationGas may be at most ${maxPreVerificationGas}.`]),
    ...limits.map(({ per, window, unit, max, contract, method }) => {
      const who = `${limitedBy[per]} may have`;
      const called =
        contract === undefined ? '' : ` of ${method === undefined ? '' : `${method} of `}${nameOf(contract)}`;
      const counted = contract === undefined ? 'operations' : 'calls';
      const cost = `${unit === 'WEI' ? 'coin' : unit} of cost${contract === undefined ? '' : ' by operations with calls'}`;
      const amount = unit === 'WEI' ? coinText(max) : max;
      const what = `${amount} ${unit === 'OPERATIONS' ? counted : cost}${called}`;
      return `${who} ${what} ${withinWindow[window]}.`;
    }),
    ...(userPaysPercent === undefined ? [] : [`Users pay ${userPaysPercent} percent of the gas in a token.`]),
    ...(thenPayInToken ? ['When a limit is used up, users may pay in a token.'] : []),
  ];
}

function describeTimes({ notBefore, notAfter, pauses, maxValiditySeconds }: PolicyItem): readonly string[] {
  const text = (at: number) => new Date(at * 1_000).toLocaleString();
  return [
    ...(maxValiditySeconds === undefined ? [] : [`Signatures are valid for at most ${maxValiditySeconds} seconds.`]),
    ...(notBefore === undefined ? [] : [`Nothing is sponsored before ${text(notBefore)}.`]),
    ...(notAfter === undefined ? [] : [`Nothing is sponsored from ${text(notAfter)} on.`]),
    ...pauses.map(({ days, from, until }) => {
      const names = days.map((day) => valueNames[day] ?? day).join(', ');
      return `Nothing is sponsored from ${from} until ${until} UTC, beginning on ${names}.`;
    }),
  ];
}

type Condition = PolicyItem['callRules'][number]['where'][number];

function describeRules({ callRules }: PolicyItem, nameOf: NameOf): readonly string[] {
  return callRules.map(({ contract, method, where }, index) => {
    const isAlternative = callRules.some(
      (other, at) => at < index && other.contract === contract && other.method === method,
    );
    const calls = `${isAlternative ? 'Or calls' : 'Calls'} of ${method} of ${nameOf(contract)}`;
    return `${calls} are sponsored if ${where.map(describeCondition).join(' and ')}.`;
  });
}

function describeCondition({ argument, is, isNot, atLeast, atMost, in: list }: Condition): string {
  if (is !== undefined) return `${argument} is ${is}`;
  if (isNot !== undefined) return `${argument} is not ${isNot}`;
  if (atLeast !== undefined) return `${argument} is at least ${atLeast}`;
  if (atMost !== undefined) return `${argument} is at most ${atMost}`;
  return `${argument} is one of ${(list ?? []).join(', ')}`;
}
