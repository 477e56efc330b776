import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { DecidedAccount } from '../../domain/decision.ts';
import { accept, type Result } from '../../domain/result/result.ts';
import type { SponsorshipMode } from '../../domain/sponsorship.ts';
import type { UserOperation } from '../../domain/user-operation.ts';
import type { AccountCodeKind } from '../../evm/account-codes/known-code.ts';
import type { ReadCalls } from '../../evm/account-decoders/decoder.ts';
import { findAccountDecoder, isSameReading } from '../../evm/account-decoders/find-decoder.ts';
import { seeAccount } from '../../gas/simulation/probe-account.ts';
import { createsSender } from '../../node/account-codes/create-account-reader.ts';
import type { AccountReading } from '../../node/account-codes/seen-account.ts';
import { decideStage } from '../../policies/rules/decide-stage.ts';
import type { Identified } from '../identify/identify.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import { followRulings, type StageDecided } from '../permit/decide-request.ts';
import type { DecodedCalls, PaidCalls } from '../permit/decode-calls.ts';
import { type Asked, notedIfRefused, type Step, type UserPays } from '../run/steps.ts';
import type { WithAccount } from './choose-gas.ts';
import { configurationEntry } from './configuration-entry.ts';

type Asking = Asked & Identified & ReadOperation & DecodedCalls & WithAccount;

/** Whether the operation gives its sender known code. */
export type DeploysKnown = { readonly deploysKnown: boolean };

type Judged = { readonly account: DecidedAccount | undefined } & DeploysKnown;

/** Whether the sender's code is known and makes the calls that were decided on, if the policy requires that. */
export const decideAccount: Step<Asking, StageDecided<'account'> & DeploysKnown> = (request) =>
  decide(request, 'SPONSORED');

/** Judges the sender's code where the user pays, if the operation's calls matter: otherwise its code does not matter either. */
export const decidePaidAccount: Step<Omit<Asking, keyof DecodedCalls> & PaidCalls & UserPays, object> = (request) =>
  request.paidCalls === undefined ? accept({}) : decide({ ...request, ...request.paidCalls }, 'ERC20');

/**
 * For a stub: refuses unknown code before anything is estimated or created at the sponsor's cost. What only the final
 * operation can show passes.
 */
export const decideAccountOfStub: Step<Omit<Asking, keyof WithAccount>, object> = async (request) => {
  const { chain, contract, operation, profile } = request;
  if (profile.policy.accounts === 'ANY') return accept({});
  const { accountReader, client } = chain;
  // One question reads all slots of an account that is there. What a new one will be, its factory tells.
  const seen = createsSender(operation)
    ? undefined
    : await seeAccount(client, operation, accountReader.slotsOf(operation));
  if (seen?.ok === false || seen?.value.code === '0x') return accept({});
  const reading = await accountReader.read(operation, contract.location.entryPoint, seen?.value);
  const isMissing = reading.ok && reading.value.state === 'unknown' && reading.value.missing !== undefined;
  return isMissing ? decide({ ...request, seenAccount: undefined }, 'SPONSORED') : accept({});
};

async function decide(request: Asking, mode: SponsorshipMode): Promise<Result<StageDecided<'account'> & DeploysKnown>> {
  const { draft, profile } = request;
  const judged = await judge(request);
  if (!judged.ok) return judged;
  const { account, ...judgedCode } = judged.value;
  if (account !== undefined) draft.account = account;
  const rulings = decideStage('account', { policy: profile.policy, account }, mode);
  return followRulings(draft, rulings, { accountDecided: true as const, ...judgedCode });
}

/** An unanswered read stops nothing if the policy accepts any account. */
const judge = notedIfRefused(
  { rule: 'account', finding: ['account'] },
  async (request: Asking): Promise<Result<Judged>> => {
    const { chain, contract, operation, seenAccount } = request;
    const reading = await chain.accountReader.read(operation, contract.location.entryPoint, seenAccount);
    if (reading.ok) return accept(await judgeReading(request, reading.value));
    return request.profile.policy.accounts === 'ANY' ? accept({ account: undefined, deploysKnown: false }) : reading;
  },
);

async function judgeReading(request: Asking, reading: AccountReading) {
  const { parts, chain, context, operation, deploysOnly } = request;
  const unknown = (text: string, rest: Pick<DecidedAccount, 'codeHash' | 'setting' | 'entry'> = {}): Judged => ({
    account: { known: false, text, ...rest },
    deploysKnown: false,
  });
  switch (reading.state) {
    case 'unknown': {
      const setting = reading.list === undefined ? undefined : `accounts.${reading.list}`;
      const entry =
        reading.missing &&
        configurationEntry(reading, { operation, decided: request, named: context.smartAccountInfo });
      return unknown(reading.why, omitAbsent({ codeHash: reading.codeHash, setting, entry }));
    }
    case 'absent':
      return (await parts.hasOpenDeployment({ chainId: chain.config.chainId, sender: operation.sender }))
        ? {
            account: { known: true, text: 'an account whose deployment is signed and pending' },
            deploysKnown: false,
          }
        : unknown(absentText(operation));
    default: {
      const { kind } = reading;
      if (!deploysOnly && !readsSameCalls(kind, operation, request)) {
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

/**
 * Whether accounts of this kind make exactly the calls that were decided on: the caller may have named another kind, which
 * decodes the same bytes differently.
 */
export function readsSameCalls(
  kind: AccountCodeKind,
  { callData, entryPointVersion }: UserOperation,
  decided: ReadCalls,
): boolean {
  const understood = kind.decoders
    .map(({ name, version }) => findAccountDecoder(name, version)?.decode(callData, entryPointVersion))
    .flatMap((decoded) => (decoded?.understood === true ? [decoded] : []));
  return understood.length > 0 && understood.every((own) => isSameReading(own, decided));
}
