import type { PolicyItem } from '@tollfree/contract/policy';
import { coinText } from '../../parts/text/coin-text.ts';
import { valueNames } from './field-names.ts';
import { withinWindow } from './within-window.ts';

/** What a policy means, in sentences. */
export function describePolicy(policy: PolicyItem): readonly string[] {
  return [
    ...describeCalls(policy),
    ...describeSenders(policy),
    ...describeCosts(policy),
    ...describeTimes(policy),
    ...describeRules(policy),
  ];
}

function describeCalls(policy: PolicyItem): readonly string[] {
  return [
    policy.sponsorAllCalls
      ? 'Calls to any contract are paid for, registered or not.'
      : 'Only calls to methods that you have chosen are paid for.',
    ...(policy.allowAccountDeployment ? ['Operations that only deploy an account are paid for.'] : []),
    ...(policy.allowRevertingOperations ? ['Operations whose own call fails are paid for too.'] : []),
    policy.accounts === 'KNOWN'
      ? 'The account has to be of a kind whose code is known.'
      : 'Any account is taken, whatever its code does with the calls.',
  ];
}

function describeSenders({ allowedSenders, blockedSenders, tokens, requireTicket }: PolicyItem): readonly string[] {
  return [
    ...(requireTicket ? ['Nothing is paid for without a ticket of yours.'] : []),
    ...(allowedSenders === undefined ? [] : [`${senders(allowedSenders.length)} may be sponsored, and nobody else.`]),
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

function describeCosts(policy: PolicyItem) {
  const { maxCostPerOperation: most, maxFeePerGas, maxGasPerOperation, limits, thenPayInToken } = policy;
  const { maxPreVerificationGas, userPaysPercent } = policy;
  return [
    ...(most?.wei === undefined ? [] : [`One operation may cost ${coinText(most.wei)} of the chain’s coin at most.`]),
    ...(most?.usd === undefined ? [] : [`One operation may cost ${most.usd} USD at most.`]),
    ...(maxFeePerGas === undefined ? [] : [`Nothing is signed at a gas price above ${maxFeePerGas} wei.`]),
    ...(maxGasPerOperation === undefined ? [] : [`One operation may use ${maxGasPerOperation} gas at most.`]),
    ...(maxPreVerificationGas === undefined ? [] : [`Its preVerificationGas may be ${maxPreVerificationGas} at most.`]),
    ...limits.map(({ per, window, unit, max, contract, method }) => {
      const who = `${limitedBy[per]} may have`;
      const called = contract === undefined ? '' : ` of ${method === undefined ? '' : `${method} of `}${contract}`;
      const counted = contract === undefined ? 'operations' : 'calls';
      const cost = `${unit === 'WEI' ? 'wei' : unit} of cost${contract === undefined ? '' : ' by operations with calls'}`;
      const what = `${max} ${unit === 'OPERATIONS' ? counted : cost}${called}`;
      return `${who} ${what} ${withinWindow[window]}.`;
    }),
    ...(userPaysPercent === undefined ? [] : [`Users pay ${userPaysPercent} percent of the gas in a token.`]),
    ...(thenPayInToken ? ['Users may pay in a token for what a limit no longer pays for.'] : []),
  ];
}

function describeTimes({ notBefore, notAfter, pauses, maxValiditySeconds }: PolicyItem): readonly string[] {
  const text = (at: number) => new Date(at * 1_000).toLocaleString();
  return [
    ...(maxValiditySeconds === undefined ? [] : [`Signatures last ${maxValiditySeconds} seconds at most.`]),
    ...(notBefore === undefined ? [] : [`Nothing is paid for before ${text(notBefore)}.`]),
    ...(notAfter === undefined ? [] : [`Nothing is paid for from ${text(notAfter)} on.`]),
    ...pauses.map(({ days, from, until }) => {
      const names = days.map((day) => valueNames[day] ?? day).join(', ');
      return `Nothing is paid for from ${from} until ${until} UTC, beginning on ${names}.`;
    }),
  ];
}

type Condition = PolicyItem['callRules'][number]['where'][number];

function describeRules({ callRules }: PolicyItem): readonly string[] {
  return callRules.map(({ contract, method, where }, index) => {
    const isAlternative = callRules.some(
      (other, at) => at < index && other.contract === contract && other.method === method,
    );
    const calls = `${isAlternative ? 'Or calls' : 'Calls'} of ${method} of ${contract}`;
    return `${calls} are paid for where ${where.map(describeCondition).join(' and ')}.`;
  });
}

function describeCondition({ argument, is, isNot, atLeast, atMost, in: list }: Condition): string {
  if (is !== undefined) return `${argument} is ${is}`;
  if (isNot !== undefined) return `${argument} is not ${isNot}`;
  if (atLeast !== undefined) return `${argument} is at least ${atLeast}`;
  if (atMost !== undefined) return `${argument} is at most ${atMost}`;
  return `${argument} is one of ${(list ?? []).join(', ')}`;
}
