import { CandidePaymaster } from 'abstractionkit';
import { type Address, type Hex, parseUnits } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import type { SponsorshipMode } from '../../core/domain/sponsorship.ts';
import { devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import { encodeAccountCalls } from '../../server/dev/user-operation/build-user-operation.ts';
import {
  approveCall,
  mint,
  newSmartAccount,
  nextOperation,
  targetCall,
  tokenWith,
} from '../support/chain/chain-lab.ts';
import { type Landing, landAndCompare } from '../support/chain/chain-landing.ts';
import { recordLanding } from '../support/chain/landings.ts';
import { entryPointsOfRun } from '../support/chain/tabled-entry-points.ts';
import { fromKit, toKit } from '../support/published-clients/abstractionkit-operation.ts';
import { openPaymaster } from '../support/service/chain-paymaster.ts';
import { type ClientLab, openClientLab } from '../support/service/client-lab.ts';

let lab: ClientLab;

beforeAll(async () => {
  lab = await openClientLab();
}, 60_000);

afterAll(() => lab.close());

function operationOf(version: EntryPointVersion, functionName: 'increment' | 'fail') {
  const account = newSmartAccount(version);
  return nextOperation(lab.devnet, account, [targetCall(lab.devnet, functionName)]).then((operation) => ({
    account,
    operation,
  }));
}

function record(entryPoint: EntryPointVersion, mode: SponsorshipMode, landing: Landing, quoted: bigint): Promise<void> {
  const { outcome, increments, paymasterPaid, tokensPaid } = landing;
  return recordLanding(lab.devnet, {
    client: 'abstractionkit 0.2.41',
    family: devnetFamilies[entryPoint],
    entryPoint,
    mode,
    outcome,
    calls: { made: 1n, arrived: increments },
    depositFell: paymasterPaid,
    tokens: { paid: tokensPaid, quoted },
  });
}

describe.each(entryPointsOfRun)('abstractionkit with EntryPoint %s', (version) => {
  const entryPoint = () => lab.devnet.entryPoints[version];

  test('asks for the chain, reads tokens and stub, and lands what it has sponsored', async () => {
    const paymaster = new CandidePaymaster(lab.paymaster(version).rpcUrl);
    const { account, operation } = await operationOf(version, 'increment');
    const smartAccount = { entrypointAddress: entryPoint() };
    const [filled] = await paymaster.createSponsorPaymasterUserOperation(
      smartAccount,
      toKit(operation),
      lab.bundler.url,
    );
    const landing = await landAndCompare(lab.devnet, account, fromKit(operation, filled), tokenWith(lab.devnet, 6));
    expect(landing).toMatchObject({ increments: 1n, accountPaid: 0n });
    expect(landing.paymasterPaid).toBe(landing.outcome.actualGasCost);
    await record(version, 'SPONSORED', landing, 0n);
  });

  test('has a token pay, with the approval that it made of our price', async () => {
    const paymaster = new CandidePaymaster(lab.paymaster(version).rpcUrl);
    const token = tokenWith(lab.devnet, 6);
    const { account, operation } = await operationOf(version, 'increment');
    await mint(lab.devnet, token, operation.sender, parseUnits('1000', token.decimals));
    let quoted = 0n;
    const smartAccount = {
      entrypointAddress: entryPoint(),
      prependTokenPaymasterApproveToCallData: (_: string, __: string, spender: string, amount: bigint) => {
        quoted = amount;
        return encodeAccountCalls(version, [
          approveCall(token, spender as Address, amount),
          targetCall(lab.devnet, 'increment'),
        ]);
      },
    };
    const filled = await paymaster.createTokenPaymasterUserOperation(
      smartAccount,
      toKit(operation),
      token.address,
      lab.bundler.url,
    );
    const paying = { ...fromKit(operation, filled), callData: filled.callData as Hex };
    const landing = await landAndCompare(lab.devnet, account, paying, token);
    expect(landing).toMatchObject({ increments: 1n, accountPaid: 0n });
    expect(landing.tokensPaid).toBeGreaterThan(0n);
    expect(landing.tokenRecipientReceived).toBe(landing.tokensPaid);
    await record(version, 'ERC20', landing, quoted);
  });

  test("knows the chain's tokens and what they cost", async () => {
    const paymaster = new CandidePaymaster(lab.paymaster(version).rpcUrl);
    const { tokens, paymasterMetadata } = await paymaster.fetchSupportedERC20TokensAndPaymasterMetadata(entryPoint());
    expect(tokens.map(({ address, symbol, decimals }) => ({ address, symbol, decimals }))).toEqual(
      lab.devnet.tokens.map(({ address, symbol, decimals }) => ({ address, symbol, decimals })),
    );
    // 2,000 dollars for the coin and 1 for the token, and 10 % on top.
    expect(tokens.find(({ symbol }) => symbol === 'devUSD')?.exchangeRate).toBe(2_200n * 10n ** 6n);
    expect(paymasterMetadata.address).toBe(lab.paymaster(version).address);
  });

  test('shows our sentence when a call is refused', async () => {
    const paymaster = new CandidePaymaster(lab.paymaster(version).rpcUrl);
    const { operation } = await operationOf(version, 'fail');
    const smartAccount = { entrypointAddress: entryPoint() };
    // Without an estimate, which would find that the call reverts.
    const limits = { callGasLimit: 100_000n, verificationGasLimit: 600_000n, preVerificationGas: 80_000n };
    const { url } = lab.bundler;
    const asked = paymaster.createSponsorPaymasterUserOperation(smartAccount, toKit(operation), url, undefined, limits);
    const refused = await asked.catch((error: unknown) => error);
    expect(refused).toMatchObject({ cause: { message: expect.stringContaining('is not whitelisted') } });
  });
});

test('a paymaster without a wallet is described too, and one of another EntryPoint is not', async () => {
  const { rpcUrl } = await openPaymaster(lab.service, '0.7');
  const paymaster = new CandidePaymaster(rpcUrl);
  expect(await paymaster.getPaymasterMetaData(lab.devnet.entryPoints['0.7'])).toMatchObject({ name: 'lab' });
  const refused = await paymaster.getPaymasterMetaData(lab.devnet.entryPoints['0.8']).catch((error: unknown) => error);
  expect(refused).toMatchObject({
    cause: { cause: { message: expect.stringContaining(lab.devnet.entryPoints['0.7']) } },
  });
});
