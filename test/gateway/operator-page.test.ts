import { OperatorStatusSchema } from '@tollfree/contract/operator';
import { expect, test } from 'vitest';
import type { Metric, Sample } from '../../core/base/metrics/metric-registry.ts';
import type { LedgerState } from '../../core/domain/ledger-report.ts';
import { accept } from '../../core/domain/result/result.ts';
import type { ContractSigner } from '../../core/domain/signer-config.ts';
import { chainId, servedChain } from '../support/gateway/fake-core.ts';
import { send, startTestGateway } from '../support/gateway/start-test-gateway.ts';

const contract = '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0';
const wallet = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const ether = 10n ** 18n;
const labels = { chain: String(chainId), contract };

function metric(name: string, ...samples: Partial<Sample>[]): Metric {
  const whole = samples.map((sample) => ({ suffix: '', labels, value: 0, ...sample }) as const);
  return { name, kind: 'gauge', help: '', samples: whole };
}

const node = (location: string, outcome: string) => ({ chain: labels.chain, node: location, outcome });
const metrics = [
  metric(
    'tollfree_node_question_seconds',
    { suffix: '_count', labels: node('1', 'answered'), value: 8 },
    { suffix: '_sum', labels: node('1', 'answered'), value: 0.4 },
    { suffix: '_count', labels: node('2', 'failed'), value: 3 },
    { suffix: '_sum', labels: node('2', 'failed'), value: 6 },
  ),
  metric('tollfree_build_info', { labels: { process: 'core', version: '0.2.0', node: '24.0.0' }, value: 1 }),
  metric(
    'tollfree_node_resting',
    { labels: { ...node('1', ''), host: 'one.example' }, value: 1 },
    { labels: { ...node('2', ''), host: 'two.example' }, value: 0 },
  ),
  metric('tollfree_node_head_block', { labels: node('1', ''), value: 97 }, { labels: node('2', ''), value: 100 }),
  metric('tollfree_price_source_answered_timestamp_seconds', {
    labels: { chain: labels.chain, source: 'http prices.example' },
    value: 1_700_000_000,
  }),
  metric(
    'tollfree_chain_step_gas',
    { labels: { chain: labels.chain, step: 'new slot' }, value: 110_020 },
    { labels: { chain: labels.chain, step: 'transaction' }, value: 15_000 },
  ),
  metric('tollfree_contract_stake_wei', { value: 1e17 }),
  metric('tollfree_relay_executor_wei', { labels: { chain: labels.chain, executor: wallet }, value: 3e18 }),
  metric(
    'tollfree_vendor_spent_usd',
    { labels: { chain: labels.chain, window: 'day' }, value: 1 },
    { labels: { chain: labels.chain, window: 'month' }, value: 7 },
  ),
  metric(
    'tollfree_vendor_budget_usd',
    { labels: { chain: labels.chain, window: 'day' }, value: 5 },
    { labels: { chain: labels.chain, window: 'month' }, value: 50 },
  ),
  metric('tollfree_hot_wallet_wei', { labels: { chain: labels.chain, wallet }, value: 2e18 }),
  metric('tollfree_hot_wallet_sent_wei', { labels: { chain: labels.chain }, value: 9e17 }),
  metric('tollfree_hot_wallet_max_per_day_wei', { labels: { chain: labels.chain }, value: 1e18 }),
  metric(
    'tollfree_hot_wallet_blocked',
    { labels: { chain: labels.chain, reason: 'nodes' }, value: 0 },
    { labels: { chain: labels.chain, reason: 'cap' }, value: 1 },
  ),
  metric('tollfree_gas_tanks_in_use', { value: 4 }),
  metric('tollfree_gas_tanks_low', { value: 1 }),
  metric('tollfree_gas_tank_available_wei', { labels: { ...labels, wallet }, value: 5e17 }),
  metric('tollfree_gas_tank_days_left', { labels: { ...labels, wallet }, value: 1.26 }),
];
const state: LedgerState = {
  state: 'compared',
  chainId,
  contract,
  entryPoint: contract,
  atBlock: 42n,
  bookDeposit: 2n * ether,
  chainDeposit: 2n * ether,
  difference: 0n,
  held: 3n * ether,
};

const keys: readonly ContractSigner[] = [
  {
    chainId,
    contract,
    signer: wallet,
    state: 'not-trusted',
    places: [{ kind: 'aws-kms', awaySince: 60 }],
    complaint: 'The contract has another signer.',
    remedy: 'Add it.',
  },
  { chainId, contract, signer: contract, state: 'signs', places: [{ kind: 'keystore' }], since: 30 },
];

async function start(detail = 'the node is away') {
  return startTestGateway({
    core: {
      status: async () => [
        { part: 'store', ready: true, detail: 'the database responds' },
        { part: `chain ${chainId}`, ready: false, detail },
      ],
      readMetrics: async () => accept(metrics),
      readLedgerStates: async () => accept([state]),
      readSigners: async () => accept(keys),
    },
  });
}

test('the status says what is wrong and how to fix it, and each chain with its nodes, contracts and tanks', async () => {
  const { adminUrl } = await start();
  const answer = await send(`${adminUrl}/status.json`, 'GET');
  expect(answer.status).toBe(200);
  const status = OperatorStatusSchema.parse(answer.body);
  expect(status.ready).toBe(false);
  expect(status.problems.map(({ what }) => what)).toEqual([
    `chain ${chainId}: the node is away`,
    `Node 2 of Devnet (${chainId}) has answered none of its questions`,
    `The hot wallet of Devnet (${chainId}) sends nothing: cap`,
    `Version 1 on Devnet (${chainId}): the deposit does not cover what is signed`,
    `Version 1 on Devnet (${chainId}): 1 gas tank lasts less than 3 days`,
    `The key ${wallet} does not sign for ${contract} of chain ${chainId}: The contract has another signer.`,
  ]);
  // A core of an earlier version has neither commit nor schema.
  const unknown = { commit: 'unknown', schema: 'unknown' };
  expect(status.builds).toEqual([{ process: 'core', version: '0.2.0', node: '24.0.0', ...unknown }]);
  const [served] = servedChain.contracts;
  expect(status.chains).toEqual([
    {
      chainId,
      name: 'Devnet',
      prices: [{ source: 'http prices.example', answeredAt: 1_700_000_000 }],
      gasPrices: [
        { step: 'new slot', gas: 110_020 },
        { step: 'transaction', gas: 15_000 },
      ],
      contracts: [
        {
          version: '1',
          family: served?.family,
          address: contract,
          entryPointVersion: '0.7',
          depositWei: '2000000000000000000',
          heldWei: '3000000000000000000',
          differenceWei: '0',
          atBlock: '42',
          stakeWei: 1e17,
          tanksInUse: 4,
          tanksLow: 1,
        },
      ],
      signers: [
        { contract, signer: wallet, state: 'not-trusted', places: [{ kind: 'aws-kms', awaySince: 60 }] },
        { contract, signer: contract, state: 'signs', places: [{ kind: 'keystore' }], since: 30 },
      ],
      nodes: [
        {
          node: '1',
          host: 'one.example',
          isAsked: false,
          isResting: true,
          head: 97,
          behind: 3,
          answered: 8,
          failed: 0,
          averageMs: 50,
        },
        {
          node: '2',
          host: 'two.example',
          isAsked: true,
          isResting: false,
          head: 100,
          behind: 0,
          answered: 0,
          failed: 3,
          averageMs: 2_000,
        },
      ],
      relay: { executors: [{ executor: wallet, balanceWei: 3e18 }] },
      vendor: { day: { spentUsd: 1, budgetUsd: 5 }, month: { spentUsd: 7, budgetUsd: 50 } },
      hotWallet: { wallet, balanceWei: 2e18, sentWei: 9e17, maxPerDayWei: 1e18, blocked: 'cap' },
      tanks: [{ contract, wallet, availableWei: 5e17, daysLeft: 1.26 }],
    },
  ]);
});

test('the page has the same, as text whatever it holds, without scripts, and no one shows it in a frame', async () => {
  const { adminUrl } = await start('<script>alert(1)</script>');
  const { headers, text } = await send(`${adminUrl}/`, 'GET');
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(headers['content-security-policy']).toBe(
    "default-src 'none';style-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'",
  );
  expect(text).not.toContain('<script');
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(text).toContain('the deposit does not cover what is signed');
  const ofKeys = ['Add it.', 'AWS KMS', 'has not signed since 1970-01-01T00:01:00Z', 'keystore of this service'];
  for (const shown of [contract, wallet, '3.000000', '0.500000', ...ofKeys]) expect(text, shown).toContain(shown);
  const style = await send(`${adminUrl}/operator.css`, 'GET');
  expect(style.headers['content-type']).toBe('text/css; charset=utf-8');
});

test('while the core is away there is a page that says so', async () => {
  const gone = async () => Promise.reject(new Error('gone'));
  const core = { status: gone, readMetrics: gone, readLedgerStates: gone, listChains: gone, readSigners: gone };
  const { adminUrl } = await startTestGateway({ core });
  const { status, text } = await send(`${adminUrl}/`, 'GET');
  expect([status, text.includes('core: the core does not respond')]).toEqual([200, true]);
});

test('the public port has neither', async () => {
  const { url, adminUrl } = await start();
  expect((await send(`${url}/status.json`, 'GET')).status).toBe(404);
  expect((await send(`${url}/`, 'GET')).text).not.toContain('for its operator');
  expect((await send(`${adminUrl}/`, 'POST')).status).toBe(405);
});
