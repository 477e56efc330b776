import { parseEther, parseGwei } from 'viem';
import { expect, test } from 'vitest';
import { gasSchedules } from '../../core/gas/gas-schedule.ts';
import { suggestMaxCost } from '../../core/policies/suggest-max-cost.ts';

const [packed, unpacked] = ['pimlico-singleton-0.7', 'pimlico-singleton-0.6'];
const fees = (baseFee: string, suggestedTip: string, paidTip = '0') => ({
  baseFee: parseGwei(baseFee),
  suggestedTip: parseGwei(suggestedTip),
  paidTip: parseGwei(paidTip),
});

test.each([
  ['5,000,000 gas at the chain’s price', packed, 'osaka', '1 ether', fees('99', '1'), '0.5'],
  ['8,000,000 on EntryPoint 0.6', unpacked, 'osaka', '1 ether', fees('99', '1'), '0.8'],
  ['the tip that blocks paid', packed, 'osaka', '1 ether', fees('98', '1', '2'), '0.5'],
  [
    'more where storage is more expensive, rounded up to two digits',
    packed,
    'glamsterdam',
    '10 ether',
    fees('99', '1'),
    '1.2',
  ],
  ['a tenth of the operator’s ceiling at least', packed, 'osaka', '0.05 ether', fees('0.05', '0.01'), '0.005'],
  ['the operator’s ceiling at most', packed, 'osaka', '0.05 ether', fees('99', '1'), '0.05'],
  ['a usual amount at least where there is no ceiling', packed, 'osaka', undefined, fees('0.05', '0.01'), '0.005'],
  ['the operator’s ceiling while no price is known', packed, 'osaka', '0.2 ether', undefined, '0.2'],
  ['a usual ceiling where neither a price nor a ceiling is known', packed, 'osaka', undefined, undefined, '0.05'],
] as const)('a new paymaster’s cap is %s', (_, family = '', fork, ceiling, known, expected) => {
  const config = ceiling === undefined ? {} : { maxCostPerOperation: parseEther(ceiling.replace(' ether', '')) };
  const suggested = suggestMaxCost({ config, family, prices: gasSchedules[fork], fees: known });
  expect(suggested).toBe(parseEther(expected));
});
