import { firstSetting, type Setting } from '../world/core-config.ts';
import { ask, type Episode, land, manage, type Script, sponsors } from './script.ts';
import { ownedBy } from './set-up.ts';

/** Operations without fees that the operator's bundler lands, or refuses, loses, or lands after the service gave them up. */
const relayed: Episode = (script) => {
  const { random, add, deal } = script;
  const method = 'relayUserOperation';
  const owner = `relayed ${random.below(8)}`;
  const operation = (nonceKey: number) =>
    ({ owner, nonceKey, price: 'none', limits: 'plain', isSigned: true }) as const;
  const behaviour = deal('bundlers', ['accepts', 'accepts', 'refuses', 'broken', 'silent'] as const);
  ask(script, 'relay', { method: 'prepareRelay', operation: { owner, price: 'usual', limits: 'none' } });
  const wrong = deal('not relayed', [
    { price: 'usual' },
    { fields: { paymaster: '{{#stranger}}' } },
    { fields: { preVerificationGas: '0x1' } },
    { version: '0.7' },
  ] as const);
  ask(script, 'relay', { method, operation: { ...operation(9), ...wrong } });
  add({ do: 'bundler', behaviour });
  const lines = [0, 1, 2].map((key) => ask(script, 'relay', { method, operation: operation(key) }));
  add({ do: 'bundler', behaviour: 'accepts' });
  add({ do: 'repeat', line: random.pick(lines) });
  ask(script, 'eight', { operation: { owner, nonceKey: 0 } });
  ask(script, 'relay', { operation: { owner, nonceKey: 1 } });
  const isLate = random.chance(0.3);
  if (isLate) {
    add({ do: 'pass', seconds: 30_000 });
    ask(script, 'relay', { method, operation: operation(3) });
  }
  add({ do: 'land', lines: lines.filter(() => random.chance(0.8)), by: random.chance(0.9) ? 'executor' : 'bundler' });
  if (!isLate) add({ do: 'pass', seconds: 30_000 });
};

/** Another paymaster, which is asked while our own contract, key or tank cannot pay. */
const vendor: Episode = (script) => {
  const { random, add, deal } = script;
  const answering = ['honest', 'signed-stubs', 'final-stubs', 'odd-stubs'] as const;
  const useless = ['refuses', 'refuses-data', 'fails', 'foreign', 'costly', 'longer'] as const;
  const isUseful = deal('useful vendors', [true, false]);
  add({ do: 'vendor', behaviour: isUseful ? deal('answering', answering) : deal('useless', useless) });
  const of = random.pick(['foreign', 'poor'] as const);
  const operation = { owner: `sent on ${random.below(8)}`, nonceKey: random.below(30) };
  // Its budget is small, so that what it is not given back shows.
  add({ do: 'restart', setting: { ...firstSetting, vendorUsdMicros: 15_000_000 } });
  const lines = [
    ask(script, of, { method: 'getPaymasterStubData', operation: { ...operation, limits: 'plain' } }),
    ask(script, of, { operation }),
    ask(script, of, { operation: { ...operation, limits: 'plain', price: 'raised' }, client: '10.9.9.9' }),
    ask(script, of, { operation: { owner: operation.owner, nonceKey: 40 } }),
  ];
  add({ do: 'repeat', line: random.pick(lines) });
  ask(script, of, { operation, isDry: true });
  land(script, lines);
  add({ do: 'restart', setting: firstSetting });
  add({ do: 'vendor', behaviour: 'honest' });
  add({ do: 'pass', seconds: random.pick([60, 700, 86_400]) });
};

/** Accounts of EIP-7702, and authorizations that the chain would ignore. */
const delegated: Episode = (script) => {
  const { random, deal } = script;
  const owner = `delegated ${random.below(8)}`;
  const delegations = ['other-chain', 'other-nonce', 'wrong-signer', 'marker-only', 'removed', 'foreign'] as const;
  const lines = [
    ask(script, 'eight', { operation: { owner, delegation: 'sent' } }),
    ask(script, 'eight', { operation: { owner, delegation: deal('delegations', delegations) } }),
    ask(script, 'eight', { method: 'getPaymasterStubData', operation: { owner, delegation: 'sent' } }),
    ask(script, 'relay', {
      method: 'relayUserOperation',
      operation: {
        owner,
        price: 'none',
        limits: 'plain',
        isSigned: true,
        delegation: deal('relayed delegations', ['sent', ...delegations] as const),
      },
    }),
  ];
  land(script, lines);
};

/** The chain goes another way: what has landed has not, and lands again or not. */
const reorganized: Episode = (script) => {
  const { random, add } = script;
  const limits = [{ per: 'TOTAL', window: 'EVER', unit: 'WEI', max: '1000000000000000000000' }];
  manage(script, 'seven', 'setPolicy', { policy: { $policy: { limits } } });
  const before = [ask(script, 'seven'), ask(script, random.pick(['six', 'share'] as const))];
  add({ do: 'mark' });
  const after = ask(script, random.pick(sponsors));
  const relayed = ask(script, 'relay', {
    method: 'relayUserOperation',
    operation: { price: 'none', limits: 'plain', isSigned: true, owner: `relayed ${random.below(8)}` },
  });
  add({ do: 'land', lines: [...before, after] });
  add({ do: 'land', lines: [relayed], by: 'executor' });
  add({ do: 'deposit', wallet: 'wallet 0', version: '0.7', wei: '1000000' });
  if (random.chance(0.3)) add({ do: 'pass', seconds: 700 });
  add({ do: 'reorg', blocks: 1 + random.below(3) });
  // What limits count now is in the trace.
  ask(script, 'seven');
  land(script, [...before, after], 0.6);
  manage(script, 'seven', 'setPolicy', { policy: { $policy: {} } });
  if (random.chance(0.3)) add({ do: 'revert', blocks: 4 });
};

/** Parts that do not answer: the node, the key, the price. */
const failing: Episode = (script) => {
  const { random, add, deal } = script;
  const part = deal('failing parts', ['node', 'signer', 'prices', 'methods', 'methods', 'methods', 'behind'] as const);
  const line = ask(script, 'seven');
  const askAll = () => {
    ask(script, 'seven', { operation: { limits: 'none' } });
    ask(script, 'eight');
    ask(script, 'nine', { method: 'getFeeQuoteOrData', context: { mode: 'ERC20' } });
    ask(script, 'six', { method: 'getPaymasterStubData' });
  };
  const methods = [['eth_call'], ['eth_getCode'], ['eth_getTransactionCount', 'eth_getStorageAt'], ['eth_feeHistory']];
  if (part === 'node' || part === 'methods' || part === 'behind') {
    operated(script, { nodeCanFail: true, relay: true, vendor: random.chance(0.5) }, () => {
      if (part === 'behind') add({ do: 'node', failing: ['eth_getLogs'] });
      else add({ do: 'node', failing: part === 'node' ? 'all' : deal('failing methods', methods) });
      if (part === 'behind') add({ do: 'pass', seconds: 300 });
      askAll();
      add({ do: 'node', failing: 'none' });
    });
  }
  if (part === 'signer') {
    operated(script, { remoteSigner: true, vendor: deal('signers', [true, false]), relay: true }, () => {
      add({ do: 'signer', behaviour: 'fails' });
      askAll();
      add({ do: 'signer', behaviour: 'signs' });
    });
  }
  if (part === 'prices') {
    operated(script, { servedPrices: true, relay: true, vendor: true }, () => {
      ask(script, 'seven');
      add({ do: 'prices', behaviour: 'missing' });
      add({ do: 'pass', seconds: 3_600 });
      askAll();
      ask(script, 'poor');
      const asked = { apiKey: '{{seven.apiKey}}', chainId: '{{@chain}}', entryPoint: '{{@entry-point0.7}}' };
      add({ do: 'core', call: 'quoteTokenRates', input: { ...asked, tokens: ['{{@token6}}'] } });
      add({ do: 'core', call: 'describePaymaster', input: asked });
      add({ do: 'prices', behaviour: 'served' });
    });
  }
  land(script, [line]);
};

/** Does something while the operator runs the service with another setting. */
function operated({ add }: Script, setting: Setting, work: () => void): void {
  add({ do: 'restart', setting });
  work();
  add({ do: 'restart', setting: firstSetting });
}

/** Caps of the operator. */
const capped: Episode = (script) => {
  const { deal } = script;
  const caps: readonly Setting[] = [
    { maxOpenHoldsPerSender: 1 },
    { maxOpenHoldsPerClient: 1 },
    { maxShareOfTankPerSender: 0.000_1 },
    { maxShareOfTankLastingLong: 0, maxSecondsByPolicy: 86_400 },
    { maxShareOfTankWithoutExpiry: 0 },
    { maxUnpaidSharePerSender: 0.000_01 },
    { maxUnpaidSharePerSender: 0.000_5 },
    { maxUnpaidSharePerPaymaster: 0.000_01 },
    { maxCostPerOperation: '1' },
    { maxFeePerGasCeiling: '1' },

    { vendor: true, vendorUsdMicros: 5_000_000 },
    { confirmations: 2 },
    {},
  ];
  const setting = deal('caps', caps);
  const isOfUnpaid = setting.maxUnpaidSharePerSender !== undefined || setting.maxUnpaidSharePerPaymaster !== undefined;
  operated(script, { relay: true, ...setting }, () => {
    const some = ['six', 'seven', 'nine', 'poor', 'bare', 'foreign'] as const;
    const of = isOfUnpaid ? 'six' : deal('capped', some);
    const owner = `capped ${script.random.below(6)}`;
    const operation = { owner, nonceKey: 3 } as const;
    const paid = { mode: 'ERC20', tokenInfo: { feeTokenAddress: '{{@token6}}' } };
    if (of === 'six' || of === 'seven') {
      const version = of === 'six' ? '0.6' : '0.7';
      script.add({ do: 'tokens', owner, version, decimals: 6, amount: '1000000000000', allowed: true });
    }
    const lines = [
      ask(script, of, { operation, client: '10.2.2.2' }),
      ask(script, of, { operation: { owner, nonceKey: 4 }, client: '10.2.2.2' }),
      ask(script, of, { operation: { owner, nonceKey: 5 }, context: paid, method: 'sponsorUserOperation' }),
      ask(script, of, { operation: { owner, nonceKey: 6 }, context: paid, method: 'sponsorUserOperation' }),
    ];
    const long = { maxValiditySeconds: 7_200 };
    manage(script, of, 'setPolicy', { policy: { $policy: long } });
    lines.push(ask(script, of, { context: { mode: 'SPONSORED', expiryDuration: 7_000 } }));
    manage(script, of, 'setPolicy', { policy: { $policy: {} } });
    land(script, lines);
    const isRelayed = deal('relays', [true, false]);
    if (!isRelayed) script.add({ do: 'restart', setting: {} });
    ask(script, 'relay', {
      method: 'relayUserOperation',
      operation: { price: 'none', limits: 'plain', isSigned: true },
    });
  });
};

/** What an operator does by hand: credits and debits, and an open hold less. */
const byHand: Episode = (script) => {
  const { random, add } = script;
  const { paymasterId } = ownedBy('seven');
  const kind = random.pick(['credit', 'debit'] as const);
  const amount = { $wei: random.pick(['1000', '900000000000000000000']) };
  const line = ask(script, 'seven');
  add({ do: 'core', call: 'adjustTank', input: { paymasterId, kind, amount, reason: 'by hand' } });
  const chainId = '{{@chain}}';
  add({ do: 'core', call: 'listOpenHolds', input: { chainId, limit: 5 }, as: 'holds' });
  const release = { chainId, holdId: '{{holds.0.holdId}}', reason: 'by hand' };
  add({ do: 'core', call: 'releaseHold', input: release });
  land(script, [line]);
  add({ do: 'deposit', wallet: random.pick(['wallet 0', 'wallet 3']), version: '0.7', wei: '12345678' });
  add({ do: 'send-coin', wallet: 'wallet 1', to: 'executor', wei: '7654321' });
};

export const elsewhereEpisodes: readonly Episode[] = [
  ...[relayed, relayed, vendor, vendor, delegated, reorganized],
  ...[failing, capped, capped, byHand],
];
