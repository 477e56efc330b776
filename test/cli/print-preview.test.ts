import type { PolicyPreviewItem } from '@tollfree/contract/policy';
import type { SmartContractItem } from '@tollfree/contract/smart-contract';
import { parseAbi, toFunctionSelector } from 'viem';
import { expect, onTestFinished, test, vi } from 'vitest';
import { printPreview } from '../../clients/cli/print-preview.ts';

const counter = '0x2910E325cf29dd912E3476B61ef12F49cb931096';
const contracts = [
  {
    name: 'Counter',
    address: counter,
    abi: JSON.stringify(parseAbi(['function increment()', 'function add(uint256)'])),
  },
] as unknown as SmartContractItem[];
const sender = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const change = { decidedAt: 1_772_452_800, sender, reason: 'LIMIT_EXCEEDED', rule: 'policy-limit', message: 'used up' };
const nothing: PolicyPreviewItem = {
  replayed: 10,
  since: 1_772_452_800,
  unpriced: 0,
  unread: 0,
  cutOff: [],
  letIn: [],
  senders: [],
  replayedSenders: 1,
  rules: [],
};

/** What is printed for a person, its columns apart. */
function printed(...shown: Parameters<typeof printPreview>): readonly string[] {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  printPreview(...shown);
  const lines = write.mock.calls.map(([text]) => String(text).trim().split(/ {2,}/).join(' | '));
  return lines.filter((line) => line !== '');
}

test('amounts that would refuse fewer are rows, with their units', () => {
  const rules = [
    {
      rule: 'policy-limit',
      field: 'limits[1].max',
      cutOff: 6,
      raised: [
        { value: '12.50', cutOff: 0 },
        { value: '7.00', cutOff: 2 },
      ],
    },
    { rule: 'policy-limit', field: 'limits[0].max', cutOff: 3, raised: [{ value: '40', cutOff: 0 }] },
    {
      rule: 'policy-cost',
      field: 'maxCostPerOperation.wei',
      cutOff: 2,
      raised: [{ value: '30000000000000000', cutOff: 0 }],
    },
    { rule: 'policy-sender', cutOff: 1, raised: [] },
  ];
  const policy = {
    maxCostPerOperation: { wei: '20000000000000000' },
    limits: [
      { per: 'SENDER', window: 'DAY', unit: 'OPERATIONS', max: '10' },
      { per: 'TOTAL', window: 'DAY', unit: 'USD', max: '5' },
    ],
  } as const;
  expect(printed({ ...nothing, rules }, { policy: { ...policy, limits: [...policy.limits] }, contracts })).toEqual(
    expect.arrayContaining([
      'rule | is now | refuses | raised to | would refuse',
      'limits[1].max (TOTAL per DAY) | 5 USD | 6 | 12.50 USD | none',
      '7.00 USD | 2',
      'limits[0].max (SENDER per DAY) | 10 operations | 3 | 40 operations | none',
      'maxCostPerOperation.wei | 0.02 of the coin | 2 | 0.03 of the coin | none',
      'policy-sender | - | 1 | - | -',
    ]),
  );
});

test('rows of operations name the call, and what it could have cost and did', () => {
  const selector = toFunctionSelector('increment()');
  const price = { usdMicrosPerCoin: '3000000000' };
  const cutOff = [
    {
      ...change,
      ...price,
      decisionId: 'first',
      firstCall: { target: counter.toLowerCase(), selector, count: 1 },
      worstCase: '500000000000000',
      charge: '1000000000000',
    },
    {
      ...change,
      decisionId: 'second',
      firstCall: { target: sender, selector: '0x12345678', count: 3 },
      worstCase: '7',
    },
    { ...change, ...price, decisionId: 'third', firstCall: { target: counter, count: 1 } },
  ];
  const letIn = [{ ...change, decisionId: 'fourth' }];
  const lines = printed({ ...nothing, cutOff, letIn }, { policy: {}, contracts });
  const row = (id: string) =>
    lines
      .find((line) => line.endsWith(id))
      ?.split(' | ')
      .slice(1, 4);
  expect(row('first')).toEqual(['increment() of Counter', '1.50 USD', '0.003 USD']);
  expect(row('second')).toEqual([`0x12345678 of ${sender} and 2 more`, '0.000000000000000007 of the coin', '-']);
  expect(row('third')).toEqual(['transfer to Counter', '-', '-']);
  expect(row('fourth')).toEqual(['-', '-', '-']);
});
