import type { DecidedAccount } from '../../domain/decision.ts';
import { accept, type Result } from '../../domain/result/result.ts';
import type { SponsorshipMode } from '../../domain/sponsorship.ts';
import type { UserOperation } from '../../domain/user-operation.ts';
import { omitAbsent } from '../../domain/values/omit-absent.ts';
import type { AccountReading } from '../../node/account-codes/account-reading.ts';
import { decideStage } from '../../policies/rules/decide-stage.ts';
import type { WithAccount } from '../gas/choose-gas.ts';
import { followRulings } from '../permission/follow-rulings.ts';
import type { StageDecided } from '../permission/stages-decided.ts';
import type { DecodedCalls } from '../request/decode-calls.ts';
import type { Identified } from '../request/identify.ts';
import type { PaidCalls } from '../request/paid-calls.ts';
import type { ReadOperation } from '../request/read-user-operation.ts';
import type { Asked } from '../run/asked.ts';
import { notedIfRefused } from '../run/noted.ts';
import type { Step } from '../run/steps.ts';
import { readsSameCalls } from './reads-same-calls.ts';

type Asking = Asked & Identified & ReadOperation & DecodedCalls & WithAccount;

/** Whether the operation gives its sender code, of a kind that is known. */
export type DeploysKnown = { readonly deploysKnown: boolean };

type Judged = { readonly account: DecidedAccount | undefined } & DeploysKnown;

/** Whether the code that runs for the sender is known and makes the calls that were decided on, where the policy asks. */
export const decideAccount: Step<Asking, StageDecided<'account'> & DeploysKnown> = (request) =>
  decide(request, 'SPONSORED');

/** The same of an operation that the user pays for, where what it calls is asked: else its code does not matter. */
export const decidePaidAccount: Step<Omit<Asking, keyof DecodedCalls> & PaidCalls, object> = (request) =>
  request.paidCalls === undefined ? accept({}) : decide({ ...request, ...request.paidCalls }, 'ERC20');

async function decide(request: Asking, mode: SponsorshipMode): Promise<Result<StageDecided<'account'> & DeploysKnown>> {
  const { draft, profile } = request;
  const judged = await judge(request);
  if (!judged.ok) return judged;
  const { account, deploysKnown } = judged.value;
  if (account !== undefined) draft.account = account;
  const rulings = decideStage('account', { policy: profile.policy, account }, mode);
  return followRulings(draft, rulings, { accountDecided: true as const, deploysKnown });
}

/** A node that does not tell stops nothing where any account is sponsored. */
const judge = notedIfRefused(
  { rule: 'account', checked: 'the code that runs for the sender' },
  async (request: Asking): Promise<Result<Judged>> => {
    const { chain, contract, operation, seenAccount } = request;
    const reading = await chain.accountReader.read(operation, contract.place.entryPoint, seenAccount);
    if (reading.ok) return accept(await judgeReading(request, reading.value));
    return request.profile.policy.accounts === 'ANY' ? accept({ account: undefined, deploysKnown: false }) : reading;
  },
);

async function judgeReading({ parts, chain, operation, calls, deploysOnly }: Asking, reading: AccountReading) {
  const unknown = (text: string, rest: Pick<DecidedAccount, 'codeHash' | 'setting'> = {}): Judged => ({
    account: { known: false, text, ...rest },
    deploysKnown: false,
  });
  switch (reading.state) {
    case 'unknown': {
      const setting = reading.list === undefined ? undefined : `accounts.${reading.list}`;
      return unknown(reading.why, omitAbsent({ codeHash: reading.codeHash, setting }));
    }
    case 'absent':
      return (await parts.hasOpenDeployment({ chainId: chain.config.chainId, sender: operation.sender }))
        ? { account: { known: true, text: 'an account whose deployment is signed and pending' }, deploysKnown: false }
        : unknown(absentText(operation));
    default: {
      const { kind } = reading;
      if (!deploysOnly && !readsSameCalls(kind, operation, calls)) {
        return unknown(`The sender is a ${kind.name}, which does not read its callData as these calls.`);
      }
      const deploysKnown = reading.state === 'created' || operation.paysAuthorization === true;
      return { account: { known: true, text: kind.name }, deploysKnown };
    }
  }
}

function absentText({ sender }: UserOperation): string {
  return `There is no code at the sender ${sender}, and no signed operation that deploys it is pending.`;
}
