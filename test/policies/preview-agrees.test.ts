import { type Address, encodeFunctionData, erc20Abi, getAddress, parseAbi } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createManagementClient, type ManagementClient } from '../../clients/sdk/create-management-client.ts';
import type { PolicyRequest } from '../../contract/policy.ts';
import type { PmSponsorUserOperationParams } from '../../contract/rpc/pm-sponsor-user-operation.ts';
import { policyRules } from '../../core/policies/rules/policy-rules.ts';
import { argumentsRule } from '../../core/policies/rules/rule-on-arguments.ts';
import { toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { askRpc } from '../support/service/chain-rpc.ts';
import { askSponsorship, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const everyDay = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const;
/** Each breaks one rule for any operation. */
const broken = {
  'policy-sender': { allowedSenders: [] },
  'policy-period': { notAfter: 1 },
  'policy-pause': { pauses: [{ days: [...everyDay], from: '00:00', until: '00:00' }] },
  'policy-gas-price': { maxFeePerGas: '1' },
  'policy-relay': { relay: 'ONLY' },
  'policy-share': { userPaysPercent: 50 },
  'policy-gas': { maxGasPerOperation: 1 },
  'policy-cost': { maxCostPerOperation: { wei: '1' } },
  'limit-total-ever-operations': { limits: [{ per: 'TOTAL', window: 'EVER', unit: 'OPERATIONS', max: '0' }] },
} as const satisfies Record<string, PolicyRequest>;
const rules = Object.keys(broken) as (keyof typeof broken)[];
const pairs = rules.flatMap((one, index) => rules.slice(index + 1).map((other) => [one, other] as const));

test('there is a policy for each rule, except rules whose answer depends on the calls, the account or the token', () => {
  const ids = Object.values(policyRules).flatMap((rules) => Object.keys(rules));
  const other = [
    ...['policy-calls', argumentsRule, 'limited-calls', 'policy-tokens', 'policy-ticket', 'policy-accounts'],
    'policy-method-gas',
  ];
  expect(rules.map((rule) => (rule.startsWith('limit-') ? 'policy-limits' : rule))).toEqual(
    ids.filter((id) => !other.includes(id)),
  );
});

type Asked = { readonly rpcUrl: string; readonly client: ManagementClient; readonly apiKey: string };

/** Signs one operation, then decides it under another policy: in a preview, live, and in an explanation. */
async function decideTwice({ rpcUrl, client }: Asked, change: () => Promise<PolicyRequest>) {
  await client.setPolicy({ policy: {} });
  const account = newSmartAccount('0.7');
  const operation = await nextOperation(service.devnet, account, [targetCall(service.devnet, 'increment')]);
  expect((await askSponsorship(rpcUrl, operation)).result).toBeDefined();
  const policy = await change();
  const { cutOff } = await client.previewPolicy({ policy, last: 1 });
  await client.setPolicy({ policy });
  expect((await askSponsorship(rpcUrl, operation)).result).toBeUndefined();
  const [live] = (await client.listDecisions({ limit: 1 })).decisions;
  return { previewed: cutOff[0], live: { reason: live?.reason, trace: live?.trace.at(-1) } };
}

async function newPaymaster(): Promise<Asked> {
  const { authToken } = await service.issueAccount();
  const { rpcUrl, apiKey } = await service.fundedPaymaster(authToken, '0.7');
  return { rpcUrl, apiKey, client: createManagementClient({ baseUrl: service.url, authToken, apiKey }) };
}

test('where a policy breaks two rules, its preview names the one that refuses live', async () => {
  const asked = await newPaymaster();
  for (const [one, other] of pairs) {
    const { previewed, live } = await decideTwice(asked, async () => ({ ...broken[one], ...broken[other] }));
    expect([previewed?.rule, previewed?.reason], `${one} and ${other}`).toEqual([live.trace?.rule, live.reason]);
    expect(previewed?.rule).toBe(one);
  }
});

test('a cap on the gas of a method is previewed as it is refused', async () => {
  const asked = await newPaymaster();
  const cap = { contract: service.devnet.target.address, method: 'increment', maxCallGas: 1 };
  const { previewed, live } = await decideTwice(asked, async () => ({ methodGas: [cap] }));
  expect([previewed?.rule, previewed?.reason]).toEqual([live.trace?.rule, live.reason]);
  expect(previewed?.rule).toBe('policy-method-gas');
});

test('a blocked sender that calls an unregistered contract is previewed as it is refused: for its call', async () => {
  const asked = await newPaymaster();
  const { previewed, live } = await decideTwice(asked, async () => {
    const { client } = asked;
    await client.deleteSmartContract({ address: service.devnet.target.address });
    await client.registerSmartContract({
      name: 'token',
      address: service.devnet.entryPoints['0.7'],
      abi: erc20Abi,
      whitelistedMethods: ['transfer'],
    });
    return { allowedSenders: [] };
  });
  expect(live).toMatchObject({ reason: 'CONTRACT_NOT_REGISTERED', trace: { rule: 'policy-calls' } });
  expect(previewed).toMatchObject({ rule: 'policy-calls', reason: live.reason });
});

test('an account that is not known is previewed as it is refused, and explained', async () => {
  const asked = await newPaymaster();
  const { client, rpcUrl } = asked;
  await client.setPolicy({ policy: { accounts: 'ANY' } });
  const { devnet } = service;
  const account = newSmartAccount('0.7');
  const increment = [targetCall(devnet, 'increment')];
  const first = await nextOperation(devnet, account, increment);
  await land(devnet, account, withAnswer(first, await sponsor(rpcUrl, first)));
  // The same proxy with a byte behind its end: it does as before, and is code that no one knows.
  const code = await devnet.client.getCode({ address: first.sender });
  await devnet.client.setCode({ address: first.sender, bytecode: `${code ?? '0x'}00` });
  const operation = await nextOperation(devnet, account, increment);
  expect((await askSponsorship(rpcUrl, operation)).result).toBeDefined();

  const { cutOff } = await client.previewPolicy({ policy: {}, last: 1 });
  await client.setPolicy({ policy: {} });
  const live = await askSponsorship(rpcUrl, operation);
  expect(live.reason).toBe('ACCOUNT_NOT_KNOWN');
  expect(cutOff).toMatchObject([{ reason: live.reason, rule: 'policy-accounts', message: live.message }]);
  const [decision] = (await client.listDecisions({ limit: 1 })).decisions;
  expect(decision?.facts?.account).toMatchObject({ known: false, setting: 'accounts.proxies' });
  expect(decision?.trace.at(-1)?.remedy).toContain(decision?.facts?.account?.codeHash);
  expect((await client.previewPolicy({ policy: { accounts: 'ANY' }, last: 1 })).letIn).toMatchObject([
    { reason: live.reason, rule: 'policy-accounts' },
  ]);
});

const swapAbi = parseAbi([
  'struct Swap { address tokenIn; uint256 amountIn; address recipient; }',
  'function swap(Swap params) payable',
]);

test('a swap for someone else is refused live, in a preview and in an explanation; for the account itself it is signed', async () => {
  const { client, rpcUrl } = await newPaymaster();
  // Nothing is there, so that every call of it succeeds.
  const router = getAddress('0x00000000000000000000000000000000000a5a90');
  await client.registerSmartContract({ name: 'router', address: router, abi: swapAbi, whitelistedMethods: ['swap'] });
  const account = newSmartAccount('0.7');
  const { sender } = await nextOperation(service.devnet, account, []);
  const swapTo = (recipient: Address) => {
    const args = [{ tokenIn: router, amountIn: 5n, recipient }] as const;
    return nextOperation(service.devnet, account, [
      { to: router, data: encodeFunctionData({ abi: swapAbi, functionName: 'swap', args }) },
    ]);
  };
  const stranger = await swapTo(service.devnet.target.address);
  expect((await askSponsorship(rpcUrl, stranger)).result).toBeDefined();

  const policy: PolicyRequest = {
    callRules: [{ contract: router, method: 'swap', where: [{ argument: 'params.recipient', is: 'msg.sender' }] }],
  };
  const { cutOff, unread } = await client.previewPolicy({ policy, last: 1 });
  await client.setPolicy({ policy });
  const live = await askSponsorship(rpcUrl, stranger);
  expect(live.reason).toBe('ARGUMENT_NOT_ALLOWED');
  expect(live.message).toContain(`params.recipient is ${service.devnet.target.address.toLowerCase()}`);
  expect(unread).toBe(0);
  expect(cutOff).toMatchObject([{ reason: live.reason, rule: 'call-arguments', message: live.message }]);
  const [decision] = (await client.listDecisions({ limit: 1 })).decisions;
  expect(decision?.trace.at(-1)).toMatchObject({
    rule: 'call-arguments',
    limit: 'params.recipient: msg.sender',
    fix: { action: 'change-policy', policyField: 'callRules', target: router },
  });
  expect((await askSponsorship(rpcUrl, await swapTo(sender))).result).toBeDefined();
});

test('a batch beyond a limit of a method is refused live, in a preview and in an explanation, and an allowance tells what is left', async () => {
  const { client, rpcUrl } = await newPaymaster();
  const { devnet } = service;
  const account = newSmartAccount('0.7');
  const increment = targetCall(devnet, 'increment');
  const twice = await nextOperation(devnet, account, [increment, increment]);
  expect((await askSponsorship(rpcUrl, twice)).result).toBeDefined();

  const called = { contract: devnet.target.address, method: 'increment' };
  const limit = { per: 'SENDER', window: 'DAY', unit: 'OPERATIONS', max: '1', ...called } as const;
  const policy: PolicyRequest = { limits: [limit] };
  const wrong = { limits: [{ ...limit, method: 'nothing' }] };
  await expect(client.setPolicy({ policy: wrong })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('limits[0].method must be a state-changing method of the registered ABI'),
  });
  const { cutOff } = await client.previewPolicy({ policy, last: 1 });
  expect(await client.setPolicy({ policy })).toMatchObject(policy);
  const other = await nextOperation(devnet, newSmartAccount('0.7'), [increment, increment]);
  const smartAccountInfo = { name: 'INFINITISM', version: '1.0.0' };
  const explained = await client.explainSponsorship({
    method: 'pm_sponsorUserOperation',
    // As the endpoint takes it: its schema is that of the method's params.
    params: [
      toRpcUserOperation(other),
      { mode: 'SPONSORED', sponsorshipInfo: { smartAccountInfo } },
    ] as unknown as PmSponsorUserOperationParams,
  });
  const live = await askSponsorship(rpcUrl, other);
  expect(live).toMatchObject({ reason: 'LIMIT_EXCEEDED', message: expect.stringContaining('1 call of increment of') });
  const rule = 'limit-sender-day-operations-of-method';
  expect(cutOff).toMatchObject([{ reason: live.reason, rule, message: live.message }]);
  expect(explained).toMatchObject({ reason: live.reason, message: live.message });
  const [decision] = (await client.listDecisions({ limit: 1 })).decisions;
  expect(decision?.trace.at(-1)).toMatchObject({ rule, fix: { action: 'change-policy', policyField: 'limits' } });

  const once = await nextOperation(devnet, newSmartAccount('0.7'), [increment]);
  expect((await askSponsorship(rpcUrl, once)).result).toBeDefined();
  const allowance = await askRpc(rpcUrl, 'tollfree_getAllowance', [{ sender: once.sender }]);
  expect(allowance.result).toEqual({ limits: [{ ...limit, left: '0', until: expect.any(Number) }] });
  expect((await client.deleteSmartContract({ address: devnet.target.address })).brokenRules).toEqual([
    expect.stringContaining('limits[0].contract must be a registered contract'),
  ]);
});
