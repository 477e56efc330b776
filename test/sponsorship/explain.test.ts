import fc from 'fast-check';
import { type Address, parseGwei } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DecisionMethod, Explanation } from '../../core/domain/decision.ts';
import { defaultPolicy, type Policy } from '../../core/domain/policy.ts';
import type { Result } from '../../core/domain/result/result.ts';
import type { SponsorshipContext } from '../../core/domain/sponsorship.ts';
import { rawUserOperation } from '../../gateway/rpc/sponsorship-request.ts';
import { accepted } from '../../server/accepted.ts';
import { incrementCall } from '../../server/dev/demo-operations.ts';
import type { DevPaymaster } from '../../server/dev/dev-file.ts';
import { newOperation } from '../support/interface/rpc-calls.ts';
import { repeatsOfRun } from '../support/run/rows-of-run.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

const versions = ['0.6', '0.7', '0.8'] as const;
let service: RunningService;
let accountId: string;
let paymasters: readonly DevPaymaster[];

beforeAll(async () => {
  service = await startService();
  const account = await service.issueAccount();
  accountId = account.accountId;
  const registered: DevPaymaster[] = [];
  for (const version of versions) registered.push(await service.fundedPaymaster(account.authToken, version));
  paymasters = registered;
  // A first signature finds each deposit, so that none arrives while an explanation is looked at.
  for (const index of versions.keys()) accepted(await really(await build({ ...plain, paymaster: index })));
});
afterAll(() => service.close());

type Asked = {
  readonly paymaster: DevPaymaster;
  readonly method: DecisionMethod;
  readonly userOperation: ReturnType<typeof rawUserOperation>;
  readonly context: SponsorshipContext;
  readonly entryPoint: string;
};

const stranger: Address = '0x00000000000000000000000000000000000000aa';
const infinitism = { name: 'INFINITISM', version: '1.0.0' };

/** What a request differs in from one that is sponsored. */
const variation = fc.record({
  paymaster: fc.nat({ max: 2 }),
  method: fc.constantFrom<DecisionMethod>(
    'getFeeQuoteOrData',
    'sponsorUserOperation',
    'getPaymasterStubData',
    'getPaymasterData',
  ),
  operation: fc.constantFrom(
    {},
    {},
    {},
    { maxFeePerGas: '0xffffffffffffff' },
    { callGasLimit: 90_000_000 },
    { callGasLimit: 0, verificationGasLimit: 0, preVerificationGas: 0 },
    { callData: '0xdeadbeef' },
    { callData: '0x' },
    { nonce: 'three' },
    { nonce: '0x50000000000000000' },
    { sender: stranger },
  ),
  target: fc.constantFrom('registered', 'registered', 'foreign'),
  context: fc.record(
    {
      mode: fc.constantFrom('SPONSORED', 'SPONSORED', 'SPONSORED', 'ERC20', 'ERC20', '', 'FREE'),
      calculateGasLimits: fc.boolean(),
      expiryDuration: fc.constantFrom(60, 300, 600, 60, 300, 600, 1, 1e9),
      webhookDataJson: fc.constantFrom('{}', '{"user":1}'),
      sponsorshipInfoGiven: fc.constantFrom(true, true, true, false),
      smartAccountInfo: fc.constantFrom(infinitism, infinitism, infinitism, { name: 'NOBODY', version: '9' }),
    },
    { requiredKeys: ['sponsorshipInfoGiven', 'smartAccountInfo', 'mode'] },
  ),
  feeToken: fc.constantFrom('first', 'first', 'unknown', 'none'),
  /** What the rules of arguments want of the call: nothing, what it does, or what it does not. */
  rules: fc.constantFrom('none', 'none', 'fulfilled', 'broken'),
  policy: fc.oneof(
    fc.constant(defaultPolicy),
    fc.record<Policy>({
      sponsorAllCalls: fc.boolean(),
      allowAccountDeployment: fc.boolean(),
      allowRevertingOperations: fc.boolean(),
      accounts: fc.constantFrom('KNOWN', 'ANY'),
      // ONLY is no rule of the list: a preview does not know how an operation came.
      relay: fc.constantFrom('NEVER', 'PREFER'),
      blockedSenders: fc.constantFrom([], [stranger]),
      requireTicket: fc.constantFrom(false, false, false, true),
      pauses: fc.constantFrom([], [{ days: [1, 2, 3, 4, 5, 6, 7] as const, from: 0, until: 0 }]),
      limits: fc.constantFrom(
        [],
        [{ per: 'sender', window: 'day', unit: 'operations', max: 1n }] as const,
        [{ per: 'total', window: 'ever', unit: 'wei', max: 10n ** 16n }] as const,
        [{ per: 'total', window: 'hour', unit: 'usdMicros', max: 20_000_000n }] as const,
        [{ per: 'total', window: 'month', unit: 'operations', max: 0n }] as const,
      ),
      ignoreForeignPolicyIds: fc.boolean(),
      thenPayInToken: fc.boolean(),
      callRules: fc.constant([]),
      methodGas: fc.constant([]),
    }),
    fc.constantFrom<Policy>(
      { ...defaultPolicy, maxFeePerGas: 1n },
      { ...defaultPolicy, maxCostWei: parseGwei('1') },
      { ...defaultPolicy, maxCostUsdMicros: 1n },
      { ...defaultPolicy, allowedSenders: [stranger] },
      { ...defaultPolicy, notAfter: 1 },
      { ...defaultPolicy, notBefore: 9_999_999_999 },
    ),
  ),
});
type Variation = typeof variation extends fc.Arbitrary<infer T> ? T : never;

function withRules({ policy, rules }: Variation): Policy {
  if (rules === 'none') return policy;
  const where = [{ argument: 'msg.value', ...(rules === 'fulfilled' ? { is: '0' } : { atLeast: '1' }) }];
  return { ...policy, callRules: [{ contract: service.devnet.target.address, method: 'increment', where }] };
}

async function build(varied: Variation): Promise<Asked> {
  const paymaster = paymasters[varied.paymaster];
  const [token] = service.devnet.tokens;
  if (paymaster === undefined || token === undefined) throw new Error('The service has paymasters and tokens.');
  const call = incrementCall(service.devnet);
  const calls = varied.target === 'registered' ? [call] : [call, { ...call, to: stranger }];
  const operation = await newOperation(service.devnet, paymaster.entryPointVersion, calls);
  const feeTokens = { first: token.address, unknown: stranger, none: undefined };
  const feeTokenAddress = feeTokens[varied.feeToken];
  const tokenInfo = { tokenInfo: feeTokenAddress === undefined ? {} : { feeTokenAddress } };
  return {
    paymaster,
    method: varied.method,
    userOperation: rawUserOperation({ ...operation, ...varied.operation }),
    context: { ...varied.context, ...(varied.context.mode === 'SPONSORED' ? {} : tokenInfo) },
    entryPoint: paymaster.entryPoint,
  };
}

function owned({ paymasterId }: DevPaymaster) {
  return { accountId, paymasterId };
}

function explain({ paymaster, ...asked }: Asked, askWebhooks = false): Promise<Result<Explanation>> {
  return service.core.explainSponsorship({ ...owned(paymaster), ...asked, askWebhooks });
}

async function really({ paymaster, method, ...asked }: Asked): Promise<Result<{ readonly decisionId: string }>> {
  const request = { apiKey: paymaster.apiKey, chainId: paymaster.chainId, ...asked };
  switch (method) {
    case 'getFeeQuoteOrData':
      return service.core.getFeeQuoteOrData(request);
    case 'sponsorUserOperation':
      return service.core.sponsorUserOperation(request);
    case 'getPaymasterStubData':
      return service.core.getPaymasterStubData(request);
    case 'getPaymasterData': {
      const data = await service.core.getPaymasterData(request);
      return data.ok ? { ok: true, value: data.value.signed } : data;
    }
    case 'prepareRelay':
      return service.core.prepareRelay(request);
    case 'relayUserOperation':
      return service.core.relayUserOperation(request);
  }
}

/** What must not change by explaining. */
async function look(paymaster: DevPaymaster) {
  const tank = accepted(await service.core.readGasTank(owned(paymaster)));
  const { decisions } = accepted(await service.core.listDecisions({ ...owned(paymaster), filter: {}, limit: 1 }));
  return { held: tank.held, available: tank.available, last: decisions[0]?.decisionId };
}

describe('an explanation', () => {
  test('says what the real request is answered, with the same trace, and a preview agrees; it holds and keeps nothing', async () => {
    const seen = new Set<string>();
    const property = fc.asyncProperty(variation, async (varied) => {
      const asked = await build(varied);
      const { paymaster } = asked;
      const policy = withRules(varied);
      accepted(await service.core.setPolicy({ ...owned(paymaster), policy }));
      const before = await look(paymaster);
      const explained = accepted(await explain(asked));
      expect(await look(paymaster)).toStrictEqual(before);

      const answered = await really(asked);
      const decisionId = answered.ok ? answered.value.decisionId : answered.refusal.decisionId;
      if (decisionId === undefined) throw new Error('The answer has no decision id.');
      const decision = accepted(await service.core.getDecision({ ...owned(paymaster), decisionId }));
      // What was signed alone has, and what was asked, which an explanation is given.
      const { settlement: _, status: __, userOperationHash: ___, requestJson: ____, ...recorded } = decision;
      expect(withoutTime(explained)).toStrictEqual(withoutTime(recorded));
      expect(recorded.outcome === 'refused').toBe(!answered.ok);
      if (!answered.ok)
        expect([recorded.reason, recorded.message]).toEqual([answered.refusal.reason, answered.refusal.message]);
      seen.add(recorded.reason ?? recorded.outcome);

      // A preview of this decision alone counts nothing of before it.
      const { cutOff, letIn } = accepted(await service.core.previewPolicy({ ...owned(paymaster), policy, last: 1 }));
      const isCounted = recorded.trace.at(-1)?.rule.startsWith('limit-') === true;
      const changed = [...cutOff, ...(isCounted ? [] : letIn)].filter((one) => one.decisionId === decisionId);
      expect(changed).toEqual([]);
    });
    // Chance leads to it late.
    const blocked = {
      ...plain,
      operation: { sender: stranger },
      policy: { ...defaultPolicy, blockedSenders: [stranger] },
    };
    await fc.assert(property, { numRuns: repeatsOfRun(60, 250), seed: 20_261_120, examples: [[blocked]] });
    for (const answer of [
      'signed',
      'quoted',
      'stub',
      'INVALID_PARAMS',
      'LIMIT_EXCEEDED',
      'SENDER_BLOCKED',
      'GAS_PRICE_TOO_HIGH',
      'CONTRACT_NOT_REGISTERED',
      'CALL_NOT_UNDERSTOOD',
      'TOKEN_NOT_SUPPORTED',
      'ARGUMENT_NOT_ALLOWED',
    ])
      expect([...seen]).toContain(answer);
  });

  test('of a refusal says in its last step what would change it', async () => {
    const asked = await build({ ...plain, policy: { ...defaultPolicy, allowedSenders: [stranger] } });
    accepted(
      await service.core.setPolicy({
        ...owned(asked.paymaster),
        policy: { ...defaultPolicy, allowedSenders: [stranger] },
      }),
    );
    const { trace, reason } = accepted(await explain(asked));
    accepted(await service.core.setPolicy({ ...owned(asked.paymaster), policy: defaultPolicy }));
    expect(reason).toBe('SENDER_BLOCKED');
    expect(trace.at(-1)).toMatchObject({ verdict: 'refused', remedy: expect.stringContaining('allowedSenders') });
  });

  test('of another account’s paymaster is refused as if there were none', async () => {
    const stranger = await service.issueAccount();
    const asked = await build(plain);
    const { paymaster, ...request } = asked;
    const input = { ...request, accountId: stranger.accountId, paymasterId: paymaster.paymasterId, askWebhooks: false };
    expect(await service.core.explainSponsorship(input)).toMatchObject({ refusal: { reason: 'PAYMASTER_NOT_FOUND' } });
  });
});

const plain: Variation = {
  paymaster: 1,
  method: 'sponsorUserOperation',
  operation: {},
  target: 'registered',
  context: { mode: 'SPONSORED', sponsorshipInfoGiven: true, smartAccountInfo: infinitism },
  feeToken: 'none',
  rules: 'none',
  policy: defaultPolicy,
};

/** The two are decided a moment apart, which some rules look at. */
/** An explanation alone has `tokenOffers`: a record does not keep what the refusal offered. */
function withoutTime({ decisionId: _, decidedAt: __, tokenOffers: ___, trace, ...rest }: Explanation) {
  const steps = trace.map((step) => ({ ...step, checked: step.checked.replace(/^[\d-]+T[\d:]+Z$/, 'the time') }));
  return { ...rest, trace: steps };
}
