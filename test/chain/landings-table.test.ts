import { describe, expect, test } from 'vitest';
import { findBroken, type LandedFacts } from '../support/chain/landings.ts';
import { type Landing, type LandingClient, landingClients, renderLandings } from '../support/chain/landings-table.ts';

const sponsored: LandedFacts = {
  family: 'pimlico-singleton-0.6',
  entryPoint: '0.6',
  mode: 'SPONSORED',
  outcome: { success: true, actualGasCost: 7n, transactionHash: '0x' },
  calls: { made: 2n, arrived: 2n },
  depositFell: 7n,
  tokens: { paid: 0n, quoted: 0n },
};
const paid: LandedFacts = { ...sponsored, mode: 'ERC20', tokens: { paid: 5n, quoted: 5n } };

describe('an operation that landed', () => {
  test.each([sponsored, paid])('counts when all holds: $mode', (facts) => {
    expect(findBroken(facts)).toBeUndefined();
  });

  test.each<[string, LandedFacts]>([
    ['it failed', { ...sponsored, outcome: { ...sponsored.outcome, success: false } }],
    ['it called nothing', { ...sponsored, calls: { made: 0n, arrived: 0n } }],
    ['a call did not arrive', { ...sponsored, calls: { made: 2n, arrived: 1n } }],
    ['the deposit fell by more than its cost', { ...sponsored, depositFell: 8n }],
    ['the deposit fell by less than its cost', { ...sponsored, depositFell: 6n }],
    ['it cost nothing', { ...sponsored, outcome: { ...sponsored.outcome, actualGasCost: 0n }, depositFell: 0n }],
    ['tokens were taken although the application pays', { ...sponsored, tokens: { paid: 1n, quoted: 1n } }],
    ['no tokens were taken although the user pays', { ...paid, tokens: { paid: 0n, quoted: 5n } }],
    ['more tokens were taken than quoted', { ...paid, tokens: { paid: 6n, quoted: 5n } }],
  ])('does not count when %s', (_, facts) => {
    expect(findBroken(facts)).toBeDefined();
  });
});

describe('the table of a run', () => {
  const landing: Landing = {
    client: 'curl',
    family: 'pimlico-singleton-0.7',
    entryPoint: '0.7',
    mode: 'ERC20',
    gasCost: '5',
  };

  test('counts a cell’s landings, and tells cells that cannot exist from those that were not run', () => {
    const lines = renderLandings([landing, landing]).split('\n');
    const row = lines.find((line) => /^0\.7 +ERC20 +pimlico-singleton-0\.7/.test(line));
    const cells = row?.split(/ {2,}/).slice(3) ?? [];
    const of = (client: LandingClient) => cells[Object.keys(landingClients).indexOf(client)];
    expect(cells).toHaveLength(Object.keys(landingClients).length);
    expect([of('curl'), of('viem'), of('userop 0.3.8')]).toEqual(['2', '·', '–']);
  });

  test('is not printed when nothing landed', () => {
    expect(renderLandings([])).toBe('');
  });
});
