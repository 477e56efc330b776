import { type Address, maxUint256, parseEther } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { beforeAll, describe, expect, test } from 'vitest';
import { paymasterContractFamilies } from '../../core/evm/paymaster-contracts/families.ts';
import type { DevCall } from '../../server/dev/user-operation/build-user-operation.ts';
import {
  approveCall,
  depositOf,
  mint,
  newSmartAccount,
  nextOperation,
  targetCall,
  tokenWith,
} from '../support/chain/chain-lab.ts';
import { familiesWith } from '../support/paymaster-contracts/families-by-mode.ts';
import { oneOfEach } from '../support/run/rows-of-run.ts';
import { askQuotes, askSponsorship } from '../support/service/chain-sponsorship.ts';
import { fundedTank, type ProductionTank } from '../support/service/production-tank.ts';
import { freshKey } from '../support/service/running-service.ts';
import { useProductionService } from '../support/service/use-production-service.ts';
import { sendAway } from './token-payer.ts';

const service = useProductionService();
const owned = parseEther('1');

/** There an approval inside the operation comes too late: the tokens are taken in validation. */
const takesTokensFirst = (family: string) => family === 'biconomy-token-0.7';
const kindOf = (family: string) =>
  `${paymasterContractFamilies.get(family)?.entryPointVersion} ${takesTokensFirst(family)}`;

describe.each(oneOfEach(familiesWith('ERC20'), kindOf))('token mode with %s', (family) => {
  const takesFirst = takesTokensFirst(family);
  let tank: ProductionTank;
  beforeAll(async () => {
    tank = await fundedTank(service(), { family, amount: parseEther('100') });
  });

  /** What an operation of a new account is answered; the tank has what it had. */
  async function ask(tokens: bigint, callsOf: (paymaster: Address) => readonly DevCall[]) {
    const { devnet } = service();
    const { version, rpcUrl, contract } = tank;
    const operation = await nextOperation(devnet, newSmartAccount(version), callsOf(contract));
    if (tokens > 0n) await mint(devnet, token(), operation.sender, tokens);
    const deposit = await depositOf(devnet, version, contract);
    const wish = { token: token().address };
    const quoted = await askQuotes(rpcUrl, operation, wish);
    const signed = await askSponsorship(rpcUrl, operation, wish);
    expect(await depositOf(devnet, version, contract)).toBe(deposit);
    return { quoted, signed };
  }

  const token = () => tokenWith(service().devnet, 6);
  const increment = () => targetCall(service().devnet, 'increment');
  const refused = { httpStatus: 422, code: -32017, reason: 'TOKEN_PAYMENT_FAILS' };

  test('quotes an account without tokens and signs nothing for it', async () => {
    const { quoted, signed } = await ask(0n, (paymaster) => [approveCall(token(), paymaster, maxUint256), increment()]);
    expect(quoted.httpStatus).toBe(200);
    expect(signed).toMatchObject(refused);
    expect(signed.message).toMatch(/^The sender has 0 base units of devUSD when they are collected; .* up to \d+\.$/);
  });

  test('quotes an account that has approved nothing and signs nothing for it', async () => {
    const { quoted, signed } = await ask(owned, () => [increment()]);
    expect(quoted.httpStatus).toBe(200);
    expect(signed).toMatchObject(refused);
    expect(signed.message).toMatch(/^The sender has approved 0 base units of devUSD for the paymaster 0x\w{40}; /);
  });

  test('signs nothing for an account that sends its tokens away inside the operation', async () => {
    const thief = privateKeyToAddress(freshKey());
    const { signed } = await ask(owned, (paymaster) => [
      approveCall(token(), paymaster, maxUint256),
      sendAway(token(), thief, owned),
    ]);
    expect(signed).toMatchObject(refused);
  });

  test('signs nothing for an account that takes its approval back inside the operation', async () => {
    const { signed } = await ask(owned, (paymaster) => [
      approveCall(token(), paymaster, maxUint256),
      approveCall(token(), paymaster, 0n),
    ]);
    expect(signed).toMatchObject(refused);
  });

  const approves = 'one that has the tokens and approves them inside the operation';
  test(takesFirst ? `signs nothing for ${approves}` : `signs for ${approves}`, async () => {
    const { signed } = await ask(owned, (paymaster) => [approveCall(token(), paymaster, maxUint256), increment()]);
    if (takesFirst) expect(signed).toMatchObject(refused);
    else expect(signed.httpStatus).toBe(200);
  });
});
