import type { Json } from '../actions/action.ts';
import { ask, type Episode, giveTokens, land, type Script, withPolicy } from './script.ts';
import { versionOf } from './set-up.ts';

const token = ({ random }: Script) => random.pick(['{{@token6}}', '{{@token18}}'] as const);
const payIn = (feeTokenAddress: string): Json => ({ mode: 'ERC20', tokenInfo: { feeTokenAddress } });

/** Quotes, and signatures that are paid in a token: by accounts that can pay, and by some that cannot. */
const inTokens: Episode = (script) => {
  const { random, add, deal } = script;
  const of = random.pick(['six', 'seven', 'eight', 'nine', 'share', 'share'] as const);
  const owner = `payer ${random.below(8)}`;
  // As good as nothing, enough for one operation, or for all.
  const amount = deal('balances', [0, 5, 1_000_000, 1_000_000, 1_000_000]);
  giveTokens(script, owner, { version: versionOf(of), amount, allowed: random.chance(0.8) });
  const operation = { owner, nonceKey: random.below(4), calls: [random.pick(['increment', 'unknown'] as const)] };
  const feeToken = token(script);
  const quoted = { mode: 'ERC20', tokenInfo: { preferredToken: feeToken, tokenList: ['{{#stranger}}'] } };
  ask(script, of, { method: 'getFeeQuoteOrData', operation, context: random.pick([quoted, { mode: 'ERC20' }]) });
  const lines = [
    ask(script, of, { method: 'getPaymasterStubData', operation, context: payIn(feeToken) }),
    ask(script, of, { method: 'getPaymasterData', operation, context: payIn(feeToken) }),
    ask(script, of, { method: 'sponsorUserOperation', operation, context: payIn(random.pick(['', feeToken])) }),
  ];
  for (const nonceKey of [4, 5]) {
    lines.push(
      ask(script, of, { method: 'getPaymasterData', operation: { owner, nonceKey }, context: payIn(feeToken) }),
    );
  }
  ask(script, of, { method: 'sponsorUserOperation', operation, context: payIn('{{#stranger}}') });
  ask(script, of, { operation, isDry: true, context: payIn(feeToken) });
  if (random.chance(0.3)) giveTokens(script, owner, { version: versionOf(of), amount: 0 });
  land(script, lines, 0.9);
  if (random.chance(0.2)) add({ do: 'pass', seconds: 90_000 });
};

/** Promised rates: a quote or a stub binds the signature that follows. */
const promised: Episode = (script) => {
  const { random, add } = script;
  const of = random.pick(['seven', 'nine', 'share'] as const);
  const owner = `payer ${random.below(8)}`;
  giveTokens(script, owner, { version: versionOf(of) });
  const operation = { owner, nonceKey: 9 + random.below(9), limits: 'plain' } as const;
  const context = { mode: 'ERC20', tokenInfo: { feeTokenAddress: token(script) }, parallelSigning: of === 'nine' };
  const stub = ask(script, of, { method: 'getPaymasterStubData', operation, context });
  if (random.chance(0.4)) add({ do: 'pass', seconds: random.pick([60, 400]) });
  land(script, [ask(script, of, { method: 'getPaymasterData', operation, context, promisedBy: stub })]);
};

/** Policies about tokens, and users who pay when a limit is used up. */
const offered: Episode = (script) => {
  const { random, deal } = script;
  const of = random.pick(['seven', 'nine'] as const);
  const owner = `payer ${random.below(8)}`;
  const limits = [{ per: 'TOTAL', window: 'DAY', unit: 'OPERATIONS', max: '0' }];
  const policies = [
    { thenPayInToken: true, limits },
    { thenPayInToken: true, userPaysPercent: 30, limits },
    { thenPayInToken: true, blockedSenders: ['{{#stranger}}'] },
    { tokens: { enabled: false } },
    { tokens: { allowed: ['{{@token6}}'] } },
    { tokens: { tokenRecipient: '{{#stranger}}' } },
    { userPaysPercent: 99, requireTicket: true },
    { maxCostPerOperation: { usd: '0.01' } },
  ];
  giveTokens(script, owner, { version: versionOf(of) });
  withPolicy(script, of, deal('policies of tokens', policies), () => {
    const operation = { owner, calls: [random.pick(['increment', 'unknown', 'approve'] as const)] };
    const lines = [
      ask(script, of, { operation }),
      ask(script, of, { operation, method: 'getFeeQuoteOrData', context: {} }),
      ask(script, of, { operation, method: 'sponsorUserOperation', context: payIn('{{@token18}}') }),
    ];
    land(script, lines);
  });
};

/** Permits, which some contracts forward to the token. */
const permits: Episode = (script) => {
  const { random, deal } = script;
  const of = deal('takers of permits', ['six', 'nine', 'nine', 'nine'] as const);
  const value = '1000000000000000000000000';
  const signature = `0x${'11'.repeat(65)}`;
  const permit = deal('permits', [
    { value, deadline: '2000000000', signature },
    { value, deadline: '1', signature },
    { value, deadline: '2000000000' },
    { value: 'x' },
    { signature: `0x${'11'.repeat(9_000)}` },
  ]);
  const context = { mode: 'ERC20', tokenInfo: { feeTokenAddress: '{{@token18}}' }, permit };
  const owner = `payer ${random.below(8)}`;
  giveTokens(script, owner, { version: versionOf(of), allowed: false });
  for (const method of ['getFeeQuoteOrData', 'getPaymasterStubData', 'getPaymasterData'] as const) {
    ask(script, of, { method, context, operation: { owner } });
  }
};

export const paidEpisodes: readonly Episode[] = [inTokens, inTokens, promised, offered, permits];
