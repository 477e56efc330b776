import type { Hex } from 'viem';
import { describe, expect, test } from 'vitest';
import { draftDecision } from '../../core/decisions/decision-draft.ts';
import type { DecidedAccount } from '../../core/domain/decision.ts';
import { defaultPolicy } from '../../core/domain/policy.ts';
import { accept, refuse } from '../../core/domain/result/result.ts';
import { simpleAccount07 } from '../../core/evm/account-codes/kinds/simple-account.ts';
import type { AccountReading } from '../../core/node/account-codes/seen-account.ts';
import { nameRevert } from '../../core/sponsorship/decide.ts';
import { decideAccount } from '../../core/sponsorship/gas/decide-account.ts';
import { encodeAccountCalls } from '../../server/dev/user-operation/build-user-operation.ts';
import { numberedAddress } from '../support/core/ledger-lab.ts';
import { operationWith } from '../support/core/step-lab.ts';

const address = numberedAddress(0xa1);
const unreadable = refuse({ reason: 'CHAIN_UNAVAILABLE', message: 'the node is silent' });

type Case = {
  readonly reading: AccountReading | typeof unreadable;
  readonly accounts?: 'KNOWN' | 'ANY';
  readonly hasOpenDeployment?: boolean;
  readonly deploysOnly?: boolean;
  readonly callData?: Hex;
};

async function decide({
  reading,
  accounts = 'KNOWN',
  hasOpenDeployment = false,
  deploysOnly = true,
  callData = '0x',
}: Case) {
  const draft: { account?: DecidedAccount } = draftDecision(
    'sponsorUserOperation',
    { chainId: 1, userOperation: {}, context: { sponsorshipInfoGiven: false } },
    0,
  );
  const request = {
    draft,
    parts: { hasOpenDeployment: async ({ sender }: { sender: string }) => hasOpenDeployment && sender === address },
    profile: { policy: { ...defaultPolicy, accounts } },
    chain: {
      config: { chainId: 1 },
      accountReader: { read: async () => ('ok' in reading ? reading : accept(reading)) },
    },
    contract: { location: { entryPoint: numberedAddress(0xe1) } },
    operation: operationWith({ sender: address, callData }),
    calls: [],
    deploysOnly,
  };
  // What the step looks at.
  return { result: await decideAccount(request as never), draft };
}

async function judge(asked: Case) {
  const { result, draft } = await decide(asked);
  const answer = result.ok ? { deploysKnown: result.value.deploysKnown } : { reason: result.refusal.reason };
  return { ...answer, account: draft.account };
}

const unknown = { state: 'unknown', why: 'it is not known', address, codeHash: '0xaa' } as const;

describe('an account', () => {
  test('of known code is sponsored; only one that is made now deploys known code', async () => {
    const account = { known: true, text: simpleAccount07.name };
    const [deployed, created] = (['deployed', 'created'] as const).map((state) => ({ state, kind: simpleAccount07 }));
    expect(await judge({ reading: deployed as AccountReading })).toEqual({ deploysKnown: false, account });
    expect(await judge({ reading: created as AccountReading })).toEqual({ deploysKnown: true, account });
  });

  test('of known code that does not read its call data as the calls that were decided on is not', async () => {
    const reading = { state: 'created', kind: simpleAccount07 } as const;
    const judged = await judge({ reading, deploysOnly: false });
    expect(judged).toMatchObject({ reason: 'ACCOUNT_NOT_KNOWN', account: { known: false } });
    expect(judged.account?.text).toContain('does not read its callData as these calls');
  });

  test('of other code is not, with what the operator can set; unless any account is', async () => {
    const reading = { ...unknown, list: 'factories' } as const;
    const account = { known: false, text: 'it is not known', codeHash: '0xaa', setting: 'accounts.factories' };
    expect(await judge({ reading })).toEqual({ reason: 'ACCOUNT_NOT_KNOWN', account });
    expect(await judge({ reading, accounts: 'ANY' })).toEqual({ deploysKnown: false, account });
    expect((await judge({ reading: unknown })).account).toEqual({
      known: false,
      text: 'it is not known',
      codeHash: '0xaa',
    });
  });

  test('that is not there is sponsored while its deployment is signed and open', async () => {
    const reading = { state: 'absent' } as const;
    const deploying = await judge({ reading, hasOpenDeployment: true });
    const account = { known: true, text: 'an account whose deployment is signed and pending' };
    expect(deploying).toEqual({ deploysKnown: false, account });
    const absent = await judge({ reading });
    expect(absent).toMatchObject({ reason: 'ACCOUNT_NOT_KNOWN', account: { known: false } });
    expect(absent.account?.text).toContain(address);
  });

  test('of which the node does not tell stops nothing where any is sponsored', async () => {
    expect(await judge({ reading: unreadable })).toEqual({ reason: 'CHAIN_UNAVAILABLE', account: undefined });
    expect(await judge({ reading: unreadable, accounts: 'ANY' })).toEqual({ deploysKnown: false, account: undefined });
  });
});

describe('a revert', () => {
  const reverted = {
    reason: 'ESTIMATION_FAILED',
    message: 'reverted',
    details: { revert: '0x12345678', revertData: '0x12345678' },
  } as const;

  /** The addresses among whose errors the refusal's is looked for. */
  async function lookedAmong(draft: object, refusal: Parameters<typeof nameRevert>[1] = reverted) {
    let found: readonly string[] | undefined;
    const find = async (_: string, addresses: readonly string[]) => {
      found = addresses;
      return [];
    };
    await nameRevert({ draft, context: {}, parts: { errors: { find } } } as never, refusal);
    return found;
  }
  const [called, other] = [numberedAddress(0xca), numberedAddress(0xcb)];
  const read = other.toLowerCase();
  const callData = encodeAccountCalls('0.7', [{ to: other, data: '0x' }]);
  const operation = operationWith({ sender: address, callData });
  const calls = [{ target: called }];

  test('is named by what the operation calls, and by the account', async () => {
    expect(await lookedAmong({ paymasterId: 'p', operation, mode: 'SPONSORED', calls })).toEqual([called, address]);
    expect(await lookedAmong({ paymasterId: 'p', operation, mode: 'ERC20', calls: [] })).toEqual([read, address]);
    const unread = { ...operation, callData: '0x00' };
    expect(await lookedAmong({ paymasterId: 'p', operation: unread, mode: 'ERC20', calls: [] })).toEqual([address]);
  });

  test('is not looked for without its data, a paymaster or an operation', async () => {
    expect(await lookedAmong({ operation, mode: 'SPONSORED', calls })).toBeUndefined();
    expect(await lookedAmong({ paymasterId: 'p', mode: 'SPONSORED', calls })).toBeUndefined();
    const bare = { reason: 'ESTIMATION_FAILED', message: 'reverted' } as const;
    expect(await lookedAmong({ paymasterId: 'p', operation, mode: 'SPONSORED', calls }, bare)).toBeUndefined();
  });
});
