import { readdirSync, readFileSync } from 'node:fs';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import type { DecisionItem } from '@tollfree/contract/decision-fields';
import { expect, test } from 'vitest';
import { live } from '../../clients/dashboard/api/live.ts';
import { queryOf, readActivitySearch } from '../../clients/dashboard/pages/activity/activity-search.ts';
import { foldOperations } from '../../clients/dashboard/pages/activity/fold-operations.ts';
import { readAuditLogSearch } from '../../clients/dashboard/pages/audit-log/audit-log-search.ts';
import { orderSetUps } from '../../clients/dashboard/pages/overview/order-set-ups.ts';
import { refusalRate } from '../../clients/dashboard/pages/overview/sum-usage.ts';
import { scaleTop } from '../../clients/dashboard/parts/chart/paths.ts';
import { readableAmounts } from '../../clients/dashboard/parts/text/readable-amounts.ts';
import { coinText, unitsText, usdOfWei, usdText } from '../../clients/dashboard/parts/text/usd-text.ts';
import { boundsOf } from '../../clients/dashboard/time/time-range.ts';

const sender = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const settled = { state: 'settled', held: '2', charge: '1', success: true } as const;

function request(decisionId: string, fields: Partial<DecisionItem>): DecisionItem {
  const outcome = 'signed' as const;
  return { decisionId, decidedAt: 0, method: '', chainId: 1, outcome, sender, nonce: '1', trace: [], ...fields };
}

test('amounts of tokens are written with the decimals that the token has', () => {
  expect(unitsText('850000', 6)).toBe('0.85');
  expect(unitsText('12', 0)).toBe('12');
  expect(unitsText('123456700', 2)).toBe('1,234,567');
  expect(unitsText('1', 8)).toBe('< 0.000001');
  expect(unitsText('-5', 1)).toBe('−0.5');
  expect(coinText('1500000000000000000')).toBe('1.5');
});

test.each([
  ['0', '$0.00'],
  ['1234567.5', '$1,234,567.50'],
  ['0.999', '$1.00'],
  ['9.995001', '$10.00'],
  ['0.000312', '$0.000312'],
  ['-12.3', '−$12.30'],
])('USD %s reads %s', (text, shown) => {
  expect(usdText(text)).toBe(shown);
});

test.each([
  [
    'maxFeePerGas 2000000000 wei with a base fee of 50000 wei',
    'chain-gas-price',
    'maxFeePerGas 2 gwei with a base fee of 0.00005 gwei',
  ],
  ['worst case 312000000000000 wei', 'gas-tank', 'worst case 0.000312 ETH'],
  ['at most 100000000000000 wei, 0.250000 USD', 'policy-cost', 'at most 0.0001 ETH, $0.25'],
  ['196 bytes of callData', 'decode', '196 bytes of callData'],
])('the finding “%s” of the rule %s reads “%s”', (text, rule, shown) => {
  expect(readableAmounts(text, rule, 8453)).toBe(shown);
});

test('no page formats a date or a number in the locale of the browser, which the texts around it are not in', () => {
  const sources = readdirSync('clients/dashboard', { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.tsx?$/.test(path),
  );
  const otherLocale = /(?:\.toLocale\w*String|\bIntl\.\w+)\((?!locale\b).*/g;
  const found = sources.flatMap((path) =>
    (readFileSync(`clients/dashboard/${path}`, 'utf8').match(otherLocale) ?? []).map((line) => [path, line]),
  );
  expect(sources.length).toBeGreaterThan(100);
  expect(found).toEqual([]);
});

test('the steps of the current paymaster come first, then those of the newest', () => {
  const rows = ['oldest', 'current', 'newer', 'newest'].map((paymasterId) => ({ paymaster: { paymasterId } }));
  const order = (currentId?: string) => orderSetUps(rows, currentId).map(({ paymaster }) => paymaster.paymasterId);
  expect(order('current')).toEqual(['current', 'newest', 'newer', 'oldest']);
  expect(order()).toEqual(['newest', 'newer', 'current', 'oldest']);
});

test('wei are worth what a coin is, to the millionth of a USD', () => {
  expect(usdOfWei('1500000000000000000', '2000000000')).toBe('3000.000000');
  expect(usdOfWei('-1000000000000', '2000000000')).toBe('-0.002000');
});

test('estimates, refusals and the signature for one nonce are one operation, and what landed says how it went', () => {
  const folded = foldOperations([
    request('e', { outcome: 'refused', nonce: '2' }),
    request('d', { status: 'failed', settlement: { ...settled, success: false } }),
    request('c', { outcome: 'refused' }),
    request('b', { outcome: 'quoted' }),
    request('a', { outcome: 'stub', nonce: undefined }),
  ]);
  expect(folded.map(({ status, requests }) => [status, requests.map(({ decisionId }) => decisionId).join('')])).toEqual(
    [
      ['refused', 'e'],
      ['failed', 'dcb'],
      ['quoted', 'a'],
    ],
  );
});

test('filters of an address that mean nothing are left out, the others go to the service', () => {
  const search = readActivitySearch({
    status: 'failed',
    range: '24h',
    reason: '<script>',
    sender: '0x12',
    mode: 'ERC20',
  });
  expect(search).toEqual({ status: 'failed', range: '24h', mode: 'ERC20' });
  expect(queryOf(search)).toEqual({ status: 'failed', mode: 'ERC20' });
  expect(queryOf(readActivitySearch({ reason: 'LIMIT_EXCEEDED', status: 'failed' }))).toEqual({
    outcome: 'refused',
    reason: 'LIMIT_EXCEEDED',
  });
});

test('days of a custom range are whole days of the reader, and those that are none are left out', () => {
  const search = readAuditLogSearch({
    range: 'custom',
    from: '2026-03-01',
    until: '2026-02-31x',
    who: '<b>',
    object: 'a-1',
  });
  expect(search).toEqual({ range: 'custom', from: '2026-03-01', object: 'a-1' });
  const { from, until } = boundsOf({ range: 'custom', from: '2026-03-01', until: '2026-03-02' });
  expect([from, until].map((at) => new Date(Number(at) * 1_000).toLocaleString('sv'))).toEqual([
    '2026-03-01 00:00:00',
    '2026-03-03 00:00:00',
  ]);
  expect(readAuditLogSearch({ range: '90d', from: '2026-03-01' })).toEqual({});
});

test('what changes is read again soon, what does not ever more seldom, and at last once a minute', async () => {
  const client = new QueryClient();
  let answer = 1;
  const pace = live();
  const observer = new QueryObserver(client, { queryKey: ['live'], queryFn: async () => ({ answer }), retry: false });
  const leave = observer.subscribe(() => undefined);
  const next = async () => {
    await observer.refetch();
    return pace(observer.getCurrentQuery());
  };
  const first = await next();
  const paces = [await next(), await next()];
  expect(paces).toEqual([first * 1.5, first * 1.5 ** 2]);
  for (let time = 0; time < 20; time += 1) await next();
  expect(await next()).toBe(60_000);
  answer = 2;
  expect(await next()).toBe(first);
  leave();
  client.clear();
});

test('a rate is in percent, and a scale ends above the highest value', () => {
  expect([refusalRate({ signed: 1, refused: 1 }), refusalRate({ signed: 39, refused: 1 })]).toEqual(['50%', '2.5%']);
  expect(refusalRate({ signed: 0, refused: 0 })).toBe('–');
  expect([scaleTop(0), scaleTop(0.3), scaleTop(7), scaleTop(1_001)]).toEqual([1, 0.5, 10, 2_000]);
});
