import { Attribution } from 'ox/erc8021';
import { concat, encodeFunctionData, type Hex, parseAbi, size } from 'viem';
import { entryPoint07Address, getUserOperationHash } from 'viem/account-abstraction';
import { describe, expect, test } from 'vitest';
import { draftDecision, toTraceStep } from '../../core/decisions/decision-draft.ts';
import { defaultPolicy } from '../../core/domain/policy.ts';
import { accept, type Result, refuse } from '../../core/domain/result/result.ts';
import type { UserOperationWithGas } from '../../core/domain/user-operation.ts';
import { verifyingPaymaster07 } from '../../core/evm/paymaster-contracts/verifying/verifying-paymaster-0.7.ts';
import type { SignedOperation } from '../../core/ledger/operation-status/record-signatures.ts';
import { askWebhooks, maxWaitingOfAccount } from '../../core/sponsorship/permit/ask-webhooks.ts';
import { decodeCalls } from '../../core/sponsorship/permit/decode-calls.ts';
import { sign } from '../../core/sponsorship/sign/sign-paymaster-data.ts';
import { numberedAddress } from '../support/core/ledger-lab.ts';
import { operationWith } from '../support/core/step-lab.ts';

const draft = () =>
  draftDecision(
    'sponsorUserOperation',
    { chainId: 1, userOperation: {}, context: { sponsorshipInfoGiven: false } },
    1_800_000_000_000,
  );
const profile = {
  contracts: new Map(),
  policy: { ...defaultPolicy, sponsorAllCalls: true },
  webhooks: [],
  paymaster: { accountId: 'account' },
};

describe('an operation without call data', () => {
  function decode(initCode: Hex, sponsorAllCalls = true) {
    const operation = {
      entryPointVersion: '0.7',
      sender: numberedAddress(0xa1),
      nonce: 1n,
      initCode,
      callData: '0x',
      maxFeePerGas: 1n,
      maxPriorityFeePerGas: 1n,
      signature: '0x',
    };
    // What the step looks at.
    const policy = { ...profile.policy, sponsorAllCalls };
    return decodeCalls({ draft: draft(), profile: { ...profile, policy }, operation, account: undefined } as never);
  }

  test('only deploys its account when there is something to deploy', () => {
    expect(decode('0x00000000000000000000000000000000000000fa')).toMatchObject(
      accept({ calls: [], deploysOnly: true }),
    );
  });

  test('of an account that is there already is not understood', () => {
    expect(decode('0x')).toMatchObject({ ok: false, refusal: { reason: 'CALL_NOT_UNDERSTOOD', field: 'callData' } });
  });

  test('is told that nothing is sponsored, where nothing is, whatever its calls are', () => {
    expect(decode('0x', false)).toMatchObject({ ok: false, refusal: { reason: 'NO_POLICIES' } });
  });
});

test('codes behind the account’s call data and behind a call of it are recorded once each, at most four', async () => {
  const target = numberedAddress(0xc1);
  const suffixOf = (...codes: string[]) => Attribution.toDataSuffix({ codes });
  const data = concat(['0xd09de08a', suffixOf('app', 'wallet')]);
  const execute = parseAbi(['function execute(address to, uint256 value, bytes data)']);
  const callData = concat([
    encodeFunctionData({ abi: execute, args: [target, 0n, data] }),
    suffixOf('wallet', 'relay', 'builder', 'solver'),
  ]);
  const own = {
    ...profile,
    contracts: new Map([[target.toLowerCase(), { name: 'Target', selectors: new Map([['0xd09de08a', 0]]) }]]),
  };
  const decision = draft();
  const operation = { ...operationWith({ callData, sender: numberedAddress(0xa1) }), initCode: '0x' };
  // What the step needs.
  const decoded = await decodeCalls({ draft: decision, profile: own, operation, account: undefined } as never);
  expect(decision.attribution).toEqual(['wallet', 'relay', 'builder', 'solver']);
  const unpaidBytes = size(suffixOf('app', 'wallet')) + size(suffixOf('wallet', 'relay', 'builder', 'solver'));
  expect(decoded).toMatchObject({ ok: true, value: { calls: [{ data }], operation: { callData, unpaidBytes } } });
});

describe('of several webhooks', () => {
  async function ask(answers: readonly ('yes' | 'WEBHOOK_REFUSED' | 'WEBHOOK_UNAVAILABLE')[]) {
    const webhooks = {
      call: async ({ webhookId }: { webhookId: string }): Promise<Result<true>> => {
        const reason = answers[Number(webhookId)] ?? 'yes';
        return reason === 'yes' ? accept(true) : refuse({ reason, message: `webhook ${webhookId} says ${reason}` });
      },
    };
    const own = { ...profile, webhooks: answers.map((_, index) => ({ webhookId: String(index) })) };
    const decision = draft();
    const asked = { parts: { webhooks }, draft: decision, profile: own, context: {} };
    // What the step looks at.
    const result = await askWebhooks(asked as never);
    const verdicts = decision.trace.map(toTraceStep).map(({ verdict }) => verdict);
    return { answer: result.ok ? 'yes' : result.refusal.message, verdicts };
  }

  test('a plain no is the answer wherever it stands among those that could not be asked', async () => {
    const outage = 'WEBHOOK_UNAVAILABLE';
    const no = 'WEBHOOK_REFUSED';
    expect((await ask([outage, 'yes', no, outage])).answer).toBe('webhook 2 says WEBHOOK_REFUSED');
    expect((await ask([no, outage, no])).answer).toBe('webhook 0 says WEBHOOK_REFUSED');
    expect((await ask(['yes', outage, outage])).answer).toBe('webhook 1 says WEBHOOK_UNAVAILABLE');
  });

  test('all must agree, and each is in the trace', async () => {
    expect(await ask(['yes', 'yes'])).toEqual({ answer: 'yes', verdicts: ['passed', 'passed'] });
    expect((await ask(['yes', 'WEBHOOK_REFUSED'])).verdicts).toEqual(['passed', 'refused']);
    expect((await ask([])).answer).toBe('yes');
  });
});

test('an account whose webhooks never answer fills its share of waiting requests, and no one else waits for it', async () => {
  const waiting: (() => void)[] = [];
  const call = () => new Promise<Result<true>>((resolve) => waiting.push(() => resolve(accept(true))));
  const ask = (accountId: string) => {
    const owned = { ...profile, paymaster: { accountId }, webhooks: [{ webhookId: 'slow' }] };
    // What the step looks at.
    return askWebhooks({ parts: { webhooks: { call } }, draft: draft(), context: {}, profile: owned } as never);
  };
  const ofFlooder = Array.from({ length: maxWaitingOfAccount }, () => ask('flooder'));
  expect(await ask('flooder')).toMatchObject({ ok: false, refusal: { reason: 'RATE_LIMITED' } });
  const ofOther = ask('other');
  expect(waiting).toHaveLength(maxWaitingOfAccount + 1);
  for (const end of waiting.splice(0)) end();
  for (const answer of await Promise.all([...ofFlooder, ofOther])) expect(answer.ok).toBe(true);

  const again = ask('flooder');
  expect(waiting).toHaveLength(1);
  waiting[0]?.();
  expect((await again).ok).toBe(true);
});

test('what is signed is noted under the hash that the EntryPoint is going to tell, with its hold', async () => {
  const noted: SignedOperation[] = [];
  const location = { chainId: 10, address: numberedAddress(0xc1), entryPoint: entryPoint07Address };
  const operation: UserOperationWithGas = {
    entryPointVersion: '0.7',
    sender: numberedAddress(0xa1),
    nonce: 5n,
    initCode: '0x',
    callData: '0xb61d27f6',
    maxFeePerGas: 3n,
    maxPriorityFeePerGas: 2n,
    signature: '0x',
    gas: {
      callGasLimit: 1n,
      verificationGasLimit: 2n,
      preVerificationGas: 3n,
      paymasterVerificationGasLimit: 4n,
      paymasterPostOpGasLimit: 5n,
    },
  };
  const signedTerms = {
    mode: 'SPONSORED',
    validUntil: 100,
    validAfter: 0,
    fundingWallet: numberedAddress(1),
    priceMarkup: 1_000_000,
  } as const;
  const signature: Hex = `0x${'7b'.repeat(65)}`;
  const parts = {
    sign: async () => signature,
    signatures: { record: (signed: SignedOperation) => noted.push(signed) },
  };
  const contract = { family: verifyingPaymaster07, location };
  // What the step looks at.
  const profile = { paymaster: { paymasterId: 'pm' } };
  const draft = { decisionId: 'decision' };
  const signed = await sign({ parts, draft, profile, contract, operation, signedTerms, holdId: 42 } as never);
  if (!signed.ok) throw new Error(signed.refusal.message);
  const { gas, entryPointVersion: _, initCode: __, ...fields } = operation;
  const { paymasterData } = signed.value.answer;
  const userOperationHash = getUserOperationHash({
    chainId: location.chainId,
    entryPointAddress: location.entryPoint,
    entryPointVersion: '0.7',
    userOperation: { ...fields, ...gas, paymaster: location.address, paymasterData },
  });
  expect(paymasterData.endsWith(signature.slice(2))).toBe(true);
  expect(noted).toEqual([
    { paymasterId: 'pm', userOperationHash, holdId: 42, decisionId: 'decision', atRisk: false, simulated: false },
  ]);
});
