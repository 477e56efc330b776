import { ask, type Episode, land, manage, sponsors, withPolicy } from './script.ts';

/** Free operations of many senders: new ones, later nonces, retries, joined holds, some that land and some that expire. */
const usual: Episode = (script) => {
  const { random, add } = script;
  const lines = Array.from({ length: 6 }, () =>
    ask(script, random.pick(sponsors), {
      operation: {
        calls: random.chance(0.8) ? ['increment'] : [random.pick(['pay', 'record', 'fail', 'unknown', 'plain'])],
        limits: random.pick(['plain', 'plain', 'none', 'tight', 'huge']),
        price: random.pick(['usual', 'usual', 'usual', 'raised', 'high']),
      },
    }),
  );
  add({ do: 'repeat', line: random.pick(lines), client: '10.0.0.9' });
  land(script, lines);
  // Signatures are valid for 300 s: some end in that very second.
  if (random.chance(0.7)) add({ do: 'pass', seconds: random.pick([299, 300, 300, 301, 700]) });
};

/** One nonce for several signatures: raised, at another paymaster, and landed once. */
const joined: Episode = (script) => {
  const { random } = script;
  const owner = `joiner ${random.below(20)}`;
  const [first, second] = random.chance(0.5) ? ['seven', 'share'] : ['seven', 'seven'];
  const operation = { owner, nonceKey: 0, limits: 'plain' } as const;
  const lines = [
    ask(script, first, { operation }),
    ask(script, first, { operation: { ...operation, price: 'raised' } }),
    ask(script, second, { operation: { ...operation, calls: ['increment', 'increment'] } }),
    ask(script, first, { operation: { ...operation, price: 'usual' }, client: '10.0.1.1' }),
  ];
  script.add({ do: 'repeat', line: random.pick(lines) });
  script.add({ do: 'land', lines: [random.pick(lines)] });
  script.add({ do: 'land', lines });
};

/** Stubs as clients of ERC-7677 use them: with and without fees, promised, and signed in parallel. */
const stubs: Episode = (script) => {
  const { random, add } = script;
  const of = random.pick(['seven', 'eight', 'nine', 'nine'] as const);
  const parallel = of === 'nine' && random.chance(0.8);
  const context = parallel ? { mode: 'SPONSORED', parallelSigning: true } : { mode: 'SPONSORED' };
  const operation = { owner: `user ${random.below(12)}`, nonceKey: 7 + random.below(20), limits: 'plain' } as const;
  const stub = ask(script, of, {
    method: 'getPaymasterStubData',
    context,
    operation: { ...operation, price: random.pick(['usual', 'none']) },
  });
  if (random.chance(0.3)) add({ do: 'pass', seconds: random.pick([30, 200, 400]) });
  const asked = { method: 'getPaymasterData', context, operation, promisedBy: stub } as const;
  const line = ask(script, of, asked);
  ask(script, of, { ...asked, operation: { ...operation, price: 'high' } });
  ask(script, of, { ...asked, operation: { ...operation, fields: { paymasterData: '0x1234' } } });
  ask(script, of, { ...asked, operation: { ...operation, fields: { paymasterPostOpGasLimit: '0x1' } } });
  land(script, [line]);
};

/** Rules on calls, gas, senders and times. */
const rules: Episode = (script) => {
  const { random, deal } = script;
  const of = random.pick(sponsors);
  const rule = { contract: '{{@target}}', method: 'increment' };
  const argument = { contract: '{{@target}}', method: 'record' };
  const policies = [
    { sponsorAllCalls: true, accounts: 'ANY' },
    { allowRevertingOperations: true },
    { allowAccountDeployment: true },
    { blockedSenders: ['{{#stranger}}'] },
    { allowedSenders: [] },
    { maxFeePerGas: '1' },
    { maxGasPerOperation: 1_000 },
    { maxPreVerificationGas: 1 },
    { maxCostPerOperation: { wei: '1' } },
    { maxCostPerOperation: { usd: '0.01' } },
    { methodGas: [{ ...rule, maxCallGas: 1_000 }] },
    { callRules: [{ ...argument, where: [{ argument: '0', is: '0x99' }] }] },
    { callRules: [{ ...argument, where: [{ argument: '0', is: '0x0123' }] }] },
    { notBefore: 4_000_000_000 },
    { notAfter: 1_000_000 },
    { pauses: [{ days: ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'], from: '00:00', until: '00:00' }] },
    { maxValiditySeconds: 60 },
    { requireTicket: true },
    { relay: 'ONLY' },
    { ignoreForeignPolicyIds: true },
  ];
  for (const policy of [deal('policies', policies), deal('policies', policies)]) {
    withPolicy(script, of, policy, () => {
      const { chance } = random;
      const isOfArguments = 'callRules' in policy;
      const calls = [isOfArguments ? 'record' : random.pick(['increment', 'record', 'fail', 'unknown'] as const)];
      const line = ask(script, of, { operation: { calls, deploysOnly: chance(0.1) } });
      const policyId = 'polic_of_another_service';
      ask(script, of, {
        context: { mode: 'SPONSORED', policyId, expiryDuration: deal('lifetimes', [30, 60, 300, 601]) },
      });
      ask(script, of, { method: 'getPaymasterStubData', operation: { calls } });
      land(script, [line]);
    });
  }
};

/** Operations with a field that is wrong, missing or far too high. */
const malformed: Episode = (script) => {
  const { random, deal } = script;
  const of = random.pick(sponsors);
  const fields = [
    { sender: '0x12' },
    { sender: null },
    { nonce: '-1' },
    { nonce: null },
    { callData: 'zz' },
    { callData: null },
    { maxFeePerGas: '0x' },
    { maxPriorityFeePerGas: '0xfffffffffffffffffff' },
    { callGasLimit: '0xffffffffffffffffffffffffffffffffffff' },
    { callGasLimit: '0x1' },
    { callGasLimit: '0x2faf080' },
    { verificationGasLimit: '0x7a1200' },
    { preVerificationGas: '0xf42400' },
    { maxPriorityFeePerGas: '0x2540be400' },
    { verificationGasLimit: '0x1' },
    { preVerificationGas: '0x1' },
    { signature: '0x' },
    { factory: '{{#stranger}}', factoryData: '0x12' },
    { initCode: '0x1234' },
  ];
  for (let count = 0; count < 7; count += 1) {
    const operation = { fields: deal('wrong fields', fields), limits: 'plain' } as const;
    ask(script, of, { operation, method: deal('methods', ['getPaymasterData', 'sponsorUserOperation'] as const) });
  }
};

/** Requests that name something that is not there, or ask for what is not given. */
const misplaced: Episode = (script) => {
  const { random, deal } = script;
  const of = random.pick(sponsors);
  const others = [
    { chainId: 1 },
    { chainId: 0 },
    { apiKey: 'no_key' },
    { entryPoint: '{{#stranger}}', method: 'getPaymasterData' as const },
    { context: { mode: 'FREE' } },
    { context: { mode: 'FREE' }, method: 'getPaymasterData' as const },
    { context: { mode: 'SPONSORED', expiryDuration: 5 } },
    { context: {}, method: 'sponsorUserOperation' as const },
    { context: { mode: 'SPONSORED', smartAccountInfo: { name: 'NOTHING', version: '9' } } },
    { context: { mode: 'SPONSORED', smartAccountInfo: { name: 'BICONOMY', version: '2.0.0' } } },
    { context: { mode: 'SPONSORED', calculateGasLimits: false }, operation: { limits: 'none' as const } },
    { context: { mode: 'SPONSORED', keepsGivenLimits: true }, method: 'getPaymasterData' as const },
    {
      context: { mode: 'SPONSORED', calculateGasLimits: false },
      operation: { limits: 'none' as const },
      method: 'sponsorUserOperation' as const,
    },
    { operation: { callData: '0x12345678' } },
    { operation: { deploysOnly: true } },
    { operation: { price: 'above-ceiling' as const } },
    { operation: { price: 'none' as const } },
    { operation: { price: 'none' as const }, method: 'sponsorUserOperation' as const },
    { operation: { nonceAhead: 3 } },
    { method: 'relayUserOperation' as const },
    { method: 'prepareRelay' as const },
  ];
  for (let count = 0; count < 6; count += 1) ask(script, of, deal('misplaced', others));
};

/** What is asked without being decided: explanations, previews, named policies that would sponsor, allowances, prices. */
const questions: Episode = (script) => {
  const { random, add } = script;
  const of = random.pick(['seven', 'nine', 'share'] as const);
  const operation = { owner: `user ${random.below(12)}`, calls: [random.pick(['increment', 'unknown'] as const)] };
  ask(script, of, { operation, isDry: true });
  ask(script, of, { operation });
  const named = manage(script, of, 'createPolicy', { head: { name: 'named', enabled: true }, policy: { $policy: {} } });
  const policyId = `{{${named}.policyId}}`;
  const line = ask(script, of, { operation, context: { mode: 'SPONSORED', policyId } });
  land(script, [line]);
  const asked = { apiKey: `{{${of}.apiKey}}`, chainId: '{{@chain}}' };
  const entryPoint = `{{@entry-point${of === 'nine' ? '0.9' : '0.7'}}}`;
  const core = (call: 'getAllowance' | 'describePaymaster' | 'quoteTokenRates' | 'validatePolicies', input: object) =>
    add({ do: 'core', call, input: { ...asked, ...input } });
  core('getAllowance', { sender: '{{#stranger}}', policyId });
  core('getAllowance', { sender: 'stranger' });
  core('getAllowance', {});
  core('describePaymaster', { entryPoint });
  core('quoteTokenRates', { entryPoint, tokens: ['{{@token6}}', '{{@token18}}', '{{#stranger}}'] });
  const nothing = { method: 'getPaymasterData', userOperation: {}, context: { sponsorshipInfoGiven: false } };
  manage(script, of, 'explainSponsorship', { ...nothing, askWebhooks: false, apiKeyId: 'none' });
  manage(script, of, 'explainSponsorship', { ...nothing, askWebhooks: false, accountId: 'another' });
  core('validatePolicies', { userOperation: {}, entryPoint, policyIds: Array.from({ length: 11 }, () => policyId) });
  manage(script, of, 'previewPolicy', { policy: { $policy: { maxGasPerOperation: 300_000 } }, last: 20 });
  manage(script, of, 'deletePolicy', { policyId });
  ask(script, of, { operation, context: { mode: 'SPONSORED', policyId } });
};

export const sponsoredEpisodes: readonly Episode[] = [
  usual,
  usual,
  joined,
  stubs,
  rules,
  rules,
  malformed,
  misplaced,
  questions,
];
