import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type FlowMode, type FlowOutcome, flowsOf, runFlows } from '../support/accounts/account-flows.ts';
import { type MatrixAccount, matrixAccounts } from '../support/accounts/matrix-accounts.ts';
import { openFlowLab } from '../support/accounts/open-flow-lab.ts';
import { publishedAccounts } from '../support/accounts/published/published-accounts.ts';
import { forkOfTests } from '../support/chain/fork-of-tests.ts';
import { startOwnDevnet } from '../support/chain/lease-devnet.ts';
import type { ClientLab } from '../support/service/client-lab.ts';

const codeNode = inject('codeNode');
const accounts = codeNode === '' ? matrixAccounts : [...matrixAccounts, ...publishedAccounts(codeNode)];
const modes = Object.keys(flowsOf) as FlowMode[];

let lab: ClientLab;
const lines: string[] = [];
beforeAll(async () => {
  lab = await openFlowLab(await startOwnDevnet());
});
afterAll(async () => {
  process.stdout.write(`\nGas of each operation, prices of ${forkOfTests}\n${lines.join('\n')}\n`);
  await lab.close();
  await lab.devnet.close();
});

describe.each(accounts)('$kind on EntryPoint $version', (row) => {
  test.each(modes)('each operation lands with limits %s', async (mode) => {
    const outcomes = await runFlows(lab, row, mode, flowsOf[mode]);
    lines.push(renderLine(row, mode, outcomes));
    expect(outcomes).toEqual(flowsOf[mode].map((flow) => ({ flow, ...expected(row, mode) })));
  });
});

/** Users who pay in tokens may have any account. */
function expected({ kind }: MatrixAccount, mode: FlowMode) {
  if (kind === 'an account of unknown code' && mode !== 'token') {
    return { refused: expect.stringMatching(/The code at 0x\w{40} is not known/) };
  }
  return { gas: expect.any(BigInt) };
}

function renderLine({ kind, version }: MatrixAccount, mode: FlowMode, outcomes: readonly FlowOutcome[]): string {
  const cells = outcomes.map((outcome) => ('gas' in outcome ? String(outcome.gas) : outcome.refused));
  return ['', version, kind, mode, ...cells, ''].join(' | ').trim();
}
