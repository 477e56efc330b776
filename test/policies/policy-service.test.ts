import type { Address } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createManagementClient, type ManagementClient } from '../../clients/sdk/create-management-client.ts';
import type { PolicyRequest } from '../../contract/policy.ts';
import type { DevPaymaster } from '../../server/dev/dev-file.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { fundWithTokens, newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { askRpc, type QuotesAnswer, quotesAnswer, type RpcAnswer } from '../support/service/chain-rpc.ts';
import { askQuotes, askSponsorship, type Wish } from '../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

const day = { per: 'SENDER', window: 'DAY', max: '1' } as const;

describe.each(rowsOfRun(['grpc', 'local'] as const, 1))('policies over the %s handle', (handle) => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({ handle });
  });
  afterAll(() => service.close());

  async function newPaymaster(): Promise<DevPaymaster & { client: ManagementClient }> {
    const { authToken } = await service.issueAccount();
    const paymaster = await service.fundedPaymaster(authToken, '0.7');
    return {
      ...paymaster,
      client: createManagementClient({ baseUrl: service.url, authToken, apiKey: paymaster.apiKey }),
    };
  }
  const newOperation = (): Promise<DevUserOperation> =>
    nextOperation(service.devnet, newSmartAccount('0.7'), [targetCall(service.devnet, 'increment')]);
  const ask = async (rpcUrl: string, operation?: DevUserOperation, wish: Wish = {}): Promise<RpcAnswer> =>
    askSponsorship(rpcUrl, operation ?? (await newOperation()), wish);
  /** `signed`, or the reason of the refusal. */
  const outcomeOf = ({ reason, result }: RpcAnswer): string | undefined => (result === undefined ? reason : 'signed');

  test('a policy is answered as it was set, and one with a cap before', async () => {
    const { client } = await newPaymaster();
    const refused = { sponsorAllCalls: false, allowAccountDeployment: false, allowRevertingOperations: false };
    const unset = {
      ...refused,
      accounts: 'KNOWN',
      relay: 'NEVER',
      thenPayInToken: false,
      requireTicket: false,
      ignoreForeignPolicyIds: false,
    };
    const etag = expect.any(String);
    const none = { ...unset, blockedSenders: [], pauses: [], limits: [], callRules: [], methodGas: [], etag };
    // The cap of a new paymaster.
    expect(await client.readPolicy()).toEqual({ ...none, maxCostPerOperation: { wei: expect.any(String) } });
    const policy: PolicyRequest = {
      sponsorAllCalls: true,
      maxCostPerOperation: { wei: '1000', usd: '0.000001' },
      allowedSenders: [],
      tokens: { enabled: true, allowed: [service.devnet.target.address] },
      notBefore: 0,
      pauses: [{ days: ['SUN', 'MON'], from: '00:00', until: '23:59' }],
      limits: [{ ...day, unit: 'USD', max: '999999999.999999' }],
    };
    expect(await client.setPolicy({ policy })).toEqual({ ...none, ...policy });
    expect(await client.readPolicy()).toEqual({ ...none, ...policy });
    await client.setPolicy({ policy: {} });
    expect(await client.readPolicy()).toEqual(none);
  });

  test('what contradicts itself is refused with the field, and the policy before stays', async () => {
    const { client } = await newPaymaster();
    const before = await client.setPolicy({ policy: { maxFeePerGas: '7' } });
    const wrongChecksum = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed';
    const wrong: [PolicyRequest, string][] = [
      [{ blockedSenders: [wrongChecksum] }, 'blockedSenders[0] must be a valid address'],
      [{ notBefore: 2, notAfter: 1 }, 'notAfter must be later than notBefore'],
      [{ pauses: [{ days: [], from: '00:00', until: '00:00' }] }, 'pauses[0].days must name at least one day'],
      [
        {
          limits: [
            { ...day, unit: 'WEI' },
            { ...day, unit: 'WEI', max: '2' },
          ],
        },
        'limits[1] must differ from limits[0] in per, window, unit, contract or method',
      ],
    ];
    for (const [policy, message] of wrong) {
      await expect(client.setPolicy({ policy })).rejects.toMatchObject({ status: 400, message });
      await expect(client.previewPolicy({ policy })).rejects.toMatchObject({ status: 400, message });
    }
    expect(await client.readPolicy()).toEqual(before);
  });

  test('a policy decides the next request, of its own paymaster alone', async () => {
    const { client, rpcUrl } = await newPaymaster();
    const other = await newPaymaster();
    const operation = await newOperation();
    const policies: [PolicyRequest, string][] = [
      [{}, 'signed'],
      [{ blockedSenders: [operation.sender] }, 'SENDER_BLOCKED'],
      [{ allowedSenders: [service.devnet.target.address] }, 'SENDER_BLOCKED'],
      [{ allowedSenders: [operation.sender.toLowerCase() as Address] }, 'signed'],
      [{ notAfter: 1 }, 'LIMIT_EXCEEDED'],
      [
        { pauses: [{ days: ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'], from: '00:00', until: '00:00' }] },
        'LIMIT_EXCEEDED',
      ],
      [{ maxFeePerGas: '1' }, 'GAS_PRICE_TOO_HIGH'],
      [{ maxCostPerOperation: { wei: '1' } }, 'LIMIT_EXCEEDED'],
      [{ maxCostPerOperation: { usd: '0.000001' } }, 'LIMIT_EXCEEDED'],
      [{ maxCostPerOperation: { usd: '1000000' } }, 'signed'],
    ];
    for (const [policy, expected] of policies) {
      await client.setPolicy({ policy });
      expect(outcomeOf(await ask(rpcUrl, operation)), JSON.stringify(policy)).toBe(expected);
      expect(outcomeOf(await ask(other.rpcUrl)), 'another paymaster').toBe('signed');
    }
  });

  test('those who pay in tokens are bound by who, when, price and cost, and by nothing that is given away', async () => {
    const { client, rpcUrl } = await newPaymaster();
    const { devnet } = service;
    const [token, other] = devnet.tokens;
    if (token === undefined || other === undefined) throw new Error('The chain has two tokens.');
    const operation = await newOperation();
    const spender = devnet.paymasterContracts['pimlico-singleton-0.7'];
    await fundWithTokens(devnet, token, { owner: operation.sender, spender });
    const wish = { token: token.address };
    const outcomes = async (policy: PolicyRequest) => {
      await client.setPolicy({ policy });
      const quoted = outcomeOf(await askQuotes(rpcUrl, operation, wish));
      return [quoted, outcomeOf(await ask(rpcUrl, operation, wish))];
    };
    const bound: readonly (readonly [PolicyRequest, string, string])[] = [
      [{ blockedSenders: [operation.sender] }, 'SENDER_BLOCKED', 'SENDER_BLOCKED'],
      [{ notAfter: 1 }, 'LIMIT_EXCEEDED', 'LIMIT_EXCEEDED'],
      [{ maxFeePerGas: '0' }, 'GAS_PRICE_TOO_HIGH', 'GAS_PRICE_TOO_HIGH'],
      [{ maxGasPerOperation: 1 }, 'signed', 'LIMIT_EXCEEDED'],
      [{ maxCostPerOperation: { wei: '1' } }, 'signed', 'LIMIT_EXCEEDED'],
      [{ tokens: { enabled: false } }, 'TOKEN_NOT_SUPPORTED', 'TOKEN_NOT_SUPPORTED'],
      [{ tokens: { allowed: [other.address] } }, 'signed', 'TOKEN_NOT_SUPPORTED'],
      [{ limits: [{ ...day, unit: 'OPERATIONS', max: '0' }] }, 'signed', 'signed'],
      [{ tokens: { allowed: [token.address] } }, 'signed', 'signed'],
    ];
    for (const [policy, quoted, signed] of bound) {
      expect(await outcomes(policy), JSON.stringify(policy)).toEqual([quoted, signed]);
    }
  });

  test('a token that the policy does not take is not quoted, not listed and comes back', async () => {
    const { client, rpcUrl } = await newPaymaster();
    const [token, other] = service.devnet.tokens.map(({ address }) => address);
    if (token === undefined || other === undefined) throw new Error('The chain has two tokens.');
    await client.setPolicy({ policy: { tokens: { allowed: [token] } } });
    const operation = await newOperation();
    const tokens = (quotes: QuotesAnswer) => quotes.feeQuotes.map(({ tokenAddress }) => tokenAddress);
    expect(tokens(quotesAnswer(await askQuotes(rpcUrl, operation)))).toEqual([token]);
    const refused = quotesAnswer(await askQuotes(rpcUrl, operation, { token: other }));
    expect(refused).toMatchObject({ feeQuotes: [], unsupportedTokens: [other] });
    const listed = await askRpc(rpcUrl, 'pimlico_getSupportedTokens', []);
    expect(listed.result).toEqual([expect.objectContaining({ token })]);
  });

  test('a preview tells whom a policy would cut off of those who pay in tokens', async () => {
    const { client, rpcUrl } = await newPaymaster();
    const [token] = service.devnet.tokens;
    if (token === undefined) throw new Error('The chain has tokens.');
    const operation = await newOperation();
    const spender = service.devnet.paymasterContracts['pimlico-singleton-0.7'];
    await fundWithTokens(service.devnet, token, { owner: operation.sender, spender });
    expect(outcomeOf(await ask(rpcUrl, operation, { token: token.address }))).toBe('signed');
    const cutting: readonly (readonly [PolicyRequest, string])[] = [
      [{ tokens: { enabled: false } }, 'policy-tokens'],
      [{ allowedSenders: [] }, 'policy-sender'],
      [{ maxCostPerOperation: { wei: '1' } }, 'policy-cost'],
    ];
    for (const [policy, rule] of cutting) {
      expect((await client.previewPolicy({ policy })).cutOff, rule).toMatchObject([{ rule }]);
    }
    const limits = [{ ...day, unit: 'OPERATIONS', max: '0' } as const];
    expect((await client.previewPolicy({ policy: { limits } })).cutOff).toEqual([]);
  });

  test('a limit counts from when it is set, not what is answered with terms of before', async () => {
    const { client, rpcUrl } = await newPaymaster();
    const account = newSmartAccount('0.7');
    const call = targetCall(service.devnet, 'increment');
    const [first, second, third] = [
      await nextOperation(service.devnet, account, [call]),
      await nextOperation(service.devnet, account, [call], 1n),
      await nextOperation(service.devnet, account, [call], 2n),
    ];
    expect(outcomeOf(await ask(rpcUrl, first))).toBe('signed');
    await client.setPolicy({ policy: { limits: [{ ...day, window: 'EVER', unit: 'OPERATIONS' }] } });
    expect(outcomeOf(await ask(rpcUrl, first)), 'the same operation again').toBe('signed');
    expect(outcomeOf(await ask(rpcUrl, second))).toBe('signed');
    const refused = await ask(rpcUrl, third);
    expect(outcomeOf(refused)).toBe('LIMIT_EXCEEDED');
    expect(refused.message).toContain('1 operation ever');
    expect(outcomeOf(await ask(rpcUrl)), 'another sender').toBe('signed');
  });

  test('a preview tells whom a policy would cut off and let in, and changes nothing', async () => {
    const { client, rpcUrl } = await newPaymaster();
    expect(await client.previewPolicy({ policy: {} })).toMatchObject({ replayed: 0, cutOff: [], letIn: [] });
    const [blocked, first, second] = [await newOperation(), await newOperation(), await newOperation()];
    const set = await client.setPolicy({ policy: { blockedSenders: [blocked.sender] } });
    expect(outcomeOf(await ask(rpcUrl, blocked))).toBe('SENDER_BLOCKED');
    // Records of refusals are written a little later: it is to be before those of the signatures.
    expect((await client.previewPolicy({ policy: {} })).replayed).toBe(1);
    for (const operation of [first, second]) expect(outcomeOf(await ask(rpcUrl, operation))).toBe('signed');

    const policy: PolicyRequest = { blockedSenders: [first.sender] };
    const preview = await client.previewPolicy({ policy });
    expect(preview.replayed).toBe(3);
    expect(preview.cutOff).toMatchObject([{ sender: first.sender, reason: 'SENDER_BLOCKED', rule: 'policy-sender' }]);
    expect(preview.letIn).toMatchObject([{ sender: blocked.sender, reason: 'SENDER_BLOCKED', rule: 'policy-sender' }]);
    expect(preview.senders).toEqual([{ sender: first.sender, cutOff: 1 }]);

    const last = await client.previewPolicy({
      policy: { limits: [{ ...day, per: 'TOTAL', window: 'EVER', unit: 'OPERATIONS' }] },
      last: 2,
    });
    expect(last).toMatchObject({
      replayed: 2,
      cutOff: [{ sender: second.sender, rule: 'limit-total-ever-operations' }],
    });
    expect(await client.readPolicy()).toEqual(set);
  });

  test('a preview of a first limit in USD values what was signed before at the present price', async () => {
    const { client, rpcUrl } = await newPaymaster();
    for (const operation of [await newOperation(), await newOperation()]) {
      expect(outcomeOf(await ask(rpcUrl, operation))).toBe('signed');
    }
    const preview = await client.previewPolicy({ policy: { maxCostPerOperation: { usd: '0.000001' } } });
    expect(preview).toMatchObject({ replayed: 2, unpriced: 0 });
    expect(preview.cutOff.map(({ rule }) => rule)).toEqual(['policy-cost', 'policy-cost']);
  });
});
