import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PolicyHead } from '../../core/domain/named-policy.ts';
import { defaultPolicy, type Policy } from '../../core/domain/policy.ts';
import { accepted } from '../../server/accepted.ts';
import type { DevPaymaster } from '../../server/dev/dev-file.ts';
import { toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { askRpc, type RpcAnswer } from '../support/service/chain-rpc.ts';
import { askSponsorship, type Wish } from '../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

let service: RunningService;
let paymaster: DevPaymaster;
let owned: { readonly accountId: string; readonly paymasterId: string };

beforeAll(async () => {
  service = await startService({ handle: 'grpc' });
  const { accountId, authToken } = await service.issueAccount();
  paymaster = await service.fundedPaymaster(authToken, '0.7');
  owned = { accountId, paymasterId: paymaster.paymasterId };
});
afterAll(() => service.close());

let policies = 0;
async function newPolicy(changes: Partial<Policy> = {}, over: Partial<PolicyHead> = {}) {
  policies += 1;
  const head = { name: `Policy ${policies}`, enabled: true, ...over };
  return accepted(await service.core.createPolicy({ ...owned, head, policy: { ...defaultPolicy, ...changes } }));
}
const newOperation = () =>
  nextOperation(service.devnet, newSmartAccount('0.7'), [targetCall(service.devnet, 'increment')]);
const ask = async (wish: Wish): Promise<RpcAnswer> => askSponsorship(paymaster.rpcUrl, await newOperation(), wish);
const outcomeOf = ({ reason, result }: RpcAnswer) => (result === undefined ? reason : 'signed');
const setDefault = async (changes: Partial<Policy>) =>
  accepted(await service.core.setPolicy({ ...owned, policy: { ...defaultPolicy, ...changes } }));

test('the policy that a request names decides, and no other; its limits count by themselves', async () => {
  const once = { limits: [{ per: 'total', window: 'ever', unit: 'operations', max: 1n }] } as const;
  const open = await newPolicy(once);
  const shut = await newPolicy({ maxGasPerOperation: 1 });
  const outcomes = [];
  for (const policyId of [open.policyId, open.policyId, shut.policyId, '', undefined]) {
    outcomes.push(outcomeOf(await ask(policyId === undefined ? {} : { policyId })));
  }
  expect(outcomes).toEqual(['signed', 'LIMIT_EXCEEDED', 'LIMIT_EXCEEDED', 'signed', 'signed']);
  await setDefault(once);
  const { policyId } = await newPolicy();
  expect(outcomeOf(await ask({}))).toBe('signed');
  expect(outcomeOf(await ask({}))).toBe('LIMIT_EXCEEDED');
  expect(outcomeOf(await ask({ policyId }))).toBe('signed');
  await setDefault({});
});

test('the policy is in the decision, its trace and the explanation, and the preview decides by it', async () => {
  const { policyId, name } = await newPolicy();
  expect(outcomeOf(await ask({ policyId }))).toBe('signed');
  // Without those of other tests: a refusal is written a moment after its answer.
  const listed = accepted(await service.core.listDecisions({ ...owned, filter: { outcome: 'signed' }, limit: 1 }));
  const [decision] = listed.decisions;
  const step = { rule: 'policy', verdict: 'passed', checked: `policy ${policyId} (${name})` };
  expect(decision).toMatchObject({ policyId, outcome: 'signed', trace: expect.arrayContaining([step]) });
  const asked = {
    ...owned,
    method: 'getPaymasterData' as const,
    askWebhooks: false,
    entryPoint: paymaster.entryPoint,
    userOperation: toRpcUserOperation(await newOperation()) as Record<string, string>,
  };
  const context = { sponsorshipInfoGiven: false, calculateGasLimits: true, policyId };
  const explained = accepted(await service.core.explainSponsorship({ ...asked, context }));
  expect(explained).toMatchObject({ policyId, outcome: 'signed', trace: expect.arrayContaining([step]) });
  const shut = { ...defaultPolicy, allowedSenders: [] };
  const preview = accepted(await service.core.previewPolicy({ ...owned, policyId, policy: shut }));
  expect(preview.cutOff.map((changed) => changed.decisionId)).toEqual([decision?.decisionId]);
});

test('an id that may not be chosen is refused with those that may, and never decided by the default policy', async () => {
  const open = await newPolicy();
  const closed = await newPolicy({}, { enabled: false });
  const deleted = await newPolicy();
  accepted(await service.core.deletePolicy({ ...owned, policyId: deleted.policyId }));
  const other = await service.issueAccount();
  const stranger = await service.fundedPaymaster(other.authToken, '0.7', 2);
  const foreign = { accountId: other.accountId, paymasterId: stranger.paymasterId };
  const head = { name: 'Elsewhere', enabled: true };
  const elsewhere = accepted(await service.core.createPolicy({ ...foreign, head, policy: defaultPolicy }));
  const ours = [closed.policyId, deleted.policyId, elsewhere.policyId];
  const theirs = ['sp_clever_unus', '0b4f8c5e-3d6a-4f0e-9a52-0d6f7c8a9b10', 'x'.repeat(5_000)];
  for (const policyId of [...ours, ...theirs]) {
    const { reason, message } = await ask({ policyId });
    expect([reason, message]).toEqual([
      'POLICY_NOT_ACCEPTED',
      expect.stringContaining(`${open.policyId} (${open.name})`),
    ]);
    expect(message?.length).toBeLessThan(2_000);
  }
  await setDefault({ ignoreForeignPolicyIds: true });
  for (const policyId of ours) expect(outcomeOf(await ask({ policyId }))).toBe('POLICY_NOT_ACCEPTED');
  for (const policyId of theirs) expect(outcomeOf(await ask({ policyId }))).toBe('signed');
  await setDefault({});
});

test('the names that other services have for it are understood, and two must not say two things', async () => {
  const { policyId } = await newPolicy({ allowedSenders: [] });
  const operation = toRpcUserOperation(await newOperation());
  const askWith = (context: object) =>
    askRpc(paymaster.rpcUrl, 'pm_sponsorUserOperation', [operation, paymaster.entryPoint, context]);
  expect(await askWith({ sponsorshipPolicyId: policyId })).toMatchObject({ reason: 'SENDER_BLOCKED' });
  expect(await askWith({ policyId })).toMatchObject({ reason: 'SENDER_BLOCKED' });
  expect(await askWith({ policyId, sponsorshipPolicyId: 'sp' })).toMatchObject({
    code: -32602,
    message: expect.stringContaining('must be the same as policyId'),
  });
});

test('the same request under another policy is another one, and each answers with its own hold again', async () => {
  const [first, second] = [await newPolicy(), await newPolicy()];
  const operation = await newOperation();
  const held = async () => accepted(await service.core.readGasTank(owned)).held;
  const before = await held();
  const answers = [];
  for (const { policyId } of [first, second, first])
    answers.push(await askSponsorship(paymaster.rpcUrl, operation, { policyId }));
  expect(answers.map(outcomeOf)).toEqual(['signed', 'signed', 'signed']);
  const once = (await held()) - before;
  await askSponsorship(paymaster.rpcUrl, operation, { policyId: second.policyId });
  expect((await held()) - before).toBe(once);
});
