import { type Address, encodeFunctionData } from 'viem';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { accepted } from '../../server/accepted.ts';
import { devTargetAbi } from '../../server/dev/devnet/contracts.generated.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { fundWithTokens, setAllowance } from '../support/chain/chain-lab.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { type FamiliesService, startFamiliesService } from './families-service.ts';

/** By version of the paymaster: contracts that only take tokens. */
const versions = {
  '3.0.0': 'biconomy-token-0.6',
  '3.1.0': 'biconomy-token-0.6-packed',
  '3.2.0': 'biconomy-token-0.7',
} as const;
const stranger: Address = '0x00000000000000000000000000000000000000b0';

let service: FamiliesService;
beforeAll(async () => {
  service = await startFamiliesService(
    (deployed, tokenRecipient) =>
      Object.entries(versions).map(([version, family]) => {
        const address = deployed.get(family)?.contract.address ?? stranger;
        return { version, family, address, tokenRecipient };
      }),
    silentLogger,
  );
});
afterAll(() => service.close());

let salt = 700n;

describe.each(rowsOfRun(Object.entries(versions), 1))('token mode of version %s, %s', (version, family) => {
  const token = () => {
    const [, first] = service.lab.devnet.tokens;
    if (first === undefined) throw new Error('The chain has no second token.');
    return first;
  };
  const spender = () => service.deployed.get(family)?.contract.address ?? stranger;
  const increment = () => {
    const { address } = service.lab.devnet.target;
    return { to: address, data: encodeFunctionData({ abi: devTargetAbi, functionName: 'increment' }) };
  };

  async function start() {
    const { apiKey, owned } = await service.paymaster(version);
    salt += 1n;
    const entryPointVersion = family.endsWith('0.7') ? '0.7' : '0.6';
    const accountSalt = salt;
    const build = () => service.build(entryPointVersion, accountSalt, [increment()]);
    const ask = (operation: DevUserOperation) => {
      const tokenInfo = { feeTokenAddress: token().address };
      return service.ask(apiKey, operation, { mode: 'ERC20', tokenInfo, sponsorshipInfoGiven: false });
    };
    return { build, ask, owned };
  }

  const refused = (lacks: string) => ({
    ok: false,
    refusal: { reason: 'TOKEN_PAYMENT_FAILS', details: { lacks } },
  });

  test('is refused without tokens and without an approval, and signed with both', async () => {
    const { build, ask } = await start();
    const { devnet } = service.lab;
    const operation = await build();
    const { sender } = operation;
    expect(await service.core.sponsorUserOperation(ask(operation))).toMatchObject(refused('balance'));
    await fundWithTokens(devnet, token(), { owner: sender, spender: spender() });
    await setAllowance(devnet, token(), { owner: sender, spender: spender(), amount: 0n });
    expect(await service.core.sponsorUserOperation(ask(operation))).toMatchObject(refused('allowance'));
    await fundWithTokens(devnet, token(), { owner: sender, spender: spender() });
    const answer = await service.sponsor(ask(operation));
    expect((await service.land(operation, answer)).success).toBe(true);
  });

  test('whose approval is gone before the bundle has it revert, or is posted as unpaid', async () => {
    const { build, ask, owned } = await start();
    const { devnet } = service.lab;
    const operation = await build();
    const { sender } = operation;
    await fundWithTokens(devnet, token(), { owner: sender, spender: spender() });
    const answer = await service.sponsor(ask(operation));
    await setAllowance(devnet, token(), { owner: sender, spender: spender(), amount: 0n });
    if (family === 'biconomy-token-0.7') {
      await expect(service.land(operation, answer)).rejects.toThrow(/AA33/);
      return;
    }
    await service.land(operation, answer);
    await vi.waitFor(
      async () => {
        const { decisions } = accepted(await service.core.listDecisions({ ...owned, filter: { sender } }));
        expect(decisions.map(({ settlement }) => settlement?.unpaid)).toContain(true);
      },
      { timeout: 10_000 },
    );
  });
});
